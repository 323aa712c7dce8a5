"""Sessions: how long a layer may use its handle. An agent's session ends by itself, or with its owner's."""

from __future__ import annotations

from typing import Protocol, TypeVar

from hippocore.errors import StoreClosed
from hippocore.handle import Handle

L = TypeVar("L", bound="Opened")


class Part(Protocol):
    """What verbs keep for as long as a session lasts."""

    def close(self) -> None:
        """End it while the session can still be used."""


class Session:
    """The owner's session: it holds the open store and closes it, and before it, its `parts`.

    `uses` changes with each use of it, and of the agents' sessions below it.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._closed = False
        self.parts: dict[str, Part] = {}
        self.uses = 0

    @property
    def path(self) -> str:
        """Where the store is, also after closing."""
        return self._handle.store.path

    @property
    def agent(self) -> str | None:
        """The name of the agent whose session it is; None for the owner."""
        return None

    @property
    def owner(self) -> Session | None:
        """The session that an agent's is below; None for the owner's own."""
        return None

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closed

    def handle(self) -> Handle:
        """Return the handle; raises StoreClosed after closing."""
        self.uses += 1
        return self.unused()

    def unused(self) -> Handle:
        """Return the handle as `handle` does, for what is no use of it."""
        if self.closed:
            raise StoreClosed(f"the store {self.path!r} was closed: open it again")
        return self._handle

    def go_on_with(self, handle: Handle) -> None:
        """Use another handle of the same store from now on."""
        self._handle = handle

    def as_agent(self, name: str) -> Session:
        """Return a session of that agent on the same store; raises ValueError where no policy says its rights."""
        self.handle().for_agent(name)
        return AgentSession(self, name)

    def _close_parts(self) -> None:
        for part in list(self.parts.values()):
            part.close()

    def close(self) -> None:
        """Let the store go, once."""
        if not self._closed:
            try:
                self._close_parts()
            finally:
                self._closed = True
                self._handle.store.close()


class AgentSession(Session):
    """A session through an agent's rights, on whatever handle the owner goes on with."""

    def __init__(self, owner: Session, name: str) -> None:
        self._owner = owner
        self._name = name
        self._made_from = owner.handle()
        super().__init__(self._made_from.for_agent(name))

    @property
    def agent(self) -> str | None:
        """The name of the agent."""
        return self._name

    @property
    def owner(self) -> Session | None:
        """The owner's session."""
        return self._owner

    @property
    def closed(self) -> bool:
        """Whether it was closed, or its owner's was."""
        return self._closed or self._owner.closed

    def handle(self) -> Handle:
        """Return the handle with the agent's rights; raises StoreClosed after closing."""
        super().handle()
        owners = self._owner.handle()
        if owners is not self._made_from:
            self._handle, self._made_from = owners.for_agent(self._name), owners
        return self._handle

    def as_agent(self, name: str) -> Session:
        """Return another session of this agent; raises AccessDenied for another one's."""
        self.handle().for_agent(name)
        return self._owner.as_agent(name)

    def close(self) -> None:
        """Close this session; the store stays open."""
        if not self.closed:
            self._close_parts()
        self._closed = True


class Opened:
    """What has a session: a context manager that may be closed."""

    _session: Session

    def close(self) -> None:
        """Write what is queued and let the store go; every later call but this one raises StoreClosed."""
        self._session.close()

    @property
    def path(self) -> str:
        """Where the store is."""
        return self._session.path

    @property
    def closed(self) -> bool:
        """Whether the handle was closed."""
        return self._session.closed

    @property
    def _handle(self) -> Handle:
        return self._session.handle()

    def __enter__(self: L) -> L:
        self._session.handle()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        agent = "" if self._session.agent is None else f", agent={self._session.agent!r}"
        return f"{type(self).__name__}({self.path!r}{agent}{', closed' if self.closed else ''})"
