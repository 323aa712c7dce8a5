"""What hindsight returns: ids, importances and reasons, and no content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Relabelled(NamedTuple):
    """One memory whose importance hindsight changed, or would change: what it was, what it is, 0..1 each, and why."""

    id: str
    before: float
    after: float
    reason: str


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What one call relabelled of what a session wrote, and the ids of what it left as it was.

    `dry_run`: nothing was written.
    """

    relabelled: tuple[Relabelled, ...]
    left: tuple[str, ...]
    dry_run: bool
