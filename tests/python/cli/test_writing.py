"""remember and forget."""

from __future__ import annotations

import json

import pytest


def test_remember_makes_the_store_and_says_the_id(run, answer, store):
    said = run("remember", "Ada deploys on Tuesdays").stdout.split()
    assert store.is_dir()
    assert said[0] == "stored"
    assert answer("show", said[1])["content"] == "Ada deploys on Tuesdays"


def test_remember_keeps_every_field(answer):
    outcome = answer(
        *("remember", "Tea at four", "--scope", "user:ada/agent:coder", "--kind", "preference", "--importance", "0.7"),
        *("--source", "chat", "--tag", "tea", "--tag", "time", "--trust", "unverified"),
        *("--event-time", "2025-03-01T12:00Z", "--expires", "2125-03-01Z"),
        *("--metadata", "cups=2", "--metadata", "place=garden", "--id", "tea-1"),
    )
    assert outcome == {"id": "tea-1", "action": "stored", "reason": None}
    memory = answer("show", "tea-1")
    assert memory["scope"] == "user:ada/agent:coder"
    assert (memory["kind"], memory["source"], memory["trust"]) == ("preference", "chat", "unverified")
    assert memory["importance"] == pytest.approx(0.7)
    assert sorted(memory["tags"]) == ["tea", "time"]
    assert memory["metadata"] == {"cups": 2, "place": "garden"}
    assert memory["event_time"] == "2025-03-01T12:00:00+00:00"
    assert memory["expires_at"] == "2125-03-01T00:00:00+00:00"


def test_remember_links_and_show_says_type_and_weight(run, answer):
    typed = '{"id": "cause", "type": "follows from", "weight": 0.25}'
    answer("remember", "Tea at four", "--id", "tea", "--link", "rule", "--link", typed)
    assert answer("show", "tea")["links"] == ["rule", json.loads(typed)]
    assert "rule (related, 1), cause (follows from, 0.25)" in run("show", "tea").stdout


def test_remember_reads_standard_input_whole(answer):
    outcome = answer("remember", "-", typed="two\nlines\n")
    assert answer("show", outcome["id"])["content"] == "two\nlines"


def test_remember_lines_makes_every_line_a_memory(answer):
    outcomes = answer("remember", "-", "--lines", "--kind", "fact", typed="one apple\n\n  \ntwo pears\n")
    assert [outcome["action"] for outcome in outcomes] == ["stored", "stored"]
    assert sorted(memory["content"] for memory in answer("list")) == ["one apple", "two pears"]


def test_remember_lines_of_an_empty_input_stores_nothing(answer):
    assert answer("remember", "-", "--lines", typed="\n") == []


def test_the_same_text_merges_unless_told_not_to(answer):
    first = answer("remember", "Ada likes the sea")
    again = answer("remember", "ada likes the sea.")
    assert (again["id"], again["action"]) == (first["id"], "merged")
    assert answer("remember", "Ada likes the sea", "--no-merge")["action"] == "stored"


def test_supersedes_ends_the_old_one(answer, remembered):
    outcome = answer("remember", "The staging database is at pg2", "--kind", "fact", "--supersedes", remembered["fact"])
    assert outcome["action"] == "superseded"
    assert "db1" not in str(answer("recall", "staging database"))


@pytest.mark.parametrize("as_json", [(), ("--json",)])
@pytest.mark.parametrize(
    "arguments",
    [
        ("password: hunter2-long-enough",),
        ("fine", "--metadata", "password=hunter2-long-enough"),
        ("fine", "--tag", "password=hunter2-long-enough"),
        ("fine", "--source", "password=hunter2-long-enough"),
        ("fine", "--scope", "user:ada/password=hunter2-long-enough"),
        ("fine", "--id", "password=hunter2-long-enough"),
        ("-",),
        ("-", "--lines"),
    ],
)
def test_a_refused_secret_is_not_printed(run, answer, arguments, as_json):
    run("remember", "harmless")
    result = run("remember", *arguments, *as_json, typed="password: hunter2-long-enough\n", code=1)
    assert result.stderr.startswith("hippocore: 1 of 1 not stored: holds a secret")
    assert "hunter2" not in result.stdout + result.stderr
    assert [memory["content"] for memory in answer("list")] == ["harmless"]


def test_metadata_without_a_sign_is_not_printed(run):
    result = run("remember", "fine", "--metadata", "hunter2-long-enough", code=2)
    assert "hunter2" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["remember"],
        ["remember", "text", "--lines"],
        ["remember", "text", "--metadata", "no-equals-sign"],
        ["remember", "text", "--link", "{no JSON"],
        ["remember", "text", "--link", '{"type": "causes"}'],
        ["remember", "text", "--link", '{"id": "a", "weight": 2}'],
        ["remember", "text", "--expires", "soon"],
        ["remember", "text", "--trust", "blind"],
        ["remember", "-", "--lines", "--id", "one"],
    ],
)
def test_wrong_usage_of_remember_exits_with_2_and_makes_no_store(run, store, arguments):
    result = run(*arguments, code=2, typed="a\nb\n")
    assert "Error: " in result.stderr
    assert not store.exists()


def test_blank_content_is_an_error(run):
    assert run("remember", "  ", code=1).stderr.count("\n") == 1


def test_forget_by_id(answer, remembered):
    assert answer("forget", remembered["fact"], remembered["chat"], "--yes") == {"forgotten": 2, "purged": False}
    assert [memory["id"] for memory in answer("list")] == [remembered["rule"]]


def test_purge_leaves_no_byte(answer, remembered, store):
    assert answer("forget", remembered["chat"], "--purge", "--yes") == {"forgotten": 1, "purged": True}
    assert not any(b"likes the sea" in path.read_bytes() for path in store.rglob("*") if path.is_file())


def test_forget_where_takes_a_scope_and_what_lies_below(answer, remembered):
    assert answer("forget", "--scope", "user:ada", "--yes")["forgotten"] == 1
    assert answer("forget", "--scope", "user:ada", "--subtree", "--yes")["forgotten"] == 1
    assert [memory["id"] for memory in answer("list")] == [remembered["fact"]]


def test_forget_where_keeps_to_kind_and_age(answer, remembered):
    assert answer("forget", "--all", "--kind", "fact", "--before", "1d", "--yes")["forgotten"] == 0
    assert answer("forget", "--all", "--kind", "fact", "--yes")["forgotten"] == 1
    assert len(answer("list")) == 2


def test_forget_without_a_terminal_needs_yes(run, answer, remembered):
    assert "say --yes" in run("forget", remembered["fact"], code=2).stderr
    assert len(answer("list")) == 3


@pytest.mark.parametrize(
    "arguments",
    [[], ["--kind", "fact"], ["--subtree"], ["an-id", "--scope", "user:ada"], ["--all", "--scope", "user:ada"]],
)
def test_forget_wants_ids_or_a_scope_said(run, answer, remembered, arguments):
    run("forget", *arguments, "--yes", code=2)
    assert len(answer("list")) == 3
