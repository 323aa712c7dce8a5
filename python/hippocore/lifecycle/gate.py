"""The write gate: what of a turn is worth a write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from hippocore.arguments import checked_fraction, checked_number, refuse_async

if TYPE_CHECKING:
    from hippocore.lifecycle.dialogue import Speaker


class Candidate(NamedTuple):
    """What may be written: a statement, the scope that it would go to, and what is known about its worth.

    `novelty`: 1 - the largest cosine with what the scope holds (1 for an empty scope, never below 0); None where it was
    not looked for, or the scope may not be read. `reward`: the turn's, None where nobody judged it.
    """

    content: str
    kind: str
    importance: float
    said_by: Speaker
    scope: str
    novelty: float | None = None
    reward: float | None = None

    def __repr__(self) -> str:
        return f"Candidate(kind={self.kind!r}, importance={self.importance:.3g}, novelty={self.novelty!r})"


Rule = Callable[[Candidate], "str | None"]
"""Returns why a candidate is not to be written, None where it may be."""


@dataclass(frozen=True, slots=True)
class WriteGate:
    """What `observe_turn` writes; everything else is "skipped" and `Remembered.reason` says which of these said no.

    min_importance: less is not written (0 to 1).
    min_novelty: what is nearer than that to something in its scope is not written (0 to 1). 0 looks for nothing: what
    is said again then merges, which counts a use and keeps the newer wording, and "6 years of Go" after "5 years of
    Go", which an embedder hardly tells apart, is not lost. More is for agents that repeat themselves a lot.
    min_reward: of turns whose reward is less nothing is written; a turn without a reward is not held against it.
    rule: a function of your own, asked last: it takes a `Candidate` and returns why it is not to be written, or None.
    It is called in the middle of `observe_turn`, and what it raises goes through.
    Raises TypeError or ValueError for other values.
    """

    min_importance: float = 0.3
    min_novelty: float = 0.0
    min_reward: float | None = None
    rule: Rule | None = None

    def __post_init__(self) -> None:
        checked_fraction(self.min_importance, "min_importance")
        checked_fraction(self.min_novelty, "min_novelty")
        if self.min_reward is not None:
            checked_reward(self.min_reward, "min_reward")
        if self.rule is not None:
            if not callable(self.rule):
                raise TypeError(f"rule must be a callable candidate -> reason or None, not {type(self.rule).__name__}")
            refuse_async(self.rule, "rule")

    @property
    def asks_for_novelty(self) -> bool:
        """Whether novelty has to be measured, which embeds each statement before the gate."""
        return self.min_novelty > 0 or self.rule is not None

    def reason_against(self, candidate: Candidate) -> str | None:
        """Return why a candidate is not to be written, without its content; None where it may be."""
        if candidate.importance < self.min_importance:
            return f"its importance {candidate.importance:.2g} is below the gate's {self.min_importance:g}"
        if candidate.novelty is not None and candidate.novelty < self.min_novelty:
            return f"its novelty {candidate.novelty:.2g} is below the gate's {self.min_novelty:g}"
        if candidate.reward is not None and self.min_reward is not None and candidate.reward < self.min_reward:
            return f"its turn's reward {candidate.reward:.2g} is below the gate's {self.min_reward:g}"
        return self._reason_of_rule(candidate)

    def _reason_of_rule(self, candidate: Candidate) -> str | None:
        reason = None if self.rule is None else self.rule(candidate)
        if reason is not None and not isinstance(reason, str):
            raise TypeError(f"the gate's rule must return a reason or None, and returned {type(reason).__name__}")
        return reason


def checked_gate(gate: Any) -> WriteGate:
    """Return a gate; raises TypeError for anything else."""
    if not isinstance(gate, WriteGate):
        raise TypeError(f"gate must be a WriteGate, not {type(gate).__name__}: say gate=WriteGate(min_importance=0.3)")
    return gate


def checked_reward(reward: float, name: str) -> float:
    """Return a finite number; raises TypeError or ValueError."""
    number = checked_number(reward, name)
    if number - number != 0:
        raise ValueError(f"{name} must be a finite number, not {number}")
    return number
