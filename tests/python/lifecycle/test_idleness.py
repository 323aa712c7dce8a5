"""When idle work is due, as a table."""

from __future__ import annotations

import pytest

from hippocore.lifecycle.idleness import AT_LATEST, Rhythm, Seen, due_in, looks_every, rests_for

RHYTHM = Rhythm(idle=30.0, every=600.0)


@pytest.mark.parametrize(
    ("now", "used_at", "written_at", "changed", "rested_at", "due"),
    [
        (100, 100, 0, True, None, 30),  # just used
        (100, 80, 90, True, None, 20),  # written since
        (130, 100, 90, True, None, 0),  # idle, and nothing was done yet
        (500, 100, 90, True, None, -370),  # no round waits for `every` before the first
        (500, 100, 400, True, 300, 400),  # idle, but `every` has not passed
        (900, 100, 400, True, 300, 0),
        (900, 899, 400, True, 300, 29),  # `every` has passed, but it is in use
        (900, 100, 890, True, 300, 20),
        (9000, 100, 400, False, 300, 300 + AT_LATEST - 9000),  # nothing was written: rest
        (300 + AT_LATEST, 100, 400, False, 300, 0),  # memories age all the same
    ],
)
def test_a_round_is_due_where_the_store_is_idle_and_something_changed(
    now, used_at, written_at, changed, rested_at, due
):
    assert due_in(Seen(now, used_at, written_at, changed, rested_at), RHYTHM) == due


def test_a_rare_rhythm_is_kept_where_nothing_changes():
    seen = Seen(0.0, -1e9, -1e9, changed=False, rested_at=0.0)
    assert due_in(seen, Rhythm(30.0, 3 * AT_LATEST)) == 3 * AT_LATEST


@pytest.mark.parametrize(("idle", "looks"), [(0.0, 0.1), (30.0, 7.5), (3600.0, 10.0)])
def test_it_is_looked_often_enough_to_see_that_others_write(idle, looks):
    assert looks_every(Rhythm(idle, 600.0)) == looks


def test_the_next_look_is_where_a_round_is_due_or_sooner():
    rested = Seen(900.0, 100.0, 400.0, changed=True, rested_at=301.0)
    assert rests_for(rested, RHYTHM) == 1.0
    assert rests_for(rested._replace(changed=False), RHYTHM) == 7.5
