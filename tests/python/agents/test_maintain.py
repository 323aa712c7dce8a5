"""Maintaining through an agent's rights: only what it both reads and writes goes, and it learns of nothing else."""

from __future__ import annotations

import pytest

from hippocore import AccessDenied, Retention

DAY = 86_400


@pytest.fixture
def owner(opened):
    return opened(retention=Retention(max_memories={"scope": 1, "store": 2}))


def test_an_agents_all_is_what_it_reads_and_writes(owner, ann, bob, memories, clock):
    clock.time += 40 * DAY
    done = ann.maintain()
    assert {one.id for one in done.expired} == {memories[scope] for scope in ("ann", "ann/notes", "shared")}
    assert (done.looked_at, done.evicted) == (3, ())
    assert {one.scope for one in owner.list()} == {"annex", "bob", "rules", "inbox"}
    assert {one.id for one in bob.maintain(dry_run=True).expired} == {memories["bob"]}


def test_a_scope_that_is_named_needs_both_rights(owner, ann, memories, clock):
    clock.time += 40 * DAY
    for scope, right in (("bob", "read"), ("rules", "write"), ("inbox", "read"), (["ann", "annex"], "read")):
        for dry_run in (False, True):
            with pytest.raises(AccessDenied, match=f"'ann' may not {right}"):
                ann.maintain(scope=scope, dry_run=dry_run)
    assert owner.count() == len(memories)
    assert [one.id for one in ann.maintain(scope="ann").expired] == [memories["ann"]]


def test_how_many_the_store_holds_is_the_owners_matter(owner, ann, memories):
    owner.remember("another note in shared", scope="shared", id="second")
    done = ann.maintain()
    assert [one.id for one in done.evicted] == [memories["shared"]]
    assert "in its scope" in done.evicted[0].reason
    assert len(owner.maintain().evicted) == len(memories) - 2


def test_an_agent_is_shown_its_own_names(ann, clock):
    ann.remember("a note", scope="ann", id="mine")
    clock.time += 40 * DAY
    assert [one.id for one in ann.maintain().expired] == ["mine"]


def test_history_that_is_not_kept_goes_where_the_agent_may_write(opened, owner, ann, memories, clock):
    keeping = opened(retention=Retention(ttl={}, prune_below={}, history="5d"))
    for scope in ("ann", "bob", "rules"):
        owner.update(memories[scope], content=f"another note in {scope}")
    clock.time += 6 * DAY
    assert keeping.as_agent("ann").maintain(dry_run=True).versions == 1
    assert keeping.as_agent("ann").maintain().versions == 1
    assert {scope: len(owner.history(memories[scope])) for scope in ("ann", "bob", "rules")} == {
        "ann": 1,
        "bob": 2,
        "rules": 2,
    }
