"""When to ask a server again: which answers pass, and how long to wait. Pure: time and chance are arguments."""

from __future__ import annotations

import math

FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0


def passes(status: int) -> bool:
    """Return whether the same request may succeed later: too many requests, a timeout, or a server's fault."""
    return status in (408, 429) or 500 <= status <= 599


def wait_before(attempt: int, *, asked: float | None, chance: float) -> float:
    """Return the seconds to wait before a request is repeated, `attempt` counting from 0.

    The wait doubles from FIRST_WAIT up to LONGEST_WAIT; `chance` (0..1) takes up to half of it away, so that
    many clients do not come back together. It is never shorter than what the server asked for.
    """
    doubled = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(attempt, 30))
    return max(doubled * (1 - chance / 2), asked or 0.0)


def retry_after(header: str | None, *, now: float) -> float | None:
    """Return the seconds that a Retry-After header asks for (a number or an HTTP date), None if it says nothing.

    `now` is the time in seconds since the epoch that a date is measured from.
    """
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        seconds = _date(header) - now
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _date(header: str) -> float:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(header).timestamp()
    except (ValueError, TypeError, OverflowError):
        return math.nan
