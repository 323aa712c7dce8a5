"""The verb of a MemoryLayer that works on the store while nobody uses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hippocore.deferred import Deferred
from hippocore.layer.compressing import CompressingVerbs
from hippocore.layer.upkeep import UpkeepVerbs
from hippocore.scopes import ALL, Scopes
from hippocore.times import Duration, seconds

if TYPE_CHECKING:
    from hippocore import anticipation
    from hippocore.lifecycle import idle_steps, idleness, interruption, worker
else:
    anticipation = Deferred("hippocore.anticipation")
    idle_steps = Deferred("hippocore.lifecycle.idle_steps")
    idleness = Deferred("hippocore.lifecycle.idleness")
    interruption = Deferred("hippocore.lifecycle.interruption")
    worker = Deferred("hippocore.lifecycle.worker")


class IdleVerbs(UpkeepVerbs, CompressingVerbs):
    """What works in the background."""

    def background(
        self,
        *,
        idle: Duration = 30.0,
        every: Duration = 600.0,
        scope: Scopes = ALL,
        subtree: bool = False,
        consolidate: float | None = None,
        summarize: int | None = None,
        questions: int = 5,
        observer: Callable[[worker.Round], object] | None = None,
    ) -> worker.Worker:
        """Work on the store while it is idle, on a thread of its own, until that is stopped; returns the Worker.

        Idle is a store where nobody has used this layer or its agents', and nobody anywhere has written, for `idle`.
        A round then does one after the other: `maintain` as `retention=` says; `consolidate` at this similarity and
        `summarize` to this budget of tokens, where they are given; `build_approximate` where approximate recall is in
        use; `checkpoint`; and prepares up to `questions` that were asked most, and with `llm=` up to five that it
        expects. The next round is due once something was written or asked and `every` has passed, or after a day.

        Stops at once: `worker.stop()`, the end of its `with`, closing the layer, the end of the interpreter. A use of
        this layer ends a round too; the next one goes on. Each batch is one commit, so nothing is half done.
        One handle of all, in every process, works on a store; others wait and take over (`worker.status`). A step that
        fails is logged and counted (`worker.counts`), and the next ones go on. observer(round) hears of each round, on
        the worker's thread.

        Prepared are vectors and other wordings (`expand=`), never results: the later recall waits for no embedder and
        no model, and ranks what there is then. They are in memory only and go with the worker.

        The owner only. Raises ValueError where this layer has a worker that was not stopped, ReadOnlyStore.
        """
        self._handle.of_the_owner("background")
        plan = idle_steps.checked_plan(
            scope, subtree=subtree, consolidate=consolidate, summarize=summarize, questions=questions
        )
        rhythm = idleness.Rhythm(seconds(idle, "idle"), seconds(every, "every"))
        prepared = anticipation.Anticipation()
        made = worker.Worker(self._session, rhythm, prepared, observer)
        view = object.__new__(type(self))
        view._session = interruption.InterruptibleSession(self._session, made.interruption)
        return worker.started(self._session, made, idle_steps.steps_of(view, view, plan, prepared))
