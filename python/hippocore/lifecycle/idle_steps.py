"""What is done to a store while it is idle: verbs of a layer that can be interrupted, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from hippocore import events
from hippocore.arguments import checked_count, checked_flag, checked_fraction
from hippocore.lifecycle.preparing import prepare
from hippocore.lifecycle.worker import PREPARE, Step
from hippocore.scopes import Scopes, scope_texts

if TYPE_CHECKING:
    from hippocore.anticipation import Anticipation
    from hippocore.session import Opened


class Verbs(Protocol):
    """What of a layer works on an idle store, as MemoryLayer has it."""

    def maintain(self, *, scope: Scopes, subtree: bool) -> Any:
        """As MemoryLayer's."""

    def consolidate(self, *, scope: Scopes, subtree: bool, similarity: float) -> Any:
        """As MemoryLayer's."""

    def summarize(self, *, scope: Scopes, subtree: bool, budget_tokens: int) -> Any:
        """As MemoryLayer's."""

    def build_approximate(self, *, progress: Callable[[int, int], None]) -> None:
        """As MemoryLayer's."""

    def checkpoint(self) -> None:
        """As MemoryLayer's."""


class Plan(NamedTuple):
    """What is to be done where: consolidating at a similarity and summarizing to a budget of tokens unless None."""

    scope: Scopes
    subtree: bool
    consolidate: float | None
    summarize: int | None
    questions: int


def checked_plan(
    scope: Scopes, subtree: bool, consolidate: float | None, summarize: int | None, questions: int
) -> Plan:
    """Return the plan; raises TypeError or ValueError for what is none."""
    scope_texts(scope)
    return Plan(
        scope,
        checked_flag(subtree, "subtree"),
        None if consolidate is None else checked_fraction(consolidate, "consolidate, a similarity such as 0.8,"),
        None if summarize is None else checked_count(summarize, "summarize, a budget of tokens,"),
        checked_count(questions, "questions"),
    )


def steps_of(layer: Verbs, opened: Opened, plan: Plan, anticipation: Anticipation) -> tuple[Step, ...]:
    """Return the steps of a plan in their order; each tells of itself as the verb does that it is.

    layer, and `opened`, which is the same: what is done through it can be interrupted.
    """
    places: dict[str, Any] = {"scope": plan.scope, "subtree": plan.subtree}
    steps = [Step("maintain", partial(layer.maintain, **places))]
    if plan.consolidate is not None:
        steps.append(Step("consolidate", partial(layer.consolidate, **places, similarity=plan.consolidate)))
    if plan.summarize is not None:
        steps.append(Step("summarize", partial(layer.summarize, **places, budget_tokens=plan.summarize)))
    steps.append(Step("build_approximate", partial(_build, layer, opened)))
    steps.append(Step("checkpoint", layer.checkpoint))
    if plan.questions:
        steps.append(Step(PREPARE, partial(_prepare, opened, plan, anticipation)))
    return tuple(steps)


def _build(layer: Verbs, opened: Opened) -> None:
    """Have the graph know every memory, where somebody searches it."""
    handle = opened._handle
    if handle.store.searches_graph():
        layer.build_approximate(progress=lambda done, total: handle.go_on())


def _prepare(opened: Opened, plan: Plan, anticipation: Anticipation) -> int:
    start = events.began(events.INFO)
    new = prepare(opened._handle, anticipation, plan.scope, subtree=plan.subtree, most=plan.questions)
    if start is not None:
        events.tell(opened, PREPARE, start, {"count": new}, level=events.INFO)
    return new
