"""What a policy says, and what an agent sees of a store through it."""

from __future__ import annotations

import asyncio
import json
import pickle

import numpy as np
import pytest

from hippocore import (
    ALL,
    AccessDenied,
    AsyncMemoryLayer,
    MemoryLayer,
    MemoryNotFound,
    Policy,
    StoreClosed,
)

START = 1_750_000_000.0
POLICY = Policy(
    {
        "ann": {"read": ["ann", "shared", "rules"], "write": ["ann", "shared", "inbox"]},
        "bob": {"read": ["bob", "shared", "inbox"], "write": ["bob", "shared"]},
    }
)


def directions(texts):
    """Vectors (n, 4) by the letters of a text, so that equal texts are alike."""
    return np.array([[text.lower().count(letter) + 0.1 for letter in "aeio"] for text in texts], np.float32)


@pytest.fixture
def clock():
    class Clock:
        time = START

        def __call__(self):
            return self.time

    return Clock()


@pytest.fixture
def opened(tmp_path, clock):
    handles = []

    def opens(name="agent.mem", **options):
        given = {"embedder": directions, "embedder_name": "letters", "dim": 4, "policy": POLICY, "clock": clock}
        handles.append(MemoryLayer(tmp_path / name, **{**given, **options}))
        return handles[-1]

    yield opens
    for handle in handles:
        handle.close()


@pytest.fixture
def owner(opened):
    return opened()


@pytest.fixture
def ann(owner):
    return owner.as_agent("ann")


@pytest.fixture
def bob(owner):
    return owner.as_agent("bob")


@pytest.fixture
def memories(owner):
    """One memory in every kind of scope, by scope."""
    scopes = ("ann", "ann/notes", "annex", "bob", "shared", "rules", "inbox")
    return {scope: owner.remember(f"a note in {scope}", scope=scope).id for scope in scopes}


SEEN_BY_ANN = ["ann", "ann/notes", "shared", "rules"]
UNSEEN_BY_ANN = ["annex", "bob", "inbox"]


def same_error(*calls):
    """The calls fail alike, the id that they name apart."""
    said = []
    for call, identifier in calls:
        with pytest.raises(Exception) as caught:  # noqa: PT011  (whatever it is, it is compared)
            call(identifier)
        said.append((type(caught.value), str(caught.value).replace(identifier, "ID"), caught.value.__cause__))
    assert all(one == said[0] for one in said), said
    return said[0][0]


# The policy itself


@pytest.mark.parametrize(
    ("agents", "error", "words"),
    [
        (None, TypeError, "a policy must map"),
        (["coder"], TypeError, "a policy must map"),
        ({"coder": ["shared"]}, TypeError, "'coder'.*read.*not list"),
        ({"coder": {"red": ["shared"]}}, ValueError, "'coder' name 'red'"),
        ({"coder": {"read": "shared"}}, TypeError, "'read' of 'coder' must be a list of scopes, not str"),
        ({"coder": {"write": ("a", "b")}}, TypeError, "'write' of 'coder' must be a list of scopes, not tuple"),
        ({"coder": {"read": [["a", "b"]]}}, TypeError, "'read' of 'coder'"),
        ({"coder": {"read": [ALL]}}, TypeError, "'read' of 'coder'"),
        ({"coder": {"read": ["a//b"]}}, ValueError, "'read' of 'coder'.*label"),
        ({"coder": {"write": [7]}}, TypeError, "'write' of 'coder'"),
        ({"": {"read": []}}, ValueError, "name"),
        ({3: {"read": []}}, TypeError, "name"),
    ],
)
def test_what_is_no_policy_is_refused_with_the_agent_and_the_right(agents, error, words):
    with pytest.raises(error, match=words):
        Policy(agents)


def test_a_policy_is_frozen_plain_data():
    given = {"coder": {"read": ["shared", ("user", "a/b")], "write": []}}
    policy = Policy(given)
    given["coder"]["read"].append("more")
    assert repr(policy) == r"Policy({'coder': {'read': ['shared', 'user/a\\/b'], 'write': []}})"
    assert eval(repr(policy)) == policy == pickle.loads(pickle.dumps(policy))
    assert hash(policy) == hash(eval(repr(policy)))
    assert policy != Policy({"coder": {"read": ["shared"]}})
    for change in (lambda: setattr(policy, "agents", ()), lambda: delattr(policy, "_rights")):
        with pytest.raises(AttributeError, match="does not change"):
            change()


def test_without_a_policy_there_are_no_agents(opened):
    with pytest.raises(ValueError, match="policy="):
        opened(policy=None).as_agent("ann")


