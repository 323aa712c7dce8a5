"""What a memory is worth once it is known how the session that wrote it ended. Pure: numbers in, a number out.

The rule is an exponential moving average (Sutton and Barto, "Reinforcement learning", 2nd edition 2018, section 2.5;
the same as Rescorla and Wagner's of 1972): each observation moves the importance by a tenth of the way to 1 or to 0, so
that one moves 0.5 as far as `feedback` does. Each use and each confirmation by another source is an observation of 1,
and counts once the session has succeeded. A failure is one observation of 0, and what speaks for the memory takes its
weight from it. Of "Hindsight experience replay" (Andrychowicz et al., NeurIPS 2017) there is the idea alone, that what
was kept before the end was known is labelled anew by what was reached; nothing is replayed and no goal is replaced.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from hippocore.lifecycle.learning import PROTECTED

RATE: Final = 0.1
"""How much of the way to 1 or 0 one observation goes."""
MOST: Final = 0.2
"""The furthest that hindsight moves an importance from what it would be without."""
CEILING: Final = PROTECTED - 0.01
"""What hindsight raises an importance to at most: nothing becomes a hard rule by it."""


class Evidence(NamedTuple):
    """What is known of a memory beside its importance: how often it was used, and how many other sources said it."""

    uses: int
    confirmations: int

    def __str__(self) -> str:
        used = f"used {self.uses} time{'s' * (self.uses != 1)}" if self.uses else ""
        said = f"confirmed by {self.confirmations} other source{'s' * (self.confirmations != 1)}"
        return " and ".join(filter(None, (used, said if self.confirmations else ""))) or "neither used nor confirmed"


def worth(importance: float, evidence: Evidence, success: bool) -> float:
    """Return the importance, 0..1, of a memory that a session with this end wrote.

    After a success 1 - (1 - importance) * 0.9 ** n, with n uses and confirmations: the same where there are none. After
    a failure importance * (1 - 0.1 * 0.9 ** n). Bounded as `bounded` says.
    """
    unsupported = (1.0 - RATE) ** (evidence.uses + evidence.confirmations)
    if success:
        return bounded(importance, 1.0 - (1.0 - importance) * unsupported)
    return bounded(importance, importance * (1.0 - RATE * unsupported))


def bounded(importance: float, wanted: float) -> float:
    """Return what is wanted, as far as it may be: at most 0.2 away, not raised above 0.89, and a hard rule stays."""
    if importance >= PROTECTED:
        return importance
    near = min(max(wanted, importance - MOST, 0.0), importance + MOST)
    return min(near, max(importance, CEILING))
