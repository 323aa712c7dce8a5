"""Dates of the calendar as people write them, and the periods they are: a day, a month, a year, or from one to another.

Moments are datetimes without a zone, in UTC.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_LEAP: Final = 8  # years at most from one 29 February to the next
_TWO_DAYS: Final = re.compile(r"(?<!\d)(\d\d?)(?:st|nd|rd|th)?(?: ?[-–—] ?| \w+ )(?:the )?(\d\d?)(?!\d)")


class Period(NamedTuple):
    """From the start, up to but without the end; None is open."""

    start: datetime | None
    end: datetime | None


class Anchor:
    """What a date without a year may not begin after: now, or the newest if that is earlier. Asks for it once."""

    def __init__(self, now: datetime, newest: Callable[[], datetime | None]) -> None:
        self._now = now
        self._newest: Callable[[], datetime | None] | None = newest

    def moment(self) -> datetime:
        """Return the moment."""
        if self._newest is not None:
            newest, self._newest = self._newest(), None
            self._now = self._now if newest is None else min(self._now, newest)
        return self._now


def has_year(text: str) -> bool:
    """Return whether a date says its year."""
    return re.search(r"\d{4}", text) is not None


def calendar_period(anchor: Anchor, first: str, last: str | None = None) -> Period:
    """Return the period of one date, or from a first to a last, each as `date_patterns` finds them.

    Raises ValueError for what is no date ("31 February") or may be two ("5/6/2023"), OverflowError past year 9999.
    """
    if last is None:
        return Period(*_period(first, anchor.moment))
    until, end = _period(last, anchor.moment)
    start, _ = _period(first, lambda: until)
    if start >= end:
        raise ValueError("the first date is after the last")
    return Period(start, end)


def _period(text: str, latest: Callable[[], datetime]) -> tuple[datetime, datetime]:
    if not any(letter.isalpha() for letter in text):
        return _of_numbers([int(part) for part in re.split(r"\D", text)], text)
    over = text[:5].lower() == "last "
    text = re.sub(r"^(?:last|this|past) |\bthe |\.", "", text, flags=re.IGNORECASE)
    if has_year(text):
        return _of_words(text, 1)
    return _latest(text, latest(), over=over)


def _latest(text: str, moment: datetime, *, over: bool) -> tuple[datetime, datetime]:
    """Return the latest period that does not begin after the moment, or that is over then."""
    for year in range(moment.year, max(moment.year - _LEAP, 0) - 1, -1):
        try:
            start, end = _of_words(text, year)
        except ValueError:  # the 29 February of another year
            continue
        if (end if over else start) <= moment:
            return start, end
    raise ValueError("no year has this day")


def _of_numbers(parts: list[int], text: str) -> tuple[datetime, datetime]:
    from dateutil.relativedelta import relativedelta

    if len(parts) == 1:
        start = datetime(parts[0], 1, 1)
        return start, start + relativedelta(years=1)
    if parts[0] > 31:
        year, month, day = parts
    else:
        day, month, year = parts
        if "." not in text:  # which is written with the day first everywhere
            day, month = _told_apart(day, month)
    start = datetime(year, month, day)
    return start, start + relativedelta(days=1)


def _told_apart(first: int, second: int) -> tuple[int, int]:
    """Return which is the day and which the month."""
    if first <= 12 and second <= 12 and first != second:
        raise ValueError("day and month could be either")
    return (second, first) if second > 12 else (first, second)


def _of_words(text: str, year: int) -> tuple[datetime, datetime]:
    """Return the day or month, of that year if the text has none."""
    from dateutil import parser
    from dateutil.relativedelta import relativedelta

    first = None
    if two := _TWO_DAYS.search(text):
        first, text = int(two[1]), text[: two.start()] + two[2] + text[two.end() :]
    start = parser.parse(text, default=datetime(year, 1, 1))
    is_day = re.search(r"(?<!\d)\d\d?(?!\d)", text) is not None
    end = start + (relativedelta(days=1) if is_day else relativedelta(months=1))
    return (start if first is None else start.replace(day=first)), end
