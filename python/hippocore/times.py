"""Moments and durations: what callers give, as integer microseconds since 1970 (UTC) and as seconds; and back."""

from __future__ import annotations

import math
from datetime import datetime, timedelta, timezone
from numbers import Integral, Real
from typing import Any, Final

Moment = datetime | float | int
Duration = str | timedelta | float | int

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND: Final = timedelta(microseconds=1)
EARLIEST: Final = (datetime.min.replace(tzinfo=timezone.utc) - _EPOCH) // _MICROSECOND
LATEST: Final = (datetime.max.replace(tzinfo=timezone.utc) - _EPOCH) // _MICROSECOND
_SECONDS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}


def microseconds(moment: Moment, name: str) -> int:
    """Return a moment as microseconds since 1970 (UTC).

    Takes an aware datetime or seconds since 1970, from year 1 to 9999. Raises ValueError for a naive datetime, NaN,
    infinity and what lies outside those years, TypeError for anything else; `name` says which argument it was.
    """
    if isinstance(moment, datetime):
        found = _of_datetime(moment, name)
    elif (number := _number(moment)) is not None:
        found = _of_seconds(number, name)
    else:
        raise TypeError(f"{name} must be an aware datetime or seconds since 1970, not {type(moment).__name__}")
    if not EARLIEST <= found <= LATEST:
        raise ValueError(f"{name} must lie in the years 1 to 9999 (UTC)")
    return found


def as_datetime(moment: int) -> datetime:
    """Return microseconds since 1970 as an aware UTC datetime."""
    return _EPOCH + timedelta(0, 0, moment)


def seconds(duration: Duration, name: str) -> float:
    """Return a duration in seconds: "45s", "30m", "12h", "3d", "2w", a timedelta, or seconds.

    Raises ValueError unless it is finite and longer than nothing, TypeError for another type.
    """
    if isinstance(duration, str):
        found = _of_text(duration, name)
    elif isinstance(duration, timedelta):
        found = duration.total_seconds()
    elif (number := _number(duration)) is not None:
        found = float(number)
    else:
        raise TypeError(f'{name} must be "3d", a timedelta or seconds, not {type(duration).__name__}')
    if not (math.isfinite(found) and found > 0):
        raise ValueError(f"{name} must be a finite duration longer than nothing, not {duration!r}")
    return found


def in_words(seconds: float) -> str:
    """Return a duration in the largest unit that it reaches: "1 second", "1.5 hours", "30 days"."""
    lengths = {"day": 86400.0, "hour": 3600.0, "minute": 60.0, "second": 1.0}
    unit = next((unit for unit, length in lengths.items() if seconds >= length), "second")
    count = f"{seconds / lengths[unit]:g}"
    return f"{count} {unit}" if count == "1" else f"{count} {unit}s"


def _number(value: Any) -> int | float | None:
    """Return a number of any kind, numpy's too, as Python's; None for True, False and what is none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    return int(value) if isinstance(value, Integral) else float(value)


def _of_datetime(moment: datetime, name: str) -> int:
    if moment.utcoffset() is None:
        raise ValueError(f"{name} is a naive datetime: give it a time zone, such as tzinfo=timezone.utc")
    return (moment - _EPOCH) // _MICROSECOND


def _of_seconds(moment: float, name: str) -> int:
    if isinstance(moment, int):
        return moment * 1_000_000
    if not math.isfinite(moment):
        raise ValueError(f"{name} must be finite, not {moment!r}")
    return round(moment * 1e6)


def _of_text(duration: str, name: str) -> float:
    try:
        return float(duration[:-1]) * _SECONDS[duration[-1:]]
    except (ValueError, KeyError):
        raise ValueError(f'{name} must look like "45s", "30m", "12h", "3d" or "2w", not {duration!r}') from None
