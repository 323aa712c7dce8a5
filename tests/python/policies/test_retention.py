"""Retention: what it refuses, what holds unless said otherwise, and what time leaves of a confidence."""

import math
import pickle
from datetime import timedelta

import pytest

from hippocore import Decay, Retention

DAY = 86_400.0


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"ttl": None}, TypeError, "ttl must be a mapping"),
        ({"ttl": {"episode": "soon"}}, ValueError, "the ttl of 'episode'"),
        ({"ttl": {"episode": 0}}, ValueError, "the ttl of 'episode'"),
        ({"ttl": {"": "3d"}}, ValueError, "a kind in ttl"),
        ({"ttl": {5: "3d"}}, TypeError, "a kind in ttl"),
        ({"prune_below": {"fact": 1.5}}, ValueError, "prune_below of 'fact'"),
        ({"prune_below": 0.05}, TypeError, "prune_below must be a mapping"),
        ({"max_memories": -1}, ValueError, "max_memories of the store"),
        ({"max_memories": True}, TypeError, "max_memories of the store"),
        ({"max_memories": {"scope": 1.5}}, TypeError, "max_memories of the scope"),
        ({"max_memories": {"user:ada": 5}}, ValueError, '"scope" and "store"'),
        ({"protect_importance": math.nan}, ValueError, "protect_importance"),
        ({"protect_importance": None}, TypeError, "protect_importance"),
        ({"decay": 0.9}, TypeError, "decay must be a Decay, or a mapping from kinds to one, not float"),
        ({"decay": {"fact": 0.9}}, TypeError, "decay of 'fact' must be a Decay"),
        ({"evict": "oldest"}, ValueError, "evict must be one of"),
        ({"consolidate": True}, TypeError, "consolidate, a similarity such as 0.8, must be a number, not bool"),
        ({"action": "delete"}, ValueError, "action must be one of"),
        ({"seed": 2**64}, ValueError, "seed"),
        ({"spaced_growth": -1}, ValueError, "spaced_growth"),
        ({"spaced_growth": math.inf}, ValueError, "spaced_growth"),
    ],
)
def test_what_is_no_setting_is_refused_by_name(settings, error, words):
    with pytest.raises(error, match=words):
        Retention(**settings)


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"confidence": 1.1}, ValueError),
        ({"importance": math.nan}, ValueError),
        ({"every": "0d"}, ValueError),
        ({"floor": "low"}, TypeError),
    ],
)
def test_a_decay_refuses_what_is_none(settings, error):
    with pytest.raises(error, match=f"Decay's {next(iter(settings))}"):
        Decay(**settings)


def test_only_episodes_expire_and_are_pruned_unless_said_otherwise():
    usual = Retention()
    assert usual.ttl_of("episode") == 30 * DAY
    assert [usual.ttl_of(kind) for kind in ("fact", "preference", "procedure", "own")] == [None] * 4
    assert usual.prune_below == {"episode": 0.05}
    assert (usual.protect_importance, usual.max_memories, usual.action) == (0.9, None, "forget")
    assert usual == pickle.loads(pickle.dumps(usual))
    assert Retention(ttl={}).ttl_of("episode") is None
    assert Retention(ttl={"own": timedelta(hours=1)}).ttl_of("own") == 3600


@pytest.mark.parametrize(
    ("most", "of_the_store", "of_a_scope"),
    [(None, None, None), (5, 5, None), ({"scope": 2}, None, 2), ({"store": 9, "scope": 2}, 9, 2)],
)
def test_a_capacity_is_of_the_store_or_of_each_scope(most, of_the_store, of_a_scope):
    retention = Retention(max_memories=most)
    assert (retention.most("store"), retention.most("scope")) == (of_the_store, of_a_scope)


@pytest.mark.parametrize(
    ("days", "left"), [(-5, 1), (0, 1), (29.9, 1), (30, 0.9), (59, 0.9), (60, 0.81), (330, 0.9**11), (360, 0.3)]
)
def test_a_confidence_loses_a_tenth_in_30_days_down_to_03(days, left):
    assert Decay().confidence_after(1.0, days * DAY) == pytest.approx(left)


def test_a_confidence_below_the_floor_stays_what_it_is():
    assert Decay().confidence_after(0.2, 400 * DAY) == 0.2


def test_a_decay_is_for_all_kinds_or_by_kind():
    fast = Decay(confidence=0.5, every="1d", floor=0.1)
    assert Retention(decay=fast).decay_of("anything") is fast
    by_kind = Retention(decay={"fact": fast})
    assert by_kind.decay_of("fact").confidence_after(1.0, 2 * DAY) == 0.25
    assert by_kind.decay_of("episode") == Decay()
