"""The time that a question speaks of: "on 7 May 2023", "in June", "last week" as a period in microseconds (UTC).

What stands in the calendar goes before relative words ("last Friday on 23 January 2022"), and of several times the
first counts, unless "to", "and" or a dash joins two. Relative words count from now, and those that may look ahead are
taken only of what was: "what did I eat today?", but not "what should I eat today?", whose answer no day has. Weeks
begin on Monday, days at midnight UTC. English only, with names of months that other languages share.
"""

from __future__ import annotations

from datetime import timezone
from typing import TYPE_CHECKING, Final

from hippocore.calendar_dates import Anchor, Period, calendar_period, has_year
from hippocore.date_patterns import hint, patterns
from hippocore.relative_dates import moved, relative_period, year_said
from hippocore.times import EARLIEST, LATEST, as_datetime, microseconds

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

# A longer text is no question, and its dates are many.
_LONGEST: Final = 2000
_WORDS_BEFORE: Final = 60  # characters before a date that may say more of it: "a couple of weeks before the "


def period_in(question: str, *, now: int, newest: Callable[[], int | None]) -> tuple[int, int] | None:
    """Return the first time that a question speaks of as [from, to) in microseconds since 1970, None if it says none.

    A day is a day, a month a month, a year a year; "since May" has no end, "before 2020" no beginning. A date with
    another year than 1900 to 2099 is none. Relative words count from `now`. A month, or a day of one, without its year
    is the latest that does not begin after the earlier of `now` and `newest()`, which is called at most once, and only
    for them. Reads the first 2,000 characters.
    """
    if hint().search(question[:_LONGEST].lower()) is None:
        return None
    text = " ".join(question[:_LONGEST].replace("’", "'").split())
    today = as_datetime(now).replace(tzinfo=None)
    period = _of_calendar(text, today, Anchor(today, lambda: _plain(newest()))) or _of_words(text, today)
    return None if period is None else (_moment(period.start, EARLIEST), _moment(period.end, LATEST))


def _of_calendar(text: str, today: datetime, anchor: Anchor) -> Period | None:
    for match in patterns().absolute.finditer(text):
        start, end = match.span(match.lastindex or 0)
        try:
            dates, closed = _written(text, start, end, today)
            return moved(calendar_period(anchor, *dates), _before(text, start), closed=closed)
        except (ValueError, OverflowError):
            continue  # no such day, or no such year
    return None


def _written(text: str, start: int, end: int, today: datetime) -> tuple[list[str], bool]:
    """Return the date that stands there and one joined to it, with the year if said; and whether that one ends it.

    Raises ValueError where the year that is said for them is not one that is believed.
    """
    dates, before, closed = [text[start:end]], _before(text, start), False
    if second := patterns().second.match(text, end):
        closed = second["joined"].split() not in (["and"], ["or"])
        dates, before, end = [*dates, second["date"]], "", second.end()
    if not has_year(dates[-1]):
        if patterns().other_year.match(text, end):
            raise ValueError("no such year")
        dates[-1] += year_said(before, text[end:], today)
    return dates, closed


def _of_words(text: str, now: datetime) -> Period | None:
    looks_back = patterns().past.search(text) is not None
    for match in patterns().relative.finditer(text):
        if match["ahead"] and not looks_back:
            continue
        try:
            start = max(match.start(), match.start("named"))
            return moved(relative_period(match, now), _before(text, start))
        except (ValueError, OverflowError):
            continue
    return None


def _before(text: str, start: int) -> str:
    return text[max(0, start - _WORDS_BEFORE) : start]


def _plain(moment: int | None) -> datetime | None:
    return None if moment is None else as_datetime(moment).replace(tzinfo=None)


def _moment(of: datetime | None, open_end: int) -> int:
    return open_end if of is None else microseconds(of.replace(tzinfo=timezone.utc), "a date")
