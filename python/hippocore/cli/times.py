"""Moments as people type them: an ISO date with a zone, seconds since 1970, or a duration from now."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

import typer

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smhdw])")
_SECONDS = re.compile(r"-?\d+(?:\.\d+)?")
_DATE_WITH_ZONE = re.compile(r"(\d{4}-\d{2}-\d{2})([+-]\d{2}:\d{2})")

EXPECTED = (
    "an ISO date with its zone (2025-03-01T09:00+01:00, 2025-03-01Z), seconds since 1970, or a duration (90s, 3d)"
)


def past(text: str) -> datetime:
    """Return the moment; a duration counts back from now. Raises a usage error."""
    return _moment(text, -1)


def future(text: str) -> datetime:
    """Return the moment; a duration counts on from now. Raises a usage error."""
    return _moment(text, 1)


def _moment(text: str, direction: int) -> datetime:
    try:
        moment = _parse(text.strip(), direction)
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"{text!r} is no time: say {EXPECTED}") from None
    if moment.tzinfo is None:
        raise typer.BadParameter(f"{text!r} has no zone: add Z or an offset, as in {text.strip()}Z")
    return moment.astimezone(timezone.utc)


def _parse(text: str, direction: int) -> datetime:
    duration = _DURATION.fullmatch(text)
    if duration:
        length = timedelta(seconds=float(duration[1]) * _UNITS[duration[2]])
        return datetime.now(timezone.utc) + direction * length
    if _SECONDS.fullmatch(text):
        return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=float(text))
    # Python 3.10 reads neither "Z" nor a date with a zone but no time.
    text = re.sub("[Zz]$", "+00:00", text)
    date = _DATE_WITH_ZONE.fullmatch(text)
    return datetime.fromisoformat(f"{date[1]}T00:00{date[2]}" if date else text)
