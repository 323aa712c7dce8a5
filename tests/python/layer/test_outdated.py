"""What a newer memory outdates: out of the context where the newer one is, and otherwise as it was."""

from __future__ import annotations

import pytest

from hippocore import ALL, Corrections, Link

FIRST = "The mail relay answers on 2525."
SECOND = "As of today people reach the mail relay through 2526."


@pytest.fixture
def corrected(opened):
    return opened(corrections=Corrections())


def fact(layer, content, **more):
    return layer.remember(content, **{"kind": "fact", **more})


def shown(layer, **places):
    return [hit.memory.content for hit in layer.context("mail relay", touch=False, **places).memories]


def test_a_context_leaves_the_older_one_out_and_says_why(corrected):
    first, second = fact(corrected, FIRST), fact(corrected, SECOND)
    assert second.action == "stored"
    block = corrected.context("mail relay")
    assert [hit.id for hit in block.memories] == [second.id]
    assert block.skipped == [(first.id, "a newer memory outdates it")]


def test_every_other_verb_shows_both_and_the_link(corrected):
    first, second = fact(corrected, FIRST), fact(corrected, SECOND)
    assert {hit.id for hit in corrected.recall("mail relay")} == {first.id, second.id}
    [link] = corrected.get(second.id).links
    assert (str(link), link.type, link.weight) == (first.id, "outdates", 0)
    assert corrected.get(first.id).valid_until is None


def test_nothing_is_noted_unless_asked_for(opened):
    layer = opened(corrections=Corrections(outdated=False))
    fact(layer, FIRST)
    assert layer.get(fact(layer, SECOND).id).links == ()
    assert len(shown(layer)) == 2


def test_what_holds_again_is_a_memory_of_its_own_which_outdates_what_came_between(corrected):
    first, second = fact(corrected, FIRST), fact(corrected, SECOND)
    again = fact(corrected, FIRST)
    assert (again.action, again.id == first.id) == ("stored", False)
    assert set(corrected.get(again.id).links) == {second.id}
    assert shown(corrected) == [FIRST]


def test_what_nothing_outdates_merges_as_ever(corrected):
    first = fact(corrected, FIRST)
    assert fact(corrected, FIRST)[:2] == (first.id, "merged")


def test_one_call_is_read_in_its_order(corrected):
    done = corrected.remember_many([{"content": text, "kind": "fact"} for text in (FIRST, SECOND, FIRST)])
    assert [one.action for one in done] == ["stored"] * 3
    assert shown(corrected) == [FIRST]


def test_forgetting_the_newer_one_brings_the_older_one_back(corrected):
    fact(corrected, FIRST)
    corrected.forget(fact(corrected, SECOND).id)
    assert shown(corrected) == [FIRST]


@pytest.mark.parametrize("more", [{"trust": "untrusted"}, {"event_time": 1_000_000_000}])
def test_what_is_trusted_less_or_tells_of_an_earlier_time_outdates_nothing(corrected, more):
    fact(corrected, FIRST)
    fact(corrected, SECOND, **more)
    assert len(shown(corrected)) == 2


def test_another_scope_is_another_matter(corrected):
    fact(corrected, FIRST)
    assert corrected.get(fact(corrected, SECOND, scope="another").id).links == ()


def test_an_event_may_be_outdated_and_outdates_nothing(corrected):
    event = corrected.remember("The mail relay was set to 2525.", kind="episode")
    assert corrected.get(corrected.remember(SECOND, kind="episode").id).links == ()
    assert event.id in corrected.get(fact(corrected, SECOND).id).links


def test_what_one_call_says_twice_merges(corrected):
    first, again = corrected.remember_many([{"content": FIRST, "kind": "fact"}] * 2)
    assert again[:2] == (first.id, "merged")


@pytest.mark.parametrize(
    "more",
    [{"scope": "another"}, {"trust": "untrusted"}, {"event_time": 1_000_000_000}],
    ids=["another scope", "less trust", "an earlier time"],
)
def test_who_may_not_outdate_a_memory_hides_it_by_no_link_either(corrected, more):
    first = fact(corrected, FIRST)
    corrected.remember("The relay is a mail box.", links=[Link(first.id, "outdates", 0)], **more)
    assert FIRST in shown(corrected, scope=ALL)
    assert fact(corrected, FIRST).action == "merged"


def test_a_link_hides_nothing_that_was_written_later_nor_the_memory_that_has_it(corrected, clock):
    corrected.remember(SECOND, id="earlier", links=[Link(name, "outdates", 0) for name in ("earlier", "later")])
    clock.time += 1
    corrected.remember("Mail leaves by the relay.", id="later")
    assert len(shown(corrected)) == 2


def test_another_version_of_the_older_one_is_as_outdated(corrected, clock):
    first = fact(corrected, FIRST)
    fact(corrected, SECOND)
    clock.time += 1
    corrected.update(first.id, tags=["mail"])
    assert shown(corrected) == [SECOND]


def test_what_takes_the_place_of_a_memory_outdates_what_that_did(corrected):
    first, second = fact(corrected, FIRST), fact(corrected, SECOND)
    last = fact(corrected, "The relay for mail has been retired.", supersedes=second.id)
    assert list(corrected.get(last.id).links) == [Link(first.id, "outdates", 0)]
    assert shown(corrected) == ["The relay for mail has been retired."]
