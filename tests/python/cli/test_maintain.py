"""`hippocore maintain`: what went and why, never what it said."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from hippocore import Gone, Maintenance, MemoryLayer
from hippocore.cli import watching as watching_rounds
from hippocore.cli.watching import show_round


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


def test_old_versions_go_where_history_is_not_kept(run, answer):
    told = answer("remember", "The release is on Monday", "--kind", "fact")["id"]
    answer("remember", "the release is on monday.", "--kind", "fact")
    assert answer("maintain", "--dry-run", "--history", "1d")["versions"] == 0
    said = "1 of 2 memories and 1 old versions of others"
    answer("remember", "Nobody should read this", "--expires", str(time.time() - 3600))
    assert f"would let go of {said}: 1 expired" in run("maintain", "--dry-run", "--history", "0.0001s").stdout
    assert f"let go of {said}: 1 expired" in run("maintain", "--history", "0.0001s").stdout
    assert [memory["content"] for memory in answer("history", told)] == ["the release is on monday."]


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (("--history", "long"), "history"),
        (("--ttl", "episode"), "is not KIND=TIME"),
        (("--ttl", "episode=soon"), "the ttl of 'episode'"),
        (("--ttl", "=3d"), "a kind in ttl"),
        (("--max-memories", "-1"), "--max-memories"),
        (("--watch", "--idle", "soon"), "--idle must look like"),
        (("--watch", "--every", "0s"), "--every must be a finite duration"),
        (("--every", "5m"), "needs --watch"),
        (("--watch", "--dry-run"), "not with --watch"),
    ],
)
def test_what_is_no_setting_is_wrong_usage(run, remembered, option, words):
    assert words in " ".join(run("maintain", *option, code=2).stderr.split())


def test_there_has_to_be_a_store(run, store):
    assert "no store" in run("maintain", code=1).stderr
    assert not store.exists()


@pytest.fixture
def watching(store):
    """Begin `maintain --watch` on the test's store as a process of its own; it is killed in the end."""
    begun = []

    def begins(*options):
        command = [sys.executable, "-m", "hippocore.cli", "maintain", "--watch", "--idle", "0.001s", *options]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        begun.append(subprocess.Popen(command, env={**os.environ, "HIPPOCORE_STORE": str(store)}, **pipes))
        return begun[-1]

    yield begins
    for process in begun:
        process.kill()
        process.communicate()


def ended(process, number):
    process.send_signal(number)
    return (*process.communicate(timeout=60), process.returncode)


def test_watching_shows_what_goes_until_it_is_told_to_end_and_one_process_does_it(watching, answer, expired):
    first = watching("--json")
    done = json.loads(first.stdout.readline())
    assert [gone["id"] for gone in done["expired"]] == [expired]
    second = watching()
    assert "another process works on this store" in second.stderr.readline()
    assert ended(second, signal.SIGINT) == ("", "", 0)
    assert ended(first, signal.SIGTERM) == ("", "", 0)
    assert answer("stats")["versions"] == 3


@pytest.fixture
def overdue():
    """What says after a minute that a test did not end by itself, and ends its watching as Ctrl-C does."""
    asked = threading.Event()

    def ask():
        asked.set()
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    timer = threading.Timer(60, ask)
    timer.start()
    yield asked
    timer.cancel()
    timer.join()


def test_watching_ends_where_nobody_reads_it(monkeypatch, expired, store, overdue):
    def nobody_reads(a_round, *, as_json):
        raise BrokenPipeError

    monkeypatch.setattr(watching_rounds, "show_round", nobody_reads)
    with MemoryLayer(store, embedder=None) as layer, pytest.raises(BrokenPipeError):
        watching_rounds.watch(layer, as_json=False, idle=0.001)
    assert not overdue.is_set()
    assert not [thread for thread in threading.enumerate() if thread.name == "hippocore-worker"]


def test_a_round_is_one_line_and_a_failed_step_one_on_stderr(capsys):
    gone = [Gone(f"id{i}", reason, "episode", 1.0) for i, reason in enumerate("aabcd")]
    done = Maintenance((*gone[:3],), (*gone[3:],), (), (), (), 9, dry_run=False)
    steps = [SimpleNamespace(name="maintain", failed=None, result=done)]
    steps.append(SimpleNamespace(name="checkpoint", failed="StoreBusy", result=None))
    show_round(SimpleNamespace(steps=steps), as_json=False)
    said, failed = capsys.readouterr()
    assert said.partition(" ")[2] == "let go of 5 of 9 memories: 3 expired, 2 pruned; a (2); b (1); c (1); …\n"
    assert failed == "hippocore: checkpoint failed: StoreBusy\n"
    old = Maintenance((), (), (), (), (), 9, dry_run=False, versions=4)
    show_round(SimpleNamespace(steps=[SimpleNamespace(name="maintain", failed=None, result=old)]), as_json=False)
    said = capsys.readouterr().out.partition(" ")[2]
    assert said == "let go of 0 of 9 memories and 4 old versions of others\n"
    nothing = SimpleNamespace(name="maintain", failed=None, result=Maintenance((), (), (), (), (), 9, dry_run=False))
    show_round(SimpleNamespace(steps=[nothing]), as_json=True)
    assert capsys.readouterr() == ("", "")


def test_a_kind_that_no_memory_has_is_told_where_it_is_none_of_the_usual_ones(run, remembered):
    said = "hippocore: --ttl: no living memory is of the kind 'episodes'\n"
    assert run("maintain", "--dry-run", "--ttl", "episodes=3d", "--ttl", "insight=52w").stderr == said
    run("remember", "the lift is stuck", "--kind", "own")
    done = run("maintain", "--ttl", "own=0.000001s")
    assert "1 expired" in done.stdout
    assert done.stderr == ""
