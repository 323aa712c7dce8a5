"""Drilling down: from a summary that is found to the details below it that answer the question."""

import pytest

from hippocore import ALL, Policy

DETAILS = [
    "the billing migration ran on monday evening while everybody watched it and then it failed",
    "the billing migration was held up by a lock on the invoice table",
    "the billing migration was repeated on tuesday without the lock",
    "the billing team thanked everybody after the migration",
]
FILLING = [f"the office kitchen got delivery {n} of fruit" for n in range(8)]


@pytest.fixture
def folded(layer, remember):
    """A scope whose episodes became two summaries of one sentence each, and the ids of the first one's."""
    for texts in (DETAILS, FILLING):
        remember(layer, texts)
        layer.summarize(budget_tokens=0, keep_recent=0, summary_tokens=24)
    return [one.id for one in layer.list(archived=True, order="oldest")][: len(DETAILS)]


def test_a_recall_finds_summaries_and_drilling_the_details_below(layer, folded, contents):
    lock = "which table had the lock"
    plain = contents(layer.recall(lock))
    assert DETAILS[1] not in plain
    drilled = layer.recall(lock, drill_down=True)
    assert drilled[0].memory.content == DETAILS[1]
    assert set(plain) <= set(contents(drilled))
    assert [hit.score for hit in drilled] == sorted((hit.score for hit in drilled), reverse=True)
    assert len(layer.recall(lock, drill_down=True, limit=2)) == 2


def test_a_context_takes_the_details_as_far_as_the_budget_goes(layer, folded):
    block = layer.context("which table had the lock", budget=70, drill_down=True)
    assert "invoice table" in block.text
    assert block.tokens <= 70
    assert "invoice table" not in layer.context("which table had the lock", budget=70).text


def test_several_levels_are_gone_down(layer, remember, contents):
    remember(layer, [f"{text} in week {week}" for week in range(40) for text in DETAILS])
    layer.summarize(budget_tokens=60, keep_recent=0, summary_tokens=20)
    layer.summarize(budget_tokens=0, keep_recent=0, summary_tokens=20)
    levels = {one.metadata.get("level", 0) for one in layer.list()}
    found = contents(layer.recall("the lock on the invoice table in week 7", drill_down=True, limit=50))
    assert max(levels) >= 2
    assert f"{DETAILS[1]} in week 7" in found


def test_what_a_hit_was_not_made_of_stays_aside(layer, folded, remember):
    made_of_first = next(one for one in layer.list(kinds=["summary"]) if folded[0] in one.links)
    layer.forget(made_of_first.id)
    remember(layer, ["the lock of the door is new"])
    found = {hit.id for hit in layer.recall("lock", drill_down=True, limit=100)}
    assert layer.count(kinds=["summary"], scope=ALL) >= 1
    assert not found & set(made_of_first.links)


def test_conditions_hold_below_too(layer, folded):
    asked = {"query": "lock", "drill_down": True}
    assert all(hit.memory.kind == "summary" for hit in layer.recall(**asked, kinds=["summary"]))
    assert not layer.recall(**asked, tags=["none"])
    assert layer.recall(**asked, limit=0) == []
    layer.forget(folded[1])
    assert folded[1] not in {hit.id for hit in layer.recall(**asked)}


def test_an_agent_drills_through_what_it_may_read(opened, remember):
    owner = opened(policy=Policy({"ann": {"read": ["ann"], "write": ["ann"]}}))
    remember(owner, DETAILS, scope="ann")
    owner.summarize(scope="ann", budget_tokens=0, keep_recent=0, summary_tokens=24)
    found = owner.as_agent("ann").recall("lock", scope="ann", drill_down=True)
    assert {hit.memory.content for hit in found} >= set(DETAILS)


def test_only_a_flag_is_one(layer):
    with pytest.raises(TypeError, match="drill_down"):
        layer.recall("x", drill_down=1)
