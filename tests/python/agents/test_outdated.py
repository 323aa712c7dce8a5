"""What an agent may leave out of others' contexts by saying that it is outdated, and what it may not."""

from __future__ import annotations

import pytest

from hippocore import ALL, Corrections, Link


def shown(layer):
    return {hit.memory.content for hit in layer.context("aeio", scope=ALL, touch=False).memories}


@pytest.mark.parametrize("scope", ["ann", "inbox"])
def test_no_link_from_where_an_agent_may_write_hides_what_is_elsewhere(owner, ann, bob, scope):
    rule = owner.remember("a rule of the house", scope="rules")
    ann.remember("a rule, they say", scope=scope, links=[Link(rule.id, "outdates", 0)])
    assert "a rule of the house" in shown(ann) & shown(owner)


def test_no_untrusted_link_hides_what_its_scope_shares(owner, ann, bob):
    known = owner.remember("a door code", scope="shared")
    ann.remember("an open door", scope="shared", trust="untrusted", links=[Link(known.id, "outdates", 0)])
    assert "a door code" in shown(bob) & shown(ann)


def test_an_id_of_the_owners_is_no_name_of_an_agents(owner, ann):
    ann.remember("an idea of mine", scope="shared", id="note")
    owner.remember("an idea of ours", scope="shared", links=[Link("note", "outdates", 0)])
    assert "an idea of mine" in shown(ann)


def test_what_outdates_is_noted_for_every_reader_of_the_scope(opened):
    owner = opened(corrections=Corrections())
    ann, bob = owner.as_agent("ann"), owner.as_agent("bob")
    ann.remember("The mail relay answers on 2525.", scope="shared", kind="fact", id="relay")
    ann.remember("As of today people reach the mail relay through 2526.", scope="shared", kind="fact")
    for reader in (owner, ann, bob):
        assert shown(reader) == {"As of today people reach the mail relay through 2526."}
    assert ann.remember("The mail relay answers on 2525.", scope="shared", kind="fact").action == "stored"
    assert shown(bob) == {"The mail relay answers on 2525."}
