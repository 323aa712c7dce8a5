"""Credit goes to what took part in a turn, and to nothing else."""

from __future__ import annotations

import pytest

from hippocore import StoreClosed

RULE = "Never push to main."


def importances(layer, ids):
    return [pytest.approx(layer.get(identifier).importance) for identifier in ids]


@pytest.fixture
def ids(layer):
    texts = ("tea is green", "coffee is brown", "water is clear")
    return [
        layer.remember(text, importance=importance).id for text, importance in zip(texts, (0.5, 0.6, 0.95), strict=True)
    ]


def test_what_was_in_the_context_is_worth_more_after_success_and_less_after_failure(layer, ids):
    context = layer.context("tea")
    assert set(layer.learn(context, success=True)) == set(ids)
    assert importances(layer, ids) == [0.55, 0.65, 1.0]
    layer.learn(context, success=False)
    layer.learn(context, success=False)
    assert importances(layer, ids) == [0.45, 0.55, 1.0]
    assert layer.get(ids[0]).use_count == 2


def test_hits_outcomes_memories_and_ids_are_judged_each_once(layer, ids):
    [outcome] = layer.observe_turn("I prefer tabs.")
    skipped = outcome._replace(id=None)
    assert layer.learn(layer.recall("tea", limit=1), success=True) == [ids[0]]
    assert layer.learn([outcome, skipped, outcome], success=True) == [outcome.id]
    assert layer.learn([layer.get(ids[1]), ids[1], ids[2]], success=False) == [ids[1]]
    assert layer.learn(ids[0], success=True) == [ids[0]]
    assert layer.learn([], success=True) == []
    assert importances(layer, [*ids, outcome.id]) == [0.6, 0.55, 0.95, 0.75]


def test_a_hard_rule_loses_nothing_by_a_failure(layer):
    [rule] = layer.observe_turn(RULE)
    assert layer.learn([rule], success=False) == []
    assert importances(layer, [rule.id]) == [0.9]


def test_what_is_gone_is_passed_over(layer, ids):
    context = layer.context("tea")
    layer.forget(ids[0])
    for success in (True, False):
        assert ids[0] not in layer.learn(context, success=success)
    assert importances(layer, ids[1:]) == [0.6, 1.0]


def test_what_an_agent_may_not_change_is_passed_over(opened, policy):
    owner = opened(policy=policy)
    own = owner.remember("tea is green", scope="agent:alone").id
    shared = owner.remember("coffee is brown", scope="shared").id
    secret = owner.remember("water is clear", scope="agent:coder").id
    alone = owner.as_agent("alone")
    assert alone.learn([own, shared, secret], success=True) == [own]
    assert importances(owner, [own, shared, secret]) == [0.55, 0.5, 0.5]


@pytest.mark.parametrize("wrong", [1, None, b"id", {"id": 1}, [1]])
def test_what_is_no_memory_is_refused(layer, wrong):
    with pytest.raises(TypeError, match="judged"):
        layer.learn(wrong, success=True)
    with pytest.raises(TypeError, match="success"):
        layer.learn([], success="yes")


def test_a_closed_layer_learns_nothing_and_says_so(layer):
    layer.close()
    with pytest.raises(StoreClosed):
        layer.learn([], success=True)