def test_an_agent_without_an_entry_has_no_rights(owner, memories):
    nobody = owner.as_agent("carl")
    assert (nobody.list(), nobody.count(), nobody.scopes(), nobody.recall(scope=ALL)) == ([], 0, [], [])
    assert nobody.forget_where(scope=ALL) == 0
    assert not any(identifier in nobody for identifier in memories.values())
    for refused in (lambda: nobody.recall(scope="shared"), lambda: nobody.remember("note", scope="shared")):
        with pytest.raises(AccessDenied):
            refused()


@pytest.mark.parametrize("name", ["", None, 3, "\ud800"])
def test_an_agents_name_is_a_text(owner, name):
    with pytest.raises((TypeError, ValueError), match="name"):
        owner.as_agent(name)


# Scopes


def test_a_right_to_a_scope_is_a_right_to_what_lies_below_it_label_by_label(ann, memories):
    assert {memory.scope for memory in ann.list()} == set(SEEN_BY_ANN)
    assert ann.get(memories["ann/notes"]).scope == "ann/notes"
    assert memories["annex"] not in ann


def test_all_is_what_an_agent_may_read(ann, memories):
    assert {info.scope for info in ann.scopes()} == set(SEEN_BY_ANN)
    assert ann.count() == len(ann.list()) == len(ann.recall(scope=ALL)) == len(SEEN_BY_ANN)
    assert len(ann.context(scope=ALL, touch=False).memories) == len(SEEN_BY_ANN)
    assert ann.count(scope=ALL, subtree=True) == len(SEEN_BY_ANN)


@pytest.mark.parametrize("scope", ["bob", "annex", ("bob", "x"), ["ann", "bob"], ["shared", ("inbox",)]])
def test_naming_a_scope_without_the_right_is_denied_by_every_reading_verb(ann, scope, memories):
    verbs = (ann.recall, ann.context, ann.list, ann.count, ann.forget_where)
    for verb in verbs:
        with pytest.raises(
            AccessDenied, match=r"'ann' may not read the scope '(bob|annex|bob/x|inbox)'.*policy.*'read'"
        ):
            verb(scope=scope)


def test_naming_what_lies_above_a_readable_scope_is_denied(opened):
    owner = opened(policy=Policy({"ann": {"read": ["user/ann"], "write": ["user/ann"]}}))
    owner.remember("note", scope="user/ann/diary")
    ann = owner.as_agent("ann")
    assert ann.count(scope="user/ann", subtree=True) == 1
    for subtree in (False, True):
        with pytest.raises(AccessDenied, match="'user'"):
            ann.list(scope="user", subtree=subtree)


def test_a_scope_that_holds_nothing_is_denied_like_one_that_does(ann, memories):
    assert same_error(*[(lambda s: ann.list(scope=s), scope) for scope in ("bob", "nowhere")]) is AccessDenied


def test_remembering_without_the_right_to_write_is_denied_and_stores_nothing(owner, ann):
    for scope in ("bob", "rules", "default"):
        with pytest.raises(AccessDenied, match=f"'ann' may not write the scope '{scope}'.*'write'"):
            ann.remember("note", scope=scope)
    with pytest.raises(AccessDenied, match=r"item 1: .*'bob'"):
        ann.remember_many([{"content": "mine", "scope": "ann"}, {"content": "note", "scope": "bob"}])
    assert owner.count() == 0


def test_forgetting_by_scope_reaches_what_is_both_readable_and_writable(owner, ann, memories):
    for scope, right in (("rules", "write"), ("rules/empty", "write"), ("inbox", "read"), ("bob", "read")):
        with pytest.raises(AccessDenied, match=f"may not {right} the scope '{scope}'"):
            ann.forget_where(scope=scope)
    assert ann.forget_where(scope=ALL) == 3  # ann, ann/notes, shared
    assert {memory.scope for memory in owner.list()} == {"annex", "bob", "rules", "inbox"}


def test_forgetting_all_stays_inside_the_narrower_right(opened):
    owner = opened(policy=Policy({"ann": {"read": ["a", "b/c"], "write": ["a/x", "b"]}}))
    for scope in ("a", "a/x", "a/x/y", "b", "b/c", "b/cd"):
        owner.remember("note", scope=scope)
    assert owner.as_agent("ann").forget_where(scope=ALL) == 3
    assert sorted(memory.scope for memory in owner.list()) == ["a", "b", "b/cd"]


# Ids


