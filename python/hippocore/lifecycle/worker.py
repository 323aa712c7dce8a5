"""The worker of an idle store: upkeep in the background, of one handle in all processes, that ends at once when asked.

What is done when is decided by `hippocore.lifecycle.idleness`, what ends it between two steps by
`hippocore.lifecycle.interruption`. A step that fails is logged to `hippocore.lifecycle.worker` by the exception's name,
and counted; the others go on, and it never reaches who uses the layer.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from hippocore.arguments import checked_wait
from hippocore.errors import StoreClosed
from hippocore.lifecycle.idleness import Rhythm, Seen, due_in, looks_every, rests_for
from hippocore.lifecycle.interruption import Interrupted, Interruption

if TYPE_CHECKING:
    from hippocore.anticipation import Anticipation
    from hippocore.session import Session

Status = Literal["working", "idle", "waiting for another worker", "stopped"]
PREPARE: Final = "prepare"
"""The name of the step whose result is how many questions were prepared."""
_log: Final = logging.getLogger(__name__)
_starting: Final = threading.Lock()


class Step(NamedTuple):
    """Something that is done in each round: its name, and what does it and returns what came of it."""

    name: str
    work: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class StepDone:
    """What came of a step: its result, or the name of the exception that it failed with."""

    name: str
    seconds: float
    result: Any = None
    failed: str | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """What came of the steps of a round, in their order; `interrupted` where it ended before the last one."""

    steps: tuple[StepDone, ...]
    interrupted: bool


@dataclass(frozen=True, slots=True)
class WorkerCounts:
    """What a worker has done so far.

    rounds: that were begun; interrupted: of them, that were ended early, by a use of the layer or by `stop`. steps:
    that were done; failed: that raised. prepared: questions; served: how often what is prepared spared a later call
    the embedder or the model.
    """

    rounds: int = 0
    interrupted: int = 0
    steps: int = 0
    failed: int = 0
    prepared: int = 0
    served: int = 0


def started(session: Session, worker: Worker, steps: tuple[Step, ...]) -> Worker:
    """Start a worker as the only one of its session; raises ValueError where there is one that has not ended."""
    with _starting:
        before = session.parts.get("worker")
        if isinstance(before, Worker) and before.status != "stopped":
            raise ValueError("this layer has a worker: stop it before you ask for another one")
        session.parts["worker"] = worker
        worker.start(steps)
    return worker


class Waiting:
    """How a worker waits, on a clock that only rises."""

    def now(self) -> float:
        """Return the seconds of the clock."""
        return time.monotonic()

    def wait(self, changed: threading.Condition, seconds: float) -> None:
        """Wait until the condition, which is held, is notified, or so many seconds at most."""
        changed.wait(seconds)


class Worker:
    """Works on a store while it is idle, until it is stopped or its layer is closed; a context manager that stops it.

    It keeps the store open, whoever drops the layer. The end of the interpreter stops it; a child of `fork` has none.
    """

    def __init__(
        self,
        session: Session,
        rhythm: Rhythm,
        anticipation: Anticipation,
        observer: Callable[[Round], object] | None,
    ) -> None:
        if observer is not None and not callable(observer):
            raise TypeError(f"observer must be a callable that takes a round, not {type(observer).__name__}")
        self.interruption = Interruption(self._is_used)
        self._steps: tuple[Step, ...] = ()
        self._session = session
        self._store, self._anticipations = session.unused().store, session.unused().anticipations
        self._rhythm = rhythm
        self._anticipation = anticipation
        self._observer = observer
        self._waiting = Waiting()
        self._process = os.getpid()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._ended = False
        self._working = False
        self._counts = WorkerCounts()
        self._uses = session.uses
        self._sequence: int | None = None
        self._through: tuple[int | None, int] | None = None  # sequence and uses where the last whole round began
        self._used_at = self._written_at = self._waiting.now()
        self._rested_at: float | None = None
        self._ours = False

    def start(self, steps: tuple[Step, ...]) -> None:
        """Begin, on a thread of its own. Raises ReadOnlyStore, and StoreFailure where the store cannot be locked."""
        self._steps = steps
        self._ours = self._store.become_worker()
        self._sequence = self._store.sequence()
        self._anticipations.append(self._anticipation)
        thread = threading.Thread(target=self._run, name="hippocore-worker", daemon=True)
        self._thread = thread
        try:
            thread.start()
        except RuntimeError:  # no thread can be had
            self._thread = None
            self._end()
            raise
        atexit.register(self.stop)  # a daemon, and ended there: no thread may be cut off inside the core

    @property
    def status(self) -> Status:
        """What it does: "working", "idle", "waiting for another worker" of the store to end, or "stopped"."""
        if self._ended or self._thread is None or os.getpid() != self._process:
            return "stopped"
        if not self._ours:
            return "waiting for another worker"
        return "working" if self._working else "idle"

    @property
    def counts(self) -> WorkerCounts:
        """What it has done so far."""
        return replace(self._counts, served=self._anticipation.served)

    def stop(self, timeout: float | None = None) -> bool:
        """End it at once: between two batches of what it does, of which each is one commit.

        Returns whether it has ended within so many seconds (None: as long as it takes). A checkpoint, and what an
        observer does, are waited for; a model and an embedder that are being asked are not. Any thread may call, also
        again; where the observer does, it ends after that. Raises TypeError or ValueError for another timeout.
        """
        timeout = checked_wait(timeout)
        if os.getpid() != self._process:
            return True
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self.interruption.ask()
        if self._thread is None or self._thread is threading.current_thread():
            return self._thread is None
        self._thread.join(timeout)
        ended = not self._thread.is_alive()
        if ended:
            atexit.unregister(self.stop)
        return ended

    def close(self) -> None:
        """Stop it, as part of a session that ends."""
        self.stop()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.status}>"

    def look(self) -> float:
        """Do what is due now; returns in how many seconds to look again."""
        if not self._ours:
            self._ours = self._store.become_worker()
            self._note_uses()
            self._note_writes()
            return 0.0 if self._ours else looks_every(self._rhythm)
        seen = self._seen()
        if due_in(seen, self._rhythm) > 0:
            return rests_for(seen, self._rhythm)
        self._work()
        return looks_every(self._rhythm)

    def _seen(self) -> Seen:
        self._note_uses()
        self._note_writes()
        changed = (self._sequence, self._uses) != self._through
        return Seen(self._waiting.now(), self._used_at, self._written_at, changed, self._rested_at)

    def _note_uses(self) -> None:
        if self._session.uses != self._uses:
            self._uses, self._used_at = self._session.uses, self._waiting.now()

    def _note_writes(self) -> None:
        if (sequence := self._store.sequence()) != self._sequence:
            self._sequence, self._written_at = sequence, self._waiting.now()

    def _is_used(self) -> bool:
        return self._session.uses != self._uses

    def _work(self) -> None:
        """Do a round: all steps, unless the layer is used or the worker is stopped meanwhile."""
        began_at = self._sequence, self._uses
        done: list[StepDone] = []
        interrupted = False
        self._working = True
        try:
            for step in self._steps:
                done.append(self._did(step))
        except Interrupted:
            interrupted = True
        finally:
            self._working = False
        if not interrupted:
            self._through, self._rested_at = began_at, self._waiting.now()
        self._count(done, interrupted=interrupted)
        self._tell(Round(tuple(done), interrupted))

    def _did(self, step: Step) -> StepDone:
        self.interruption.check()
        start = time.perf_counter()
        result, failed = None, None
        try:
            result = step.work()
        except Interrupted:
            raise
        except BaseException as error:  # whatever it is, the other steps are done
            self.interruption.check()  # the layer may be closing
            failed = type(error).__name__
            _log.warning("the step %s of idle work raised %s", step.name, failed)
        return StepDone(step.name, time.perf_counter() - start, result, failed)

    def _count(self, done: list[StepDone], *, interrupted: bool) -> None:
        failed = sum(step.failed is not None for step in done)
        prepared = sum(step.result or 0 for step in done if step.name == PREPARE)
        was = self._counts
        self._counts = WorkerCounts(
            was.rounds + 1,
            was.interrupted + interrupted,
            was.steps + len(done) - failed,
            was.failed + failed,
            was.prepared + prepared,
        )

    def _tell(self, what: Round) -> None:
        if self._observer is None:
            return
        try:
            self._observer(what)
        except BaseException as error:
            _log.warning("the observer of idle work raised %s", type(error).__name__)

    def _run(self) -> None:
        try:
            while not self._stopping:
                seconds = self._looked()
                with self._changed:
                    if not self._stopping and seconds > 0:
                        self._waiting.wait(self._changed, seconds)
        finally:
            self._end()

    def _end(self) -> None:
        self._anticipations.clear()
        self._store.resign_worker()
        self._ended = True  # from here on another worker may begin

    def _looked(self) -> float:
        try:
            return self.look()
        except StoreClosed:
            self._stopping = True
        except Exception as error:  # the disk may be back when it looks again
            self._counts = replace(self._counts, failed=self._counts.failed + 1)
            _log.warning("looking whether the store is idle raised %s", type(error).__name__)
        return looks_every(self._rhythm)
