"""Interruption: how work is ended from outside, between two of its steps, so that nothing is half done.

What is asked of a store is done whole or, once the interruption was asked for, not at all; what has begun is ended, and
a transaction gives its lock back. A model or an embedder that is being asked is waited for no longer: what it answers
then is dropped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from hippocore.patient_llm import PatientLlm
from hippocore.session import Session

if TYPE_CHECKING:
    from hippocore.embedders.protocol import ResolvedEmbedder
    from hippocore.handle import Handle
    from hippocore.stores.protocol import Store, Vectors

T = TypeVar("T")
_NEVER_REFUSED: Final = ("end", "close")


class Interrupted(BaseException):
    """Ends work; not an Exception, so that nothing on the way takes it for a failure."""


class Interruption:
    """Whether work is to end: where it was asked for, or where `unless` says so. Any thread may ask."""

    def __init__(self, unless: Callable[[], bool]) -> None:
        self._unless = unless
        self._changed = threading.Condition()
        self._asked = False

    def ask(self) -> None:
        """Have the work end at its next step, and who waits in `call` at once."""
        with self._changed:
            self._asked = True
            self._changed.notify_all()

    def check(self) -> None:
        """Raise Interrupted where the work is to end."""
        if self._asked or self._unless():
            raise Interrupted

    def call(self, function: Callable[[], T]) -> T:
        """Return what a slow function gives, on a daemon thread of its own, or raise what it raises."""
        self.check()
        given: list[T] = []
        failed: list[BaseException] = []

        def run() -> None:
            try:
                given.append(function())
            except BaseException as error:
                failed.append(error)
            with self._changed:
                self._changed.notify_all()

        threading.Thread(target=run, name="hippocore-worker-call", daemon=True).start()
        with self._changed:
            self._changed.wait_for(lambda: given or failed or self._asked)
        if failed:
            raise failed[0]
        if not given:
            raise Interrupted
        return given[0]


class InterruptibleSession(Session):
    """The owner's session for work that can be ended; what is done through it is no use of the layer."""

    def __init__(self, owner: Session, interruption: Interruption) -> None:
        self._owner = owner
        self._interruption = interruption
        self._made_from = owner.unused()
        super().__init__(_interruptible(self._made_from, interruption))

    @property
    def closed(self) -> bool:
        """Whether the owner's was closed."""
        return self._owner.closed

    def handle(self) -> Handle:
        """Return the owner's handle, interruptible; raises StoreClosed after closing."""
        owners = self._owner.unused()
        if owners is not self._made_from:
            self._handle, self._made_from = _interruptible(owners, self._interruption), owners
        return self._handle

    def close(self) -> None:
        """Do nothing: the store is the owner's."""


def _interruptible(handle: Handle, interruption: Interruption) -> Handle:
    embedder = None if handle.embedder is None else _InterruptibleEmbedder(handle.embedder, interruption)
    return handle.with_parts(
        store=cast("Store", _InterruptibleStore(handle.store, interruption.check)),
        embedder=cast("ResolvedEmbedder | None", embedder),
        llm=None if handle.llm is None else _InterruptibleLlm(handle.llm, interruption),
        go_on=interruption.check,
    )


class _InterruptibleStore:
    """A store that checks before each call that does not end something."""

    def __init__(self, beneath: Store, check: Callable[[], None]) -> None:
        self._beneath = beneath
        self._check = check

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._beneath, name)
        if name in _NEVER_REFUSED or not callable(value):
            return value

        def call(*arguments: Any, **keywords: Any) -> Any:
            self._check()
            return value(*arguments, **keywords)

        return call


class _InterruptibleEmbedder:
    def __init__(self, beneath: ResolvedEmbedder, interruption: Interruption) -> None:
        self._beneath = beneath
        self._interruption = interruption

    def __getattr__(self, name: str) -> Any:
        return getattr(self._beneath, name)

    def __call__(self, texts: Sequence[str], /) -> Vectors:
        return self._interruption.call(partial(self._beneath, texts))


class _InterruptibleLlm(PatientLlm):
    def __init__(self, beneath: PatientLlm, interruption: Interruption) -> None:
        self._beneath = beneath
        self._interruption = interruption

    def answer(self, prompt: str) -> str | None:
        return self._interruption.call(partial(self._beneath.answer, prompt))