@pytest.mark.parametrize("scope", UNSEEN_BY_ANN)
def test_an_id_out_of_sight_is_like_one_that_does_not_exist(ann, memories, scope):
    verbs = (
        ann.get,
        ann.history,
        ann.embeddings,
        ann.forget,
        lambda one: ann.update(one, importance=0.5),
        lambda one: ann.update(one, content="other"),
        lambda one: ann.feedback(one, True),
        lambda one: ann.list(after=one),
        lambda one: ann.remember("note", scope="ann", supersedes=one),
        lambda one: ann.remember_many([{"content": "note", "scope": "ann", "supersedes": one}]),
    )
    for verb in verbs:
        assert same_error((verb, memories[scope]), (verb, "0" * 32), (verb, "nothing")) is MemoryNotFound
    assert memories[scope] not in ann


def test_ids_in_and_out_of_sight_that_are_mixed_name_those_that_are_not_there(owner, ann, memories):
    mine, foreign = memories["ann"], memories["bob"]
    for verb in (ann.embeddings, ann.forget, lambda ids: ann.feedback(ids, True)):
        with pytest.raises(MemoryNotFound) as caught:
            verb([mine, foreign, "nothing"])
        assert str(caught.value) == f"no memory {foreign!r}, 'nothing': it never was, or was forgotten"
    assert mine in ann
    assert foreign in owner


def test_an_expired_id_out_of_sight_is_like_one_that_does_not_exist(owner, ann, clock):
    owner.remember("note", scope="bob", id="theirs", expires_at=clock.time + 1)
    owner.remember("note", scope="ann", id="mine", expires_at=clock.time + 1)
    clock.time += 2
    assert same_error((ann.get, "theirs"), (ann.get, "nothing")) is MemoryNotFound
    with pytest.raises(MemoryNotFound, match="'mine' has expired"):
        ann.get("mine")


def test_what_is_readable_and_not_writable_is_not_changed(owner, ann, memories):
    rule = memories["rules"]
    before = owner.get(rule)
    changes = (
        lambda: ann.update(rule, importance=0.9),
        lambda: ann.update(rule, importance=before.importance),
        lambda: ann.update(rule, content="no rules"),
        lambda: ann.forget(rule),
        lambda: ann.forget([memories["ann"], rule], purge=True),
        lambda: ann.feedback([memories["ann"], rule], True),
        lambda: ann.remember("no rules", scope="ann", supersedes=rule),
        lambda: ann.remember_many([{"content": "no rules", "scope": "ann", "supersedes": rule}]),
    )
    for change in changes:
        with pytest.raises(AccessDenied, match="may not write the scope 'rules'"):
            change()
    assert owner.get(rule) == before
    assert owner.get(memories["ann"]).use_count == 0
    assert owner.count() == len(memories)


def test_a_context_touches_what_it_read(owner, ann, memories):
    taken = ann.context(scope="rules")
    assert [hit.memory.id for hit in taken.memories] == [memories["rules"]]
    owner.remember("another", scope="bob")  # takes the queued touches with it
    assert owner.get(memories["rules"]).use_count == 1


def test_a_history_leaves_out_what_is_out_of_sight(owner, ann):
    owner.remember("draft", scope="bob", id="draft")
    owner.remember("first", scope="shared", id="first", supersedes="draft")
    owner.update("first", content="second")
    assert [memory.content for memory in owner.history("first")] == ["draft", "first", "second"]
    assert [memory.content for memory in ann.history("first")] == ["first", "second"]
    assert owner.get("first").supersedes == "draft"
    assert ann.get("first").supersedes is None
    assert ann.recall(scope="shared")[0].memory.supersedes is None


def test_what_was_superseded_is_named_while_it_can_be_read(owner, ann):
    ann.remember("old", scope="ann", id="old")
    ann.remember("new", scope="shared", id="new", supersedes="old")
    assert ann.get("new").supersedes == "old"
    assert [memory.content for memory in ann.history("new")] == ["old", "new"]
    ann.update("new", importance=1.0, tags=["kept"])
    assert ann.get("new").supersedes == "old"
    ann.forget("old")
    assert ann.get("new").supersedes is None


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


def test_a_given_id_leads_everyone_who_sees_the_memory_to_it(owner, ann, bob, opened):
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


def test_the_digits_of_a_memory_out_of_sight_give_no_way_in(opened, ann, bob, memories):
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


def test_what_an_agent_names_stays_its_own_after_the_policy_was_changed(opened):
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


# Whole-store verbs, exports


def test_verbs_about_the_whole_store_are_the_owners(owner, ann, tmp_path):
    owner.export(tmp_path / "all")
    refused = {
        "stats": ann.stats,
        "verify": ann.verify,
        "backup": lambda: ann.backup(tmp_path / "copy"),
        "reembed": lambda: ann.reembed(directions),
        "release": lambda: ann.release([]),
        "import_": lambda: ann.import_(tmp_path / "all"),
    }
    for verb, call in refused.items():
        with pytest.raises(AccessDenied, match=f"'ann' may not call {verb}"):
            call()
    assert not (tmp_path / "copy").exists()
    ann.checkpoint()
    ann.compact()


