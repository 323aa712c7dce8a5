"""Time: moments in and out, durations, expiry, and the store as it was."""

import math
from datetime import datetime, timedelta, timezone

import pytest

from hippocore import MemoryNotFound, Ranking
from hippocore.times import as_datetime, microseconds, seconds

UTC = timezone.utc


def test_a_naive_datetime_is_refused_with_the_remedy(layer):
    naive = datetime(2026, 1, 1)
    for use in (
        lambda: layer.remember("note", event_time=naive),
        lambda: layer.remember("note", expires_at=naive),
        lambda: layer.recall("note", since=naive),
        lambda: layer.recall("note", as_of=naive),
        lambda: layer.forget_where(scope="default", before=naive),
    ):
        with pytest.raises(ValueError, match="timezone"):
            use()
    assert layer.count() == 0


def test_one_instant_in_three_zones_is_one_instant(layer):
    zones = [UTC, timezone(timedelta(hours=9)), timezone(timedelta(hours=-3, minutes=-30))]
    moment = datetime(2026, 5, 1, 12, 0, 0, 123456, UTC)
    for number, zone in enumerate(zones):
        layer.remember(f"note {number}", event_time=moment.astimezone(zone))
    assert {memory.event_time for memory in layer.list()} == {moment}
    assert all(memory.event_time.utcoffset() == timedelta(0) for memory in layer.list())
    assert len(layer.recall("note", since=moment, until=moment + timedelta(microseconds=1))) == 3


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1969, 7, 20, 20, 17, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999999, UTC),
        datetime(1970, 1, 1, tzinfo=UTC),
    ],
)
def test_far_times_are_kept(layer, moment):
    identifier = layer.remember("note", event_time=moment).id
    assert layer.get(identifier).event_time == moment
    assert layer.recall("note", ranking=Ranking(recency_of="event"))[0].recency <= 1


@pytest.mark.parametrize(
    ("moment", "error"),
    [
        (True, TypeError),
        ("2026-01-01", TypeError),
        (math.nan, ValueError),
        (math.inf, ValueError),
        (1e300, ValueError),
        (10**400, ValueError),
        (datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5))), ValueError),
    ],
)
def test_what_is_no_moment_is_refused(layer, moment, error):
    with pytest.raises(error, match="event_time"):
        layer.remember("note", event_time=moment)


def test_seconds_and_datetimes_agree():
    assert microseconds(1.5, "t") == microseconds(datetime(1970, 1, 1, 0, 0, 1, 500000, UTC), "t") == 1_500_000
    assert microseconds(-3, "t") == -3_000_000
    assert as_datetime(-1) == datetime(1969, 12, 31, 23, 59, 59, 999999, UTC)


@pytest.mark.parametrize(
    ("duration", "wanted"),
    [("45s", 45), ("30m", 1800), ("12h", 43200), ("3d", 259200), ("2w", 1209600), ("1.5h", 5400), (7, 7)],
)
def test_durations_are_seconds(duration, wanted):
    assert seconds(duration, "d") == wanted
    assert seconds(timedelta(seconds=wanted), "d") == wanted


@pytest.mark.parametrize("duration", ["", "3", "d", "3y", "-3d", "0s", "nand", "infd", 0, -1, math.nan, math.inf])
def test_what_is_no_duration_is_refused(duration):
    with pytest.raises(ValueError, match="half-life"):
        Ranking(half_life={"fact": duration})


@pytest.mark.parametrize(
    "arguments",
    [
        {"relevance": 0.6},
        {"relevance": -0.1, "recency": 0.85},
        {"relevance": math.nan},
        {"usage_saturation": -1},
        {"usage_saturation": math.inf},
        {"lexical_weight": 1.1},
        {"lexical_weight": math.nan},
        *({"k1": k1} for k1 in (-0.1, math.inf, math.nan)),
        *({"b": b} for b in (-0.1, 1.1, math.nan)),
        {"fusion": "sum"},
        {"rrf_k": 0},
        {"rrf_k": math.inf},
        {"recency_of": "birth"},
        {"half_life": {"": "3d"}},
    ],
)
def test_a_wrong_ranking_is_refused(arguments):
    with pytest.raises(ValueError, match=r"\w"):
        Ranking(**arguments)


