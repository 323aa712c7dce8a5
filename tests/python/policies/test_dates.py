"""Dates in a question: which period each says, that what only looks like one says none, and what a question costs."""

import subprocess
import sys
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippocore.date_patterns import hint, patterns
from hippocore.dates import period_in
from hippocore.times import EARLIEST, LATEST, microseconds

NOW = datetime(2026, 11, 30, 12, 30, 15, 7, tzinfo=timezone.utc)  # a Monday
NEWEST = datetime(2024, 10, 20, 9, tzinfo=timezone.utc)
OPEN = {"": None, "earliest": EARLIEST, "latest": LATEST}


def at(moment):
    return microseconds(moment, "moment")


def read(question, now=NOW, newest=NEWEST):
    return period_in(question, now=at(now), newest=lambda: newest and at(newest))


def day(text):
    """The moment of "2023-05-07", "2023-05" and "2023"."""
    return at(datetime.strptime((text + "-01-01")[:10], "%Y-%m-%d").replace(tzinfo=timezone.utc))


def period(text):
    """The period of "from to", each as `day` takes it or open."""
    start, end = text.split()
    return OPEN.get(start) or day(start), OPEN.get(end) or day(end)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did we do on 7 May 2023?", "2023-05-07 2023-05-08"),
        ("what happened on may 7th, 2023", "2023-05-07 2023-05-08"),
        ("the 7th of May, 2023", "2023-05-07 2023-05-08"),
        ("May the 4th, 2022", "2022-05-04 2022-05-05"),
        ("on December 1,2023", "2023-12-01 2023-12-02"),
        ("on 31 Dec. 1999", "1999-12-31 2000-01-01"),
        ("am 7. August 2023", "2023-08-07 2023-08-08"),
        ("on\n2023-05-07,", "2023-05-07 2023-05-08"),
        ("at 2023-05-07T10:00", "2023-05-07 2023-05-08"),
        ("on 2023/05/07", "2023-05-07 2023-05-08"),
        ("on 7.5.2023", "2023-05-07 2023-05-08"),
        ("on 25/12/2023", "2023-12-25 2023-12-26"),
        ("on 12/25/2023", "2023-12-25 2023-12-26"),
        ("on 5/5/2023", "2023-05-05 2023-05-06"),
        ("on 31 February 2023 or on 3 June 2023", "2023-06-03 2023-06-04"),
        ("the book of June 2023", "2023-06 2023-07"),
        ("in the second week of December 2023", "2023-12 2024-01"),
        ("in 2022", "2022 2023"),
        ("during the summer of 2022", "2022 2023"),
        ("photos from 2022", "2022 2023"),
        ("5-7 May 2023", "2023-05-05 2023-05-08"),
        ("May 5 and 7, 2023", "2023-05-05 2023-05-08"),
        ("between August 11 and August 15 2023", "2023-08-11 2023-08-16"),
        ("from 30 December 2022 to 2 January 2023", "2022-12-30 2023-01-03"),
        ("between August and November 2023", "2023-08 2023-12"),
        ("from November to February 2023", "2022-11 2023-03"),
        ("between 2020 and 2022", "2020 2023"),
        ("last Friday on 23 January 2022", "2022-01-23 2022-01-24"),
        ("since June 2022", "2022-06 latest"),
        ("after 7 May 2023", "2023-05-08 latest"),
        ("before 2020", "earliest 2020"),
        ("by July 10, 2022", "earliest 2022-07-11"),
        ("the week before 16 November 2023", "2023-11-09 2023-11-17"),
        ("two weeks before August 11, 2023", "2023-07-28 2023-08-12"),
        ("the Saturday after October 28, 2023", "2023-10-28 2023-11-05"),
        ("since May 2023 until June 2023", "2023-05 2023-07"),
        ("since 2020 to 2022", "2020 2023"),
        ("after 5 May 2023 - 7 May 2023", "2023-05-05 2023-05-08"),
        ("since May and June 2023", "2023-05 latest"),
    ],
)
def test_a_date_of_the_calendar_is_its_period(question, expected):
    def never():
        raise AssertionError("a date with its year needs no other")

    assert period_in(question, now=at(NOW), newest=never) == period(expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("in June", "2024-06 2024-07"),
        ("in october", "2024-10 2024-11"),
        ("in December", "2023-12 2024-01"),
        ("this may, in may", "2024-05 2024-06"),
        ("last May", "2024-05 2024-06"),
        ("last October", "2023-10 2023-11"),
        ("7 May", "2024-05-07 2024-05-08"),
        ("what did I say on march 5", "2024-03-05 2024-03-06"),
        ("Aug 15th", "2024-08-15 2024-08-16"),
        ("on 20 October", "2024-10-20 2024-10-21"),
        ("on 21 October", "2023-10-21 2023-10-22"),
        ("on 29 February", "2024-02-29 2024-03-01"),
        ("since June", "2024-06 latest"),
        ("from May to July", "2024-05 2024-08"),
        ("from November to January", "2023-11 2024-02"),
        ("the week of June 5", "2024-06-03 2024-06-10"),
        ("in May last year", "2025-05 2025-06"),
        ("last year in May", "2025-05 2025-06"),
        ("from May to July of this year", "2026-05 2026-08"),
        ("on 5 May two years ago", "2024-05-05 2024-05-06"),
        ("last year in May 2019", "2019-05 2019-06"),
        ("since June until July", "2024-06 2024-08"),
        ("on 4 July at 10:30", "2024-07-04 2024-07-05"),
        ("on 4 July, 10 people", "2024-07-04 2024-07-05"),
        ("on 4 July 10 am", "2024-07-04 2024-07-05"),
        ("on 7 June, 8 June and 9 June", "2024-06-07 2024-06-08"),
    ],
)
def test_a_date_without_its_year_is_the_latest_that_may_be_remembered(question, expected):
    assert read(question) == period(expected)


