"""When idle work is due: pure, moments are arguments. Seconds of a clock that only rises.

A store is idle where nobody has used this handle, and nobody anywhere was seen to write, for `idle` seconds. A round is
due there at first; then when something was written or asked and `every` seconds have passed since the last one, and
once a day in any case, since memories age by themselves. A round's own writes count as something written: so a round
follows in which nothing is left to do, and what somebody else wrote during a round is not overlooked.
"""

from __future__ import annotations

from typing import Final, NamedTuple

AT_LATEST: Final = 86_400.0
"""Seconds after which a round is due though nothing was written."""
_LOOKS_IN_IDLE: Final = 4  # so many times within `idle` it is looked whether somebody writes
_SHORTEST_LOOK: Final = 0.1
_LONGEST_LOOK: Final = 10.0


class Rhythm(NamedTuple):
    """How long a store is left alone before work begins, and how long at least lies between two rounds (seconds)."""

    idle: float
    every: float


class Seen(NamedTuple):
    """What is known at a moment `now`.

    used_at: when this handle was last seen used; written_at: when a write, whoever's, was last seen. changed: whether
    it was used or written to since the last whole round began. rested_at: when that round ended; None before the first.
    """

    now: float
    used_at: float
    written_at: float
    changed: bool
    rested_at: float | None


def due_in(seen: Seen, rhythm: Rhythm) -> float:
    """Return in how many seconds a round is due if nobody does anything until then; 0 or less where it is now."""
    quiet_at = max(seen.used_at, seen.written_at) + rhythm.idle
    if seen.rested_at is None:
        return quiet_at - seen.now
    rest = rhythm.every if seen.changed else max(rhythm.every, AT_LATEST)
    return max(quiet_at, seen.rested_at + rest) - seen.now


def looks_every(rhythm: Rhythm) -> float:
    """Return how many seconds at most lie between two looks at the store, for what other processes write."""
    return min(max(rhythm.idle / _LOOKS_IN_IDLE, _SHORTEST_LOOK), _LONGEST_LOOK)


def rests_for(seen: Seen, rhythm: Rhythm) -> float:
    """Return how long to wait until the next look, in which a round may be due: more than 0, since none is now."""
    return min(due_in(seen, rhythm), looks_every(rhythm))
