"""maintain with Retention(consolidate=): what is left over is consolidated, and listed as the rest is."""

from __future__ import annotations

import pytest

from hippocore import Retention

SAID = [
    "the nightly build fails on the arm runner",
    "the nightly build fails on the arm runner again",
    "again the nightly build fails on the arm runner today",
]
OTHER = "Ada prefers tea to coffee"
DAY = 86_400


@pytest.fixture
def layer(opened):
    return opened(retention=Retention(consolidate=0.8))


def test_what_says_the_same_is_put_aside_and_listed(layer, clock, remember, contents):
    ids = remember(layer, [*SAID, OTHER])
    done = layer.maintain()
    assert [gone.id for gone in done.consolidated] == ids[:3]
    (fact,) = layer.list(kinds=["fact"])
    (reason,) = {gone.reason for gone in done.consolidated}
    assert reason.startswith(f"became the fact {fact.id} with 2 more: similarity of 0.80 or more between any two")
    assert [(gone.kind, gone.age) for gone in done.consolidated] == [
        ("episode", 180),
        ("episode", 120),
        ("episode", 60),
    ]
    assert (done.archived, done.expired, done.looked_at) == ((), (), 4)
    assert set(contents(layer.list())) == {fact.content, OTHER}
    assert layer.maintain().consolidated == ()
    assert "consolidated=3" in repr(done)


def test_a_dry_run_says_so_and_leaves_them(layer, remember):
    ids = remember(layer, SAID)
    done = layer.maintain(dry_run=True)
    assert [gone.id for gone in done.consolidated] == ids
    assert done.consolidated[0].reason.startswith("would become one fact with 2 more")
    assert layer.count() == 3


def test_what_goes_for_another_reason_is_consolidated_neither_way(layer, clock, remember):
    ids = remember(layer, SAID[:1])
    clock.pass_by(31 * DAY)
    remember(layer, SAID[1:])
    for dry_run in (True, False):
        done = layer.maintain(dry_run=dry_run)
        assert [gone.id for gone in done.expired] == ids
        assert done.consolidated == ()


def test_nothing_is_consolidated_unless_retention_says_so(opened, remember):
    layer = opened()
    remember(layer, SAID)
    assert layer.maintain().consolidated == ()
    assert layer.count() == 3


def test_only_the_scopes_that_are_named(layer, remember):
    remember(layer, SAID, scope="user:ada/notes")
    remember(layer, SAID, scope="user:bob")
    assert layer.maintain(scope="user:ada").consolidated == ()
    assert len(layer.maintain(scope="user:ada", subtree=True).consolidated) == 3
    assert layer.count(scope="user:bob") == 3


def test_a_similarity_is_a_fraction():
    with pytest.raises(ValueError, match="consolidate"):
        Retention(consolidate=1.5)
