"""Times that are said by words: those relative to now ("two weeks ago"), and those beside a date ("since May").

Moments are datetimes without a zone, in UTC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hippocore.calendar_dates import Period
from hippocore.date_patterns import patterns

if TYPE_CHECKING:
    import re
    from datetime import datetime

    from dateutil.relativedelta import relativedelta

_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_FEW: Final = (2, 5)


def relative_period(match: re.Match[str], now: datetime) -> Period:
    """Return the period of a match of `Patterns.relative`; raises ValueError or OverflowError before year 1."""
    said = {name: text.lower() for name, text in match.groupdict(default="").items()}
    if said["ago"]:
        least, most = _amount(said["many"])
        start, end = (_floor(now - _units(count, said["unit"]), said["unit"]) for count in (most, least))
        return Period(start, end + _units(1, said["unit"]))
    if said["trailing"]:
        _, most = _amount(said["recent"] or "one")
        return Period(now - _units(most, said["units"] or said["one"]), now)
    if day := said["weekday"] or said["named"]:
        return _whole(_latest_weekday(now, day), "day")
    if said["yesterday"]:
        return _whole(now - _units(2 if said["before"] else 1, "day"), "day")
    return _last(now, said["whole"]) if said["last"] else _this(now, said["present"] or "day")


def year_said(before: str, behind: str, now: datetime) -> str:
    """Return " 2025" where what stands before or behind a date without a year says it: "in May last year"; else ""."""
    match = patterns().year_behind.match(behind) or patterns().year_before.search(before)
    if match is None:
        return ""
    named = (match["named"] or "").lower()
    least, most = _amount(match["many"]) if not named else (int(named == "last"),) * 2
    return f" {now.year - most:04}" if least == most < now.year else ""


def moved(period: Period, before: str, *, closed: bool = False) -> Period:
    """Return the period as what stands before its words has it: "since", "before", "two weeks after".

    One that is closed says its end itself: "since May until June".
    What is counted from a date takes the date in: who speaks of the week before it may have spoken on it.
    """
    start, end = period
    if start and end == start + _units(1, "day") and patterns().week.search(before):
        return _whole(start, "week")
    if match := patterns().counted.search(before):
        length = _units(_amount(match["many"] or "one")[1], match["unit"])
        if match["side"].lower() == "before":
            return Period(start and start - length, end)
        return Period(start, end and end + length)
    match = patterns().side.search(before)
    side = match["side"].lower() if match else "in"
    if side in ("since", "after"):
        if closed:
            return period
        return Period(start if side == "since" else end, None)
    if side != "in":
        return Period(None, start if side == "before" else end)
    return period


def _amount(words: str) -> tuple[int, int]:
    """Return the least and the most that an amount may be."""
    words = words.lower()
    if words.isdecimal():
        return int(words), int(words)
    if words.endswith(("few", "several")):
        return _FEW
    number = 2 if "couple" in words else _NUMBERS.index(words) + 1 if words in _NUMBERS else 1
    return number, number


def _units(count: int, unit: str) -> relativedelta:
    """Return a length of time; nights count as days, weekends and names of days as weeks."""
    from dateutil.relativedelta import relativedelta

    unit = unit.lower()
    if unit in ("month", "year"):
        return relativedelta(months=count if unit == "month" else 12 * count)
    if unit == "hour":
        return relativedelta(hours=count)
    return relativedelta(days=count if unit in ("day", "night") else 7 * count)


def _floor(moment: datetime, unit: str) -> datetime:
    """Return where the unit that the moment is in began."""
    hour = moment.replace(minute=0, second=0, microsecond=0)
    day = hour.replace(hour=0)
    if unit == "week":
        return day - _units(day.weekday(), "day")
    return {"hour": hour, "month": day.replace(day=1), "year": day.replace(month=1, day=1)}.get(unit, day)


def _whole(moment: datetime, unit: str) -> Period:
    start = _floor(moment, unit)
    return Period(start, start + _units(1, unit))


def _latest_weekday(now: datetime, name: str) -> datetime:
    """Return the latest such day before today."""
    from dateutil.relativedelta import relativedelta, weekday

    return now + relativedelta(days=-1, weekday=weekday(_WEEKDAYS.index(name))(-1))


def _last(now: datetime, unit: str) -> Period:
    if unit == "weekend":
        monday = _floor(now, "week")
        return Period(monday - _units(2, "day"), monday)
    return _whole(now - _units(1, unit), unit)


def _this(now: datetime, unit: str) -> Period:
    if unit == "weekend":  # that is over, or has begun
        return _last(now + _units(2, "day"), unit)
    return _whole(now, unit)
