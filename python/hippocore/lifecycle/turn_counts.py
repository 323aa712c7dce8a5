"""How often turns lead to a write."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hippocore.types import Remembered


@dataclass(frozen=True, slots=True)
class TurnCounts:
    """What a handle has made of its turns since it was opened.

    turns: that `observe_turn` took in. turns_written: of those, that led to at least one write, a merge among them.
    statements: that were extracted; skipped: of those, that gate or guard let not through.
    """

    turns: int = 0
    turns_written: int = 0
    statements: int = 0
    skipped: int = 0

    @property
    def write_selectivity(self) -> float | None:
        """The share of turns that led to a write, 0..1; None before the first turn."""
        return self.turns_written / self.turns if self.turns else None


class Tally:
    """Counts the turns of one session, and those of the session above it too. Any thread may count."""

    def __init__(self, above: Tally | None) -> None:
        self._above = above
        self._counting = threading.Lock()
        self.counts = TurnCounts()

    def count(self, outcomes: Sequence[Remembered]) -> None:
        """Count one turn by what became of its statements."""
        skipped = sum(outcome.action == "skipped" for outcome in outcomes)
        with self._counting:
            before = self.counts
            self.counts = replace(
                before,
                turns=before.turns + 1,
                turns_written=before.turns_written + (skipped < len(outcomes)),
                statements=before.statements + len(outcomes),
                skipped=before.skipped + skipped,
            )
        if self._above is not None:
            self._above.count(outcomes)