def test_an_export_holds_what_may_be_read_and_counts_nothing_else(owner, ann, bob, memories, tmp_path):
    owner.remember("draft", scope="bob", id="draft")
    bob.remember("final", scope="shared", id="final", supersedes="draft")
    ann.remember("Ann's", scope="ann", id="draft")
    steps = []
    written = ann.export(tmp_path / "ann", progress=lambda *step: steps.append(step))
    header, *lines = map(json.loads, (tmp_path / "ann").read_text().splitlines())
    assert written == header["versions"] == len(lines) == len(SEEN_BY_ANN) + 2
    assert steps[-1] == (written, written)
    assert {line["scope"] for line in lines} == set(SEEN_BY_ANN)
    assert {line["content"]: line["id"] for line in lines}["Ann's"] == "draft"
    assert not any("supersedes" in line or "name" in line for line in lines)


def test_an_export_of_the_owner_keeps_names_and_reads_back_the_same(owner, ann, bob, opened, tmp_path):
    for agent, scope in ((ann, "ann"), (bob, "bob")):
        agent.remember(f"of {scope}", scope=scope, id="note")
    owner.remember("the owner's", scope="rules", id="owner's note")
    owner.export(tmp_path / "first")
    other = opened("other.mem")
    assert other.import_(tmp_path / "first") == 3
    other.export(tmp_path / "second")
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    assert other.as_agent("ann").get("note").content == "of ann"
    assert other.as_agent("bob").get("note").content == "of bob"


# Views


def test_an_agent_stays_who_it_is(ann):
    with pytest.raises(AccessDenied, match="'ann' may not act as 'bob'"):
        ann.as_agent("bob")
    assert ann.as_agent("ann").remember("note", scope="ann").id in ann


def test_closing_an_agents_layer_closes_nothing_else(owner, ann, bob):
    with owner.as_agent("ann") as view:
        view.close()
        with pytest.raises(StoreClosed):
            view.count()
    assert (view.closed, ann.closed, owner.closed) == (True, False, False)
    assert ann.remember("note", scope="ann").id in owner
    owner.close()
    for layer in (owner, ann, bob):
        assert layer.closed
        for verb in (layer.count, layer.list, lambda layer=layer: layer.embeddings([])):
            with pytest.raises(StoreClosed):
                verb()
    with pytest.raises(StoreClosed):
        owner.as_agent("ann")


def test_an_agents_layer_goes_on_with_the_owners_new_embedder(owner, ann):
    note = ann.remember("a note", scope="ann").id

    class Pair:
        name, dim = "pair", 2

        def __call__(self, texts):
            return np.ones((len(texts), 2), np.float32)

    owner.reembed(Pair())
    assert ann.embeddings(note).shape == (1, 2)
    assert ann.remember("another note", scope="ann", merge=False).action == "stored"
    assert len(ann.recall("note", scope="ann")) == 2


def test_a_layer_says_whose_it_is(ann, tmp_path):
    assert repr(ann) == f"MemoryLayer({str(tmp_path / 'agent.mem')!r}, agent='ann')"


def test_a_damaged_memory_out_of_sight_is_like_one_that_does_not_exist(opened, tmp_path):
    owner = opened("damaged.mem")
    foreign = owner.remember("canary of Bob", scope="bob").id
    mine = owner.remember("canary of Ann", scope="ann").id
    owner.checkpoint()
    owner.close()
    (payload,) = (tmp_path / "damaged.mem").glob("payload-*")
    payload.write_bytes(payload.read_bytes().replace(b"canary of", b"canary 0f"))
    ann = opened("damaged.mem").as_agent("ann")
    assert same_error((ann.get, foreign), (ann.get, "nothing")) is MemoryNotFound
    with pytest.raises(Exception, match=r"damaged|checksum"):
        ann.get(mine)


def test_agents_of_an_async_layer_have_the_same_rights(tmp_path):
    async def session():
        options = {"embedder": directions, "embedder_name": "letters", "dim": 4, "policy": POLICY}
        async with await AsyncMemoryLayer.open(tmp_path / "async.mem", **options) as owner:
            async with await owner.as_agent("ann") as ann:
                note = (await ann.remember("note", scope="ann")).id
                with pytest.raises(AccessDenied, match="'bob'"):
                    await ann.recall(scope="bob")
            assert (ann.closed, owner.closed) == (True, False)
            bob = await owner.as_agent("bob")
            with pytest.raises(MemoryNotFound):
                await bob.get(note)
        with pytest.raises(StoreClosed):
            await bob.count()

    asyncio.run(session())
