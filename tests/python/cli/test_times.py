"""Moments as people type them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
import typer

from hippocore.cli.times import future, past

NOON = datetime(2025, 3, 1, 12, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    "text", ["2025-03-01T12:00Z", "2025-03-01T13:00+01:00", "2025-03-01 12:00:00+00:00", "1740830400", "1740830400.0"]
)
def test_one_moment_in_many_forms(text):
    assert past(text) == NOON == future(text)


def test_a_date_with_a_zone_is_its_midnight():
    assert past("2025-03-01Z") == NOON.replace(hour=0)
    assert past("2025-03-01+02:00") == NOON.replace(hour=0) - timedelta(hours=2)


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("15m", 900), ("1.5h", 5400), ("3d", 259200), ("2w", 1209600)]
)
def test_a_duration_counts_from_now(text, seconds):
    before = datetime.now(timezone.utc)
    back, on = past(text), future(text)
    after = datetime.now(timezone.utc)
    assert before - timedelta(seconds=seconds) <= back <= after - timedelta(seconds=seconds)
    assert before + timedelta(seconds=seconds) <= on <= after + timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["2025-03-01T12:00", "2025-03-01"])
def test_a_time_without_a_zone_is_refused_with_the_remedy(text):
    with pytest.raises(typer.BadParameter, match=f"has no zone: add Z or an offset, as in {text}Z"):
        past(text)


@pytest.mark.parametrize("text", ["yesterday", "", "3 months", "2025-13-01Z", "99999999999999d", "1e400"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(typer.BadParameter, match="is no time: say"):
        past(text)
