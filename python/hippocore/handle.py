"""What every verb works with: an open store and the choices made when it was opened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from hippocore.arguments import checked_text
from hippocore.deferred import Deferred
from hippocore.errors import AccessDenied, EmbedderMissing, MemoryNotFound
from hippocore.guard import Guard
from hippocore.policy import Policy
from hippocore.ranking import Ranking
from hippocore.retention import Retention
from hippocore.rights import Rights
from hippocore.times import microseconds

if TYPE_CHECKING:
    from hippocore import agent_store, names, records
    from hippocore.anticipation import Anticipation
    from hippocore.embedders.protocol import ResolvedEmbedder
    from hippocore.lifecycle.correction_policy import Corrections
    from hippocore.patient_llm import PatientLlm
    from hippocore.patient_reranker import PatientReranker
    from hippocore.stores.protocol import RowTuple, Store, Vectors
    from hippocore.types import Memory
else:
    agent_store = Deferred("hippocore.agent_store")
    names = Deferred("hippocore.names")
    records = Deferred("hippocore.records")

GIVEN: Final = "given"
"""The embedder name of a store whose vectors are handed in."""


class Handle:
    """An open store, its embedder, and how this handle guards, ranks, forgets, counts tokens and reads the clock.

    `count_tokens` counts what goes into a prompt, `count_stored` what the store keeps. `link_similar` is the
    cosine from which on a new memory is linked to others, None where it never is.
    `anticipations` is empty, or has what is prepared for questions to come, and is shared by all handles of a store.
    `go_on` is called between the steps of long work; it raises where that is to end.
    `rights` are an agent's, whose `store` shows and changes nothing else; the owner has None and may do everything.
    """

    def __init__(
        self,
        store: Store,
        embedder: ResolvedEmbedder | None,
        guard: Guard,
        ranking: Ranking,
        weights: Any,
        count_tokens: Callable[[str], int],
        clock: Callable[[], float],
        policy: Policy | None = None,
        rights: Rights | None = None,
        reranker: PatientReranker | None = None,
        llm: PatientLlm | None = None,
        count_stored: Callable[[str], int] | None = None,
        corrections: Corrections | None = None,
        link_similar: float | None = None,
        retention: Retention | None = None,
        anticipations: list[Anticipation] | None = None,
    ) -> None:
        self.store = store
        self.embedder = embedder
        self.guard = guard
        self.ranking = ranking
        self.weights = weights
        self.count_tokens = count_tokens
        self.count_stored = count_stored or count_tokens
        self.clock = clock
        self.policy = policy
        self.rights = rights
        self.reranker = reranker
        self.llm = llm
        self.corrections = corrections
        self.link_similar = link_similar
        self.retention = retention or Retention()
        self.anticipations = [] if anticipations is None else anticipations
        self.go_on: Callable[[], None] = _go_on

    def with_embedder(self, embedder: ResolvedEmbedder) -> Handle:
        """Return a handle of the same store that embeds with another embedder."""
        return self._with(self.store, embedder, self.rights)

    def with_parts(
        self, *, store: Store, embedder: ResolvedEmbedder | None, llm: PatientLlm | None, go_on: Callable[[], None]
    ) -> Handle:
        """Return this handle through others in place of its parts, with nothing prepared."""
        made = self._with(store, embedder, self.rights)
        made.llm, made.go_on, made.anticipations = llm, go_on, []
        return made

    @cached_property
    def names(self) -> names.Names:
        """Which memory an id leads to, as this handle's user sees it."""
        agents = self.policy.agents if self.policy is not None else ()
        if self.rights is not None and isinstance(self.store, agent_store.AgentStore):
            return names.AgentNames(self.store, agents, self.rights.agent)
        return names.Names(self.store, agents)

    def for_agent(self, name: str) -> Handle:
        """Return this handle through an agent's rights.

        Raises ValueError where there is no policy, AccessDenied for an agent that asks for another one.
        """
        checked_text(name, "an agent's name")
        if self.policy is None:
            raise ValueError("no policy says what an agent may do: open the store with policy=Policy({...})")
        if self.rights is not None:
            if name != self.rights.agent:
                raise AccessDenied(
                    f"agent {self.rights.agent!r} may not act as {name!r}: ask the layer that was opened"
                )
            return self
        rights = self.policy.rights_of(name)
        return self._with(agent_store.AgentStore(self.store, rights), self.embedder, rights)

    def _with(self, store: Store, embedder: ResolvedEmbedder | None, rights: Rights | None) -> Handle:
        chosen = (self.guard, self.ranking, self.weights, self.count_tokens, self.clock, self.policy)
        asked = (self.reranker, self.llm, self.count_stored, self.corrections, self.link_similar, self.retention)
        return Handle(store, embedder, *chosen, rights, *asked, self.anticipations)

    @property
    def anticipation(self) -> Anticipation | None:
        """What is prepared for questions to come; None where nothing prepares. It may go at any moment."""
        return next(iter(self.anticipations), None) if self.anticipations else None

    def may_read(self, scope: str) -> bool:
        """Return whether a scope may be read."""
        return self.rights is None or self.rights.may_read(scope)

    def may_write(self, scope: str) -> bool:
        """Return whether a scope may be written to."""
        return self.rights is None or self.rights.may_write(scope)

    def require_write(self, *scopes: str) -> None:
        """Raise AccessDenied unless the scopes may be written to."""
        if self.rights is not None:
            self.rights.require_write(scopes)

    def of_the_owner(self, verb: str) -> Handle:
        """Return this handle; raises AccessDenied for an agent's, since the verb is about the whole store."""
        if self.rights is not None:
            raise self.rights.of_the_owner(verb)
        return self

    def memory(self, row: RowTuple) -> Memory:
        """Return the Memory of a store's row, as this handle shows it."""
        return records.memory_of(self.names.shown(row))

    def now(self) -> int:
        """Return the clock's moment in microseconds."""
        return microseconds(self.clock(), "the clock's time")

    @contextmanager
    def writing(self) -> Iterator[int]:
        """Hold the writer's lock, caught up with all other writers; gives the moment at which it was taken."""
        self.store.begin()
        try:
            yield self.now()
        finally:
            self.store.end()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts; raises EmbedderMissing where vectors are handed in."""
        if self.embedder is None:
            raise EmbedderMissing(_way_out(self.store.embedder))
        if (anticipation := self.anticipation) is not None:
            return anticipation.vectors(self.embedder, texts)
        return self.embedder(texts)

    def record(self, key: bytes, identifier: str, now: int) -> records.Record:
        """Return a memory's newest version; raises MemoryNotFound where there is none or it has expired."""
        if not self.store.contains(key):
            raise not_found([identifier])
        record = records.record_of(self.store.get([key])[0])
        if record.expired(now):
            raise MemoryNotFound(f"the memory {identifier!r} has expired")
        return record

    def existing_keys(self, identifiers: Any) -> list[bytes]:
        """Return the keys of one id or several, each once; raises MemoryNotFound naming all that are not there."""
        keys = self.names.keys_of(identifiers)
        missing = [identifier for key, identifier in keys.items() if not self.store.contains(key)]
        if missing:
            raise not_found(missing)
        return list(keys)


def _go_on() -> None:
    """Let work go on."""


def _way_out(made_by: str) -> str:
    if made_by == GIVEN:
        return "this store's vectors are handed in: pass embedding=, or ask by words alone with mode='lexical'"
    return (
        "this store was opened with embedder=None: pass embedding=, ask by words alone with mode='lexical', or open it "
        f"with {made_by!r}, which made its vectors"
    )


def not_found(identifiers: Iterable[str]) -> MemoryNotFound:
    """Return the error that names ids that are not in the store."""
    return MemoryNotFound(f"no memory {', '.join(map(repr, identifiers))}: it never was, or was forgotten")
