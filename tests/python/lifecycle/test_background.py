"""The worker of an idle store: when it works, what ends it, and that there is one of all processes."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import threading

import pytest

from hippocore import AccessDenied, AsyncMemoryLayer, Policy, ReadOnlyStore, Retention
from hippocore.lifecycle import worker as workers
from tests.stand_ins import DIM, bag_of_words

LONG = 60  # seconds; ends at once unless something is broken
IDLE, EVERY = 30, 600


class Stepped:
    """Waiting in which no time passes but by `pass_by`, which returns when the worker rests again."""

    def __init__(self):
        self.time = 0.0
        self.rests = 0
        self.changed = threading.Condition()
        self.held = None

    def now(self):
        return self.time

    def wait(self, changed, seconds):
        assert seconds > 0
        with self.changed:
            self.held = changed
            self.rests += 1
            self.changed.notify_all()
        changed.wait()

    def pass_by(self, seconds):
        self.rest(self.move(seconds) + 1)

    def move(self, seconds):
        """Let time pass and wait for nothing; returns how often the worker has rested."""
        self.rest(1)
        rests = self.rests
        with self.held:
            self.time += seconds
            self.held.notify_all()
        return rests

    def rest(self, rests):
        with self.changed:
            assert self.changed.wait_for(lambda: self.rests >= rests, LONG)


@pytest.fixture
def times(monkeypatch):
    """The times of the workers that are begun, in their order."""
    made = []
    monkeypatch.setattr(workers, "Waiting", lambda: made.append(Stepped()) or made[-1])
    return made


@pytest.fixture
def pass_by(times):
    """Let time pass for the worker that was begun last."""
    return lambda seconds: times[-1].pass_by(seconds)


@pytest.fixture
def rounds():
    return []


@pytest.fixture
def background(rounds):
    """Begin idle work whose rounds the test sees."""
    return lambda layer, **options: layer.background(
        **{"idle": IDLE, "every": EVERY, "observer": rounds.append, **options}
    )


@pytest.fixture
def held():
    """What a model waits for; let go in the end whatever happens."""
    event = threading.Event()
    yield event
    event.set()


def names(a_round):
    return [step.name for step in a_round.steps]


def say_the_same(layer, times=3):
    return [layer.remember(f"the nightly build fails on the arm runner {i}", merge=False).id for i in range(times)]


def test_it_works_once_nobody_has_used_the_layer_for_that_long_and_rests_until_something_changed(
    layer, pass_by, background, rounds
):
    worker = background(layer)
    assert worker.status == "idle"
    pass_by(IDLE - 1)
    layer.count()
    pass_by(IDLE - 1)
    assert not rounds
    pass_by(IDLE)
    assert [names(one) for one in rounds] == [["maintain", "build_approximate", "checkpoint", "prepare"]]
    pass_by(10 * EVERY)
    assert len(rounds) == 1
    layer.remember("Never push to main")
    pass_by(EVERY)
    assert len(rounds) == 1  # it was just used
    pass_by(IDLE)
    assert len(rounds) == 2
    assert worker.counts == workers.WorkerCounts(rounds=2, steps=8)
    assert worker.stop(LONG)
    assert worker.status == "stopped"


def test_what_an_agent_or_another_handle_does_is_use_too(opened, pass_by, background, rounds):
    layer = opened(policy=Policy({"coder": {"read": ["a"], "write": ["a"]}}))
    other, agent = opened(), layer.as_agent("coder")
    with background(layer):
        for uses in (lambda: agent.count(scope="a"), lambda: other.remember("elsewhere")):
            pass_by(IDLE - 1)
            uses()
            pass_by(1)  # here it sees that
            assert not rounds
        pass_by(IDLE)
        assert len(rounds) == 1


def test_a_round_lets_go_consolidates_and_summarizes_and_the_next_finds_nothing_to_do(
    opened, pass_by, clock, background, rounds
):
    layer = opened(retention=Retention(ttl={"episode": "30d"}))
    old = layer.remember("a remark").id
    clock.pass_by(31 * 86_400)
    same = say_the_same(layer)
    facts = [layer.remember(f"deploy {i} went out on a {word}", merge=False).id for i, word in enumerate(WORDS)]
    background(layer, consolidate=0.8, summarize=100)
    pass_by(IDLE)
    maintained, consolidated, summarized, *_ = (step.result for step in rounds[0].steps)
    assert [gone.id for gone in maintained.expired] == [old]
    assert [set(made.members) for made in consolidated.made] == [set(same)]
    assert summarized.made
    assert {member for made in summarized.made for member in made.members} <= set(facts)
    for _ in range(3):
        pass_by(EVERY)
    again = {step.name: step.result for step in rounds[-1].steps}
    assert not again["maintain"].expired
    assert not again["consolidate"].made
    assert not again["summarize"].made
    done = len(rounds)
    pass_by(EVERY)
    assert len(rounds) == done


WORDS = [f"w{i} x{i} y{i} z{i} quiet{i} morning{i} after{i} tests{i}" for i in range(40)]


def test_nothing_but_what_is_asked_for_is_done_in_the_scopes_that_are_named(layer, pass_by, background, rounds):
    say_the_same(layer)
    with background(layer, scope="elsewhere", consolidate=0.8, questions=0):
        pass_by(IDLE)
    assert names(rounds[0]) == ["maintain", "consolidate", "build_approximate", "checkpoint"]
    assert rounds[0].steps[0].result.looked_at == 0
    assert layer.count() == 3


def test_a_step_that_fails_is_logged_by_name_and_counted_and_the_others_are_done(
    opened, pass_by, background, rounds, caplog
):
    def embed(texts):
        if fails:
            raise SystemExit("wombat")
        return bag_of_words(texts)

    fails = False
    layer = opened(embedder=embed, embedder_name="words", dim=DIM)
    with background(layer) as worker:
        layer.recall("what fails?")
        fails = True
        pass_by(IDLE)
        pass_by(IDLE)
        assert [(step.name, step.failed) for step in rounds[0].steps][-2:] == [
            ("checkpoint", None),
            ("prepare", "SystemExit"),
        ]
        assert (worker.counts.steps, worker.counts.failed, worker.status) == (3, 1, "idle")
    assert "the step prepare of idle work raised SystemExit" in caplog.text
    assert "wombat" not in caplog.text


def test_an_observer_that_fails_is_logged_and_one_may_close_the_layer(layer, times, caplog):
    def closing(a_round):
        layer.close()
        raise ValueError("wombat")

    worker = layer.background(idle=IDLE, observer=closing)
    times[0].move(IDLE)
    worker._thread.join(LONG)
    assert layer.closed
    assert worker.status == "stopped"
    assert "the observer of idle work raised ValueError" in caplog.text
    assert "wombat" not in caplog.text


def test_stopping_waits_for_no_model_and_leaves_whole_batches(opened, times, held):
    second = threading.Event()
    prompts = []

    def llm(prompt):
        prompts.append(prompt)
        if len(prompts) == 2:
            second.set()
            held.wait()
        return ""

    layer = opened(llm=llm)
    for word in ("nightly build", "staging deploy"):
        for i in range(3):
            layer.remember(f"the {word} fails on the arm runner {i}", merge=False)
    worker = layer.background(idle=IDLE, consolidate=0.9)
    times[0].move(IDLE)
    assert second.wait(LONG)
    assert worker.status == "working"
    assert worker.stop(LONG)
    assert not held.is_set()
    assert (worker.status, worker.counts.interrupted) == ("stopped", 1)
    assert (layer.count(kinds=["fact"]), layer.count(archived=True), layer.count()) == (1, 3, 4)


def test_a_use_of_the_layer_ends_a_round_and_the_next_one_goes_on(opened, pass_by, background, rounds):
    uses = [lambda: layer.count()]
    layer = opened(llm=lambda prompt: str(uses.pop()()) if uses else "")
    reader = opened(read_only=True)  # which is no use of the layer
    say_the_same(layer)
    with background(layer, consolidate=0.8, questions=0) as worker:
        pass_by(IDLE)
        assert [(names(one), one.interrupted) for one in rounds] == [(["maintain"], True)]
        assert (worker.status, reader.count(kinds=["fact"])) == ("idle", 0)
        pass_by(1)  # here it sees the use
        pass_by(IDLE - 1)
        assert len(rounds) == 1
        pass_by(1)
        assert not rounds[1].interrupted
        assert reader.count(kinds=["fact"]) == 1
        assert worker.counts.interrupted == 1


def test_a_layer_has_one_worker_and_only_the_owner_of_a_store_that_can_be_written_has_it(opened, pass_by):
    layer = opened(policy=Policy({"coder": {"read": ["a"], "write": ["a"]}}))
    worker = layer.background()
    with pytest.raises(ValueError, match="has a worker"):
        layer.background()
    assert worker.stop(LONG)
    assert worker.stop()
    layer.background(idle="1h", every=5.0)
    with pytest.raises(AccessDenied):
        layer.as_agent("coder").background()
    reader = opened(read_only=True)
    with pytest.raises(ReadOnlyStore):
        reader.background()
    for wrong in ({"idle": 0}, {"every": "soon"}, {"consolidate": 2.0}, {"summarize": -1}, {"questions": -1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            reader.background(**wrong)
    with pytest.raises(TypeError, match="observer"):
        reader.background(observer=1)


def test_closing_the_layer_stops_its_worker(opened, pass_by):
    layer = opened()
    worker = layer.background()
    layer.close()
    assert worker.status == "stopped"
    assert not [thread for thread in threading.enumerate() if thread.name == "hippocore-worker"]


def test_another_handles_worker_waits_and_takes_over(opened, times, background, rounds):
    first, second = background(opened()), background(opened())
    assert (first.status, second.status) == ("idle", "waiting for another worker")
    times[1].pass_by(EVERY)
    assert not rounds
    assert first.stop(LONG)
    times[1].pass_by(1)
    times[1].pass_by(IDLE)
    assert len(rounds) == 1
    assert second.status == "idle"


IN_A_PROCESS = """
import sys
from hippocore import MemoryLayer
memory = MemoryLayer(sys.argv[1], embedder=None)
print(memory.background(idle="1h").status, flush=True)
"""


def test_a_worker_of_another_process_is_waited_for_until_that_is_killed(layer, path, pass_by, background):
    command = [sys.executable, "-c", f"{IN_A_PROCESS}sys.stdin.read()", path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "idle\n"
        worker = background(layer)
        pass_by(1)
        assert worker.status == "waiting for another worker"
        layer.compact()
        layer.backup(path.with_name("copy.mem"))
        other.kill()
        other.wait()
        pass_by(1)
        assert worker.status == "idle"


def test_the_end_of_the_interpreter_stops_a_worker(layer, path):
    command = [sys.executable, "-c", IN_A_PROCESS, path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "idle\n", "")


def test_a_child_of_fork_has_no_worker(layer, pass_by):
    worker = layer.background()
    if not (child := os.fork()):
        os._exit(0 if worker.status == "stopped" and worker.stop() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert worker.status == "idle"


def test_each_step_has_an_event(layer, pass_by, background, caplog):
    caplog.set_level(logging.INFO, "hippocore.events")
    layer.remember("Never push to main")
    with background(layer, consolidate=0.8, summarize=8_000):
        pass_by(IDLE)
        told = [record.verb for record in caplog.records if record.name == "hippocore.events"]
        assert told == ["maintain", "consolidate", "summarize", "checkpoint", "prepare"]
        layer.recall("What may I push?", approximate=True)  # from now on a graph is in use
        pass_by(1)
        pass_by(EVERY)
    told = [(record.verb, getattr(record, "count", None)) for record in caplog.records[-3:]]
    assert told == [("build_approximate", None), ("checkpoint", None), ("prepare", 1)]
    assert "push" not in caplog.text


def test_an_async_layer_has_a_worker_too(path, pass_by, rounds):
    async def works():
        async with await AsyncMemoryLayer.open(path, embedder=None, dim=4) as memory:
            worker = await memory.background(idle=IDLE, observer=rounds.append)
            pass_by(IDLE)
        return worker

    assert asyncio.run(works()).status == "stopped"
    assert len(rounds) == 1


@pytest.mark.parametrize(("wrong", "error"), [(-1, ValueError), (float("nan"), ValueError), ("1s", TypeError)])
def test_a_wait_that_is_none_is_refused_and_stops_nothing(layer, wrong, error):
    with layer.background() as worker:
        with pytest.raises(error, match="timeout must be"):
            worker.stop(wrong)
        assert worker.status != "stopped"
        assert worker.stop(float("inf"))
