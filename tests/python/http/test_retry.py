"""When to ask again, and how long to wait: pure arithmetic."""

import pytest

from hippocore.http.retry import LONGEST_WAIT, passes, retry_after, wait_before


def test_waits_double_up_to_the_longest():
    waits = [wait_before(attempt, asked=None, chance=0.0) for attempt in range(8)]
    assert waits == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert wait_before(10_000, asked=None, chance=0.0) == LONGEST_WAIT


def test_chance_takes_up_to_half_away():
    assert wait_before(2, asked=None, chance=1.0) == 1.0
    assert wait_before(2, asked=None, chance=0.5) == 1.5


def test_no_wait_is_shorter_than_the_server_asked():
    assert wait_before(0, asked=7.0, chance=1.0) == 7.0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("3", 3.0),
        ("0.25", 0.25),
        ("-5", 0.0),
        ("Thu, 01 Jan 1970 00:20:00 GMT", 200.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header, seconds):
    assert retry_after(header, now=1_000.0) == seconds


def test_only_what_can_change_is_asked_again():
    assert [status for status in (200, 301, 400, 401, 404, 408, 413, 429, 500, 503, 599) if passes(status)] == [
        408,
        429,
        500,
        503,
        599,
    ]