def test_no_memory_is_newer_than_now():
    assert read("in December", newest=datetime(2030, 1, 1, tzinfo=timezone.utc)) == period("2025-12 2026-01")
    assert read("in December", newest=None) == period("2025-12 2026-01")
    assert read("on 29 February", newest=None) == period("2024-02-29 2024-03-01")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did I do yesterday?", "2026-11-29 2026-11-30"),
        ("the day before yesterday", "2026-11-28 2026-11-29"),
        ("last night", "2026-11-29 2026-11-30"),
        ("3 days ago", "2026-11-27 2026-11-28"),
        ("two weeks ago", "2026-11-16 2026-11-23"),
        ("a couple of weeks ago", "2026-11-16 2026-11-23"),
        ("a few days ago", "2026-11-25 2026-11-29"),
        ("ten months ago", "2026-01 2026-02"),
        ("a year ago", "2025 2026"),
        ("last week's call", "2026-11-23 2026-11-30"),
        ("last month", "2026-10 2026-11"),
        ("last year", "2025 2026"),
        ("last weekend", "2026-11-28 2026-11-30"),
        ("last Friday", "2026-11-27 2026-11-28"),
        ("last Monday", "2026-11-23 2026-11-24"),
        ("since last week", "2026-11-23 latest"),
        ("What did I eat today?", "2026-11-30 2026-12-01"),
        ("What have we decided this week?", "2026-11-30 2026-12-07"),
        ("What did we do this weekend?", "2026-11-28 2026-11-30"),
        ("What did Bob say on Friday?", "2026-11-27 2026-11-28"),
        ("What have I done since Friday?", "2026-11-27 latest"),
    ],
)
def test_a_relative_time_counts_from_now(question, expected):
    assert read(question) == period(expected)


def test_what_lies_behind_counts_to_the_moment():
    for question, start in (
        ("in the last month", NOW.replace(month=10)),
        ("over the past two weeks", NOW - timedelta(14)),
        ("the last few days", NOW - timedelta(5)),
    ):
        assert read(question) == (at(start), at(NOW))
    assert read("3 hours ago") == tuple(at(NOW.replace(hour=h, minute=0, second=0, microsecond=0)) for h in (9, 10))


def test_a_weekend_is_over_or_has_begun():
    sunday = NOW.replace(day=29)
    assert read("what did we do this weekend", now=sunday) == period("2026-11-28 2026-11-30")
    assert read("what did we do last weekend", now=sunday) == period("2026-11-21 2026-11-23")
    assert read("what did we do this weekend", now=NOW.replace(day=28)) == period("2026-11-28 2026-11-30")