def test_half_lives_change_only_the_kinds_they_name(layer, clock):
    for kind in ("episode", "fact", "my own"):
        layer.remember("note", kind=kind)
    clock.pass_by(86400)
    hits = layer.recall("note", ranking=Ranking(half_life={"episode": "1d"}))
    recency = {hit.memory.kind: hit.recency for hit in hits}
    assert recency["episode"] == pytest.approx(0.5)
    assert recency["fact"] == recency["my own"] == pytest.approx(0.5 ** (1 / 30))


def test_as_of_sees_the_store_as_it_was(layer, clock, contents):
    layer.remember("first", id="a")
    before_update = clock.time
    clock.pass_by(100)
    layer.update("a", content="second")
    layer.remember("later")
    assert contents(layer.recall("first", as_of=before_update)) == ["first"]
    assert contents(layer.recall("first", as_of=before_update - 1)) == []
    assert sorted(contents(layer.recall("first", as_of=clock.time))) == ["later", "second"]
    hit = layer.recall("first", as_of=before_update)[0]
    assert (hit.recency, hit.memory.version) == (1.0, 1)


def test_a_use_after_the_moment_does_not_count(layer, clock):
    identifier = layer.remember("note").id
    clock.pass_by(10)
    layer.feedback(identifier, True)
    now, then = layer.recall("note")[0], layer.recall("note", as_of=clock.time - 5)[0]
    assert (now.usage > 0, then.usage) == (True, 0)
    assert then.importance == now.importance


def test_as_of_never_shows_what_was_forgotten(layer, clock):
    identifier = layer.remember("note").id
    layer.update(identifier, content="changed")
    clock.pass_by(10)
    layer.forget(identifier)
    assert layer.recall("note", as_of=clock.time - 5) == []


def test_an_expired_memory_is_hidden_from_the_moment_it_expires(layer, clock):
    identifier = layer.remember("note", expires_at=clock.time + 10).id
    clock.pass_by(9.999999)
    assert (layer.count(), identifier in layer, len(layer.recall("note"))) == (1, True, 1)
    clock.pass_by(0.000001)
    assert (layer.count(), identifier in layer, layer.recall("note"), layer.list(), layer.scopes()) == (
        0,
        False,
        [],
        [],
        [],
    )
    for read in (layer.get, layer.embeddings):
        with pytest.raises(MemoryNotFound, match="expired"):
            read(identifier)
    with pytest.raises(MemoryNotFound, match="expired"):
        layer.update(identifier, content="note again")
    assert len(layer.recall("note", as_of=clock.time - 5)) == 1
    assert len(layer.history(identifier)) == 1


def test_an_expired_id_can_be_remembered_anew(layer, clock, contents):
    layer.remember("note", id="a", expires_at=clock.time + 10)
    clock.pass_by(20)
    assert layer.remember("note anew", id="a").action == "stored"
    assert layer.get("a").content == "note anew"
    assert contents(layer.history("a")) == ["note", "note anew"]
    assert contents(layer.recall("note")) == ["note anew"]


def test_a_clock_that_goes_backwards_keeps_recency_in_bounds_and_loses_nothing(layer, clock):
    layer.remember("note one")
    clock.pass_by(-1000)
    layer.remember("note two")
    layer.feedback(layer.list()[0].id, True)
    clock.pass_by(-1000)
    hits = layer.recall("note")
    assert len(hits) == 2
    assert all(hit.recency == 1 for hit in hits)
    layer.remember("note one", importance=0.9)
    assert layer.count() == 2


def test_a_clock_that_gives_no_time_is_an_error(layer, clock):
    layer.remember("note")
    clock.time = math.nan
    with pytest.raises(ValueError, match="clock"):
        layer.recall("note")


def test_pages_of_a_list_do_not_shift(layer, clock):
    for number in range(10):
        clock.pass_by(1)
        layer.remember(f"note {number}")
    first = layer.list(limit=4)
    layer.remember("newer than all")
    layer.update(layer.list(order="oldest", limit=1)[0].id, content="note 0", tags=["changed"])
    second = layer.list(limit=4, after=first[-1].id)
    assert [memory.content for memory in first + second] == [f"note {9 - n}" for n in range(8)]
    oldest = layer.list(limit=3, order="oldest")
    assert [memory.content for memory in oldest] == ["note 0", "note 1", "note 2"]
    assert [m.content for m in layer.list(limit=1, order="oldest", after=oldest[-1].id)] == ["note 3"]
    assert layer.list(limit=0) == []
    with pytest.raises(MemoryNotFound, match="nobody"):
        layer.list(after="nobody")
    for wrong in ({"limit": -1}, {"order": "random"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            layer.list(**wrong)
