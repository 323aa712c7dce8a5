"""As a process of its own: exit codes, one line on stderr, no traceback, nothing on stdout that is not the answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest


def assert_one_line_error(process):
    assert process.returncode == 1, process.stderr
    assert process.stdout == ""
    assert process.stderr.startswith("hippocore: ")
    assert process.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall", "x"],
        ["context", "x"],
        ["list"],
        ["show", "x"],
        ["history", "x"],
        ["forget", "x", "--yes"],
        ["scopes"],
        ["stats", "--json"],
        ["verify"],
        ["compact"],
        ["backup", "copy.mem"],
        ["export", "out.jsonl"],
    ],
)
def test_a_missing_store_is_one_line_and_is_not_made(run, store, arguments):
    result = run(*arguments, code=1)
    assert result.stderr.count("\n") == 1
    assert str(store) in result.stderr
    assert result.stdout == ""
    assert not store.exists()


def test_a_missing_store_in_a_process_of_its_own(shell):
    assert_one_line_error(shell("list"))


def test_a_store_path_that_is_a_file(shell, store):
    store.write_text("not a store")
    for arguments in (["list"], ["remember", "x"], ["demo", "--store", str(store)]):
        assert_one_line_error(shell(*arguments))
    assert store.read_text() == "not a store"


def test_an_unknown_id(shell, remembered):
    unknown = "0" * 32
    for arguments in (["show", unknown], ["history", unknown], ["forget", unknown, "--yes"]):
        process = shell(*arguments)
        assert_one_line_error(process)
        assert unknown in process.stderr


def test_no_store_named_is_wrong_usage(shell):
    process = shell("list", env={"HIPPOCORE_STORE": ""})
    assert process.returncode == 2
    assert "say --store PATH or set $HIPPOCORE_STORE" in process.stderr


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["recall"], ["recall", "x", "--since", "yesterday"], ["list", "--limit", "many"]]
)
def test_wrong_usage_exits_with_2_and_without_a_traceback(shell, remembered, arguments):
    process = shell(*arguments)
    assert process.returncode == 2
    assert process.stdout == ""
    assert "Traceback" not in process.stderr


def test_json_on_stdout_is_all_there_is(shell, remembered):
    process = shell("list", "--json")
    assert process.returncode == 0
    assert len(json.loads(process.stdout)) == 3
    assert process.stderr == ""


def test_a_reader_that_left_is_no_error(shell, store):
    text = "\n".join(f"sentence number {number} of a long list" for number in range(3000))
    assert shell("remember", "-", "--lines", "--no-merge", input=text).returncode == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "hippocore.cli", "list", "--json", "--limit", "3000", "--store", str(store)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_an_encoding_without_the_letters_still_prints(shell, remembered):
    assert shell("remember", "日本語").returncode == 0
    process = shell("list", env={"PYTHONIOENCODING": "ascii"})
    assert process.returncode == 0
    assert "???" in process.stdout


def test_bytes_that_are_no_text_are_refused(shell, remembered):
    process = shell("remember", os.fsdecode(b"caf\xe9"))
    assert_one_line_error(process)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["remember", "x", "--importance", "3"], "--importance"),
        (["remember", "x", "--importance", "nan"], "--importance"),
        (["remember", "x", "--scope", "a//b"], "--scope"),
        (["remember", "x", "--embedder", "foo"], "--embedder"),
        (["recall", "x", "--limit", "-1"], "--limit"),
        (["recall", "x", "--min-relevance", "3"], "--min-relevance"),
        (["recall", "x", "--min-relevance", "nan"], "--min-relevance"),
        (["recall", "x", "--weights", "relevance=0.9"], "--weights"),
        (["recall", "x", "--weights", "relevance=-1"], "--weights"),
        (["recall", "x", "--scope", "a//b"], "--scope"),
        (["context", "x", "--budget", "-1"], "--budget"),
        (["context", "x", "--pool", "-1"], "--pool"),
        (["context", "x", "--max-per-memory", "-1"], "--max-per-memory"),
        (["list", "--limit", "-1"], "--limit"),
        (["list", "--scope", "a//b"], "--scope"),
        (["forget", "--scope", "a//b", "--yes"], "--scope"),
        (["import", "x", "--embedder", "foo"], "--embedder"),
        (["eval", "x", "--compare", "mode=foo"], "--compare"),
        (["eval", "x", "--compare", "embedder=foo"], "--compare"),
        (["eval", "x", "--compare", "speakers=foo"], "--compare"),
        (["eval", "x", "--compare", "order=foo"], "--compare"),
        (["eval", "x", "--ranking", "relevance=0.9"], "--ranking"),
        (["eval", "x", "--embedder", "foo"], "--embedder"),
        (["eval", "x", "--mode", "bm25", "--ranking", "relevance=1"], "--ranking"),
        (["tune", "x", "--ranking", "relevance=0.9"], "--ranking"),
        (["tune", "x", "--mode", "rrf"], "--mode"),
    ],
)
def test_a_wrong_value_is_wrong_usage_and_names_its_option(run, store, arguments, named):
    result = run(*arguments, code=2)
    assert f"Invalid value for {named}" in result.stderr.replace("'", "")
    assert not store.exists()
