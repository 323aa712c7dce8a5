"""The names that agents give to memories, and writing where one may not read."""

from __future__ import annotations

import pytest

from hippocore import Policy

# Ids that agents give


def test_a_given_id_that_is_taken_out_of_sight_is_free(owner, ann, bob):
    bob.remember("Bob's", scope="bob", id="note")
    assert ann.remember("Ann's", scope="ann", id="note") == ("note", "stored", None)
    assert ann.remember("Ann's", scope="ann", id="note").action == "skipped"
    with pytest.raises(ValueError, match="'note' holds another content"):
        ann.remember("other", scope="ann", id="note")
    assert (ann.get("note").content, ann.get("note").id) == ("Ann's", "note")
    assert (bob.get("note").content, bob.get("note").id) == ("Bob's", "note")
    ann.update("note", content="Ann's own")
    assert [memory.content for memory in ann.history("note")] == ["Ann's", "Ann's own"]
    assert ann.forget("note") == 1
    assert "note" not in ann
    assert bob.get("note").content == "Bob's"


def test_a_given_id_leads_everyone_who_sees_the_memory_to_it(owner, ann, bob, opened, policy):
    ann.remember("note", scope="shared", id="note")
    for viewer in (owner, ann, bob):
        assert viewer.get("note").id == viewer.list()[0].id == viewer.recall(scope="shared")[0].id == "note"
    with pytest.raises(ValueError, match="another content"):
        bob.remember("other", scope="bob", id="note")
    without = opened(policy=None).list()[0].id  # who knows no agents knows no names of theirs
    assert without == opened(policy=None).get(without).id == owner.get(without).id.replace("note", without)


def test_of_two_memories_with_one_name_the_second_is_shown_by_its_digits(owner, ann, bob):
    bob.remember("Bob's", scope="bob", id="note")
    ann.remember("Ann's", scope="shared", id="note")
    shown = {memory.content: memory.id for memory in bob.list()}
    assert shown["Bob's"] == "note"
    assert len(shown["Ann's"]) == 32
    assert bob.get(shown["Ann's"]).content == "Ann's"
    assert {memory.content: memory.id for memory in ann.list()} == {"Ann's": "note"}
    assert sorted(owner.get(memory.id).content for memory in owner.list()) == ["Ann's", "Bob's"]


def test_the_digits_of_a_memory_out_of_sight_give_no_way_in(opened, ann, bob, memories, policy):
    bob.remember("Bob's", scope="bob", id="note")
    digits = next(memory.id for memory in opened(policy=None).list(scope="bob") if memory.content == "Bob's")
    for identifier in (memories["bob"], digits, "note"):
        assert identifier not in ann
        assert ann.remember("Ann's", scope="ann", id=identifier).action == "stored"
        assert ann.get(identifier).content == "Ann's"
        assert bob.get(identifier).content != "Ann's"


def test_an_id_keeps_its_scope_after_it_has_expired(owner, ann, clock):
    for layer in (owner, ann):
        layer.remember("first", scope="ann", id="note", expires_at=clock.time + 1)
        clock.time += 2
        with pytest.raises(ValueError, match="'note' has expired in the scope 'ann'"):
            layer.remember("second", scope="shared", id="note")
        assert layer.remember("second", scope="ann", id="note").action == "stored"
        assert [memory.version for memory in layer.history("note")] == [1, 2]
        layer.forget("note")


def test_what_an_agent_names_stays_its_own_after_the_policy_was_changed(opened, policy):
    wide = Policy({"ann": {"read": ["a", "b"], "write": ["a", "b"]}})
    narrow = Policy({"ann": {"read": ["a"], "write": ["a"]}})
    before = opened(policy=wide)
    before.as_agent("ann").remember("in b", scope="b", id="note")
    owner = opened(policy=narrow)
    ann = owner.as_agent("ann")
    assert "note" not in ann
    assert ann.remember("in a", scope="a", id="note").action == "stored"
    assert ann.remember("in a", scope="a", id="note").action == "skipped"
    assert [memory.id for memory in ann.list()] == ["note"]
    assert sorted(memory.content for memory in owner.list()) == ["in a", "in b"]


# A scope to write and not to read


def test_remembering_where_one_may_not_read_tells_nothing_of_what_is_there(owner, ann):
    owner.remember("the parcel came", scope="inbox", id="parcel")
    for merge in (True, False):
        assert ann.remember("the parcel came", scope="inbox", merge=merge).action == "stored"
    items = [{"content": "the parcel came", "scope": "inbox"}] * 2
    assert [one.action for one in ann.remember_many(items)] == ["stored", "stored"]
    assert owner.count(scope="inbox") == 5
    assert ann.count() == 0


def test_a_retry_where_one_may_not_read_is_harmless_and_tells_nothing(owner, ann, clock):
    owner.remember("the parcel came", scope="inbox", id="parcel")
    for content, there in (("came", 2), ("came", 2), ("left", 3), ("came", 3)):
        assert ann.remember(content, scope="inbox", id="parcel") == ("parcel", "stored", None)
        assert owner.count(scope="inbox") == there
        assert "parcel" not in ann
    ann.remember("brief", scope="inbox", id="parcel", expires_at=clock.time + 1)
    clock.time += 2
    ann.remember("brief", scope="inbox", id="parcel")
    assert owner.count(scope="inbox") == 4
    assert ann.remember("mine", scope="ann", id="parcel").action == "stored"


def test_a_reader_sees_what_was_written_out_of_its_writers_sight(ann, bob):
    ann.remember("the parcel came", scope="inbox", id="parcel")
    (memory,) = bob.list(scope="inbox")
    assert bob.get(memory.id) == memory
