"""What a policy says, and which scopes and ids an agent reaches through it."""

from __future__ import annotations

import functools
import pickle

import pytest

from hippocore import ALL, AccessDenied, MemoryNotFound, Policy

SEEN_BY_ANN = ["ann", "ann/notes", "shared", "rules"]
UNSEEN_BY_ANN = ["annex", "bob", "inbox"]

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


def test_without_a_policy_there_are_no_agents(opened, policy):
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
    assert [ann.recall(text, scope=ALL) for text in ("a", "e")] == ann.recall_many(["a", "e"], scope=ALL)
    assert len(ann.context(scope=ALL, touch=False).memories) == len(SEEN_BY_ANN)
    assert ann.count(scope=ALL, subtree=True) == len(SEEN_BY_ANN)


@pytest.mark.parametrize("scope", ["bob", "annex", ("bob", "x"), ["ann", "bob"], ["shared", ("inbox",)]])
def test_naming_a_scope_without_the_right_is_denied_by_every_reading_verb(ann, scope, memories, policy):
    many = functools.partial(ann.recall_many, ["a"])
    for verb in (ann.recall, many, ann.context, ann.list, ann.count, ann.forget_where):
        with pytest.raises(
            AccessDenied, match=r"'ann' may not read the scope '(bob|annex|bob/x|inbox)'.*policy.*'read'"
        ):
            verb(scope=scope)


def test_naming_what_lies_above_a_readable_scope_is_denied(opened, policy):
    owner = opened(policy=Policy({"ann": {"read": ["user/ann"], "write": ["user/ann"]}}))
    owner.remember("note", scope="user/ann/diary")
    ann = owner.as_agent("ann")
    assert ann.count(scope="user/ann", subtree=True) == 1
    for subtree in (False, True):
        with pytest.raises(AccessDenied, match="'user'"):
            ann.list(scope="user", subtree=subtree)


def test_a_scope_that_holds_nothing_is_denied_like_one_that_does(ann, memories, same_error):
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


def test_forgetting_all_stays_inside_the_narrower_right(opened, policy):
    owner = opened(policy=Policy({"ann": {"read": ["a", "b/c"], "write": ["a/x", "b"]}}))
    for scope in ("a", "a/x", "a/x/y", "b", "b/c", "b/cd"):
        owner.remember("note", scope=scope)
    assert owner.as_agent("ann").forget_where(scope=ALL) == 3
    assert sorted(memory.scope for memory in owner.list()) == ["a", "b", "b/cd"]


# Ids


@pytest.mark.parametrize("scope", UNSEEN_BY_ANN)
def test_an_id_out_of_sight_is_like_one_that_does_not_exist(ann, memories, scope, same_error):
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


def test_an_expired_id_out_of_sight_is_like_one_that_does_not_exist(owner, ann, clock, same_error):
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
