"""`hippocore maintain`: what went and why, never what it said."""

from __future__ import annotations

import time

import pytest


@pytest.fixture
def expired(answer, remembered):
    """The id of a fourth memory, which has expired."""
    soon = time.time() - 3600
    return answer("remember", "Nobody should read this", "--expires", str(soon))["id"]


def test_a_dry_run_shows_what_would_go_and_leaves_it(run, answer, expired):
    shown = run("maintain", "--dry-run").stdout
    assert expired in shown
    assert "its expires_at has passed" in shown
    assert "would let go of 1 of 4 memories: 1 expired" in shown
    assert "Nobody" not in shown
    done = answer("maintain", "--dry-run")
    assert [gone["id"] for gone in done["expired"]] == [expired]
    assert done["dry_run"] is True
    assert answer("stats")["versions"] == 4


def test_what_is_due_goes_once(run, answer, expired):
    done = answer("maintain")
    (gone,) = done["expired"]
    assert gone == {"id": expired, "reason": "its expires_at has passed", "kind": "episode", "age": gone["age"]}
    assert (done["pruned"], done["evicted"], done["archived"], done["looked_at"]) == ([], [], [], 4)
    assert run("maintain").stdout == "let go of 0 of 3 memories\n"
    assert answer("stats")["versions"] == 3


def test_only_the_scopes_that_are_named_are_looked_at(answer, expired):
    assert answer("maintain", "--scope", "user:ada")["looked_at"] == 1
    assert answer("maintain", "--scope", "user:ada", "--subtree")["looked_at"] == 2
    assert len(answer("maintain", "--scope", "default", "--dry-run")["expired"]) == 1


def test_what_is_let_go_of_can_be_said(run, answer, remembered):
    few = answer("maintain", "--dry-run", "--max-memories", "1")
    assert [gone["id"] for gone in few["evicted"]] == [remembered["fact"], remembered["chat"]]
    short = answer("maintain", "--dry-run", "--ttl", "fact=0.001s")
    assert [(gone["id"], gone["kind"]) for gone in short["expired"]] == [(remembered["fact"], "fact")]
    done = answer("maintain", "--max-memories", "2", "--archive")
    assert (done["evicted"], len(done["archived"])) == ([], 1)
    assert len(answer("list", "--archived")) == 1


def test_what_says_the_same_can_be_consolidated(run, answer):
    said = [answer("remember", f"the nightly build fails on the arm runner {i}", "--no-merge")["id"] for i in range(3)]
    assert answer("maintain", "--dry-run")["consolidated"] == []
    assert "3 consolidated" in run("maintain", "--dry-run", "--consolidate").stdout
    assert [gone["id"] for gone in answer("maintain", "--consolidate")["consolidated"]] == said


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (("--ttl", "episode"), "is not KIND=TIME"),
        (("--ttl", "episode=soon"), "the ttl of 'episode'"),
        (("--ttl", "=3d"), "a kind in ttl"),
        (("--max-memories", "-1"), "--max-memories"),
    ],
)
def test_what_is_no_setting_is_wrong_usage(run, remembered, option, words):
    assert words in " ".join(run("maintain", *option, code=2).stderr.split())


def test_there_has_to_be_a_store(run, store):
    assert "no store" in run("maintain", code=1).stderr
    assert not store.exists()