@pytest.mark.parametrize(
    "question",
    """may I ask; What may 5 people do?; Which of the 5 may be right?; this may be wrong; march on; the march in 5 days
    the second option; version 2022.1; python 3.11.7; 5 apples; in 20 minutes; in 5 years; 24/7; 9/11; 1/2; 5/6/2023
    CVE-2023-0512; gpt-4-2023-05-07; 2023-05-07.log; $2022; in 2000 words; in 1920 by 1080; from 1920 to 1080
    a limit of 2048; order 20230507; 123-456-7890; 555-12-2023; 192.168.20.23; Is Jan 5 years old?; from April
    with June; Where did June go?; in Mar-a-Lago; in April's house; at last; last time; the last one; sat on the mat
    two weeks before the trip; the week before; the last year of school; last week of the trip; my last week there
    What should I eat today?; What am I doing this weekend?; next week; tomorrow; next May; What is on Friday?
    every Friday; What did I do on Fridays?; Black Friday; one day; the other day; long ago; on 31 February 2023
    99999999999 days ago; 3000 years ago; Windows 2000; Cyberpunk 2077; 2023; May; 45 May 2023 words; on 7 Maying 2023
    on 4 July 1776; July 4, 1776; on 4 July, 1776; the 4th of July of 1776; on 4 July in the year 1776; on 5 May 800?
    December 25, 800; December 25 and 26, 800; on 31 Dec 9999; on 31 Dec. 9999; 1 January 1; on 5 July '76; in Dec. 1776
    between August 11 and August 15 1776; from May to July 1776; in July in 1776; on May 5, 12345; 15 March 44 BC
    version 2.3.2023; Version 2.03.2023; versions 1-1-2020; release 2.3.2023; build 2023-05-07; v. 2.3.2023
    le 7 mai 2023; 7. Mai 2023; ayer; letzte Woche; 2023年5月7日; 昨天; 12 марта 2023; ; ?!
    """.replace("\n", ";").split(";"),
)
def test_what_only_looks_like_a_time_says_none(question):
    assert read(question.strip()) is None


def test_the_newest_is_asked_for_once_at_most():
    asked = []

    def newest():
        asked.append(1)
        return at(NEWEST)

    assert period_in("from May to July", now=at(NOW), newest=newest) == period("2024-05 2024-08")
    assert len(asked) == 1
    assert period_in("what did I do yesterday", now=at(NOW), newest=newest) is not None
    assert len(asked) == 1


def test_a_time_at_the_edges_of_the_calendar_says_none_that_is_not_in_it():
    assert read("last year", now=datetime(1, 1, 1, tzinfo=timezone.utc)) is None
    assert read("999 years ago", now=datetime(900, 1, 1, tzinfo=timezone.utc)) is None
    assert read("what did I do this year", now=datetime(9999, 12, 31, tzinfo=timezone.utc)) is None
    assert read("in June", newest=datetime(1, 1, 1, tzinfo=timezone.utc)) is None


def test_a_text_is_read_from_its_start_only():
    assert read("x " * 900 + "in June 2023") == period("2023-06 2023-07")
    assert read("x " * 1000 + "in June 2023") is None
    assert read("may 5 people in 2000 words, 1/2/2023 " * 3000) is None


WORDS = (
    "may march 5 7th 2023 2000 in on since before the of last this past two weeks days ago a few and to , - . / June "
    "jan friday week year month yesterday today did 31 2/2 2023-05-07 ' early mid between from words ２０２３ \n"
)
SAID = st.lists(st.sampled_from(WORDS.split(" ")), max_size=9).map(" ".join)


@given(st.one_of(SAID, st.text(max_size=60)), st.integers(EARLIEST, LATEST), st.integers(EARLIEST, LATEST))
@example("31 ſept ２０２３", at(NOW), at(NEWEST))
def test_any_text_says_a_period_or_none(question, now, newest):
    found = period_in(question, now=now, newest=lambda: newest)
    assert found is None or EARLIEST <= found[0] < found[1] <= LATEST


@given(SAID)
def test_the_cheap_test_lets_every_time_through(question):
    text = " ".join(question.split())
    if patterns().absolute.search(text) or patterns().relative.search(text):
        assert hint().search(text.lower())


def test_only_a_question_that_says_a_time_imports_the_library():
    program = """
import sys
import hippocore
from hippocore.dates import period_in
assert period_in("May I ask how the last one went?", now=0, newest=lambda: None) is None
assert "dateutil" not in sys.modules
assert period_in("what did I do yesterday?", now=0, newest=lambda: None) == (-86_400_000_000, 0)
assert "dateutil" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)
