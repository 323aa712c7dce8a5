"""Hooks run behind the turn, in order, and whatever they do never reaches it."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import os
import subprocess
import sys
import threading
import warnings
from functools import partial

import pytest

from hippocore import HippocoreWarning, StoreClosed
from hippocore.lifecycle.background import Background
from hippocore.lifecycle.hooks import HookCounts, Hooks, SessionEnded

TABS = "I prefer tabs over spaces."


@pytest.fixture
def hooks():
    made = Hooks()
    yield made
    made.close()


@pytest.fixture
def held():
    """A hook that waits until it is let go; let go in the end whatever happens."""
    event = threading.Event()
    yield event
    event.set()


def of_hooks():
    return [thread for thread in threading.enumerate() if thread.name == "hippocore-hooks"]


def test_after_a_turn_and_at_a_sessions_end_hooks_are_called_in_order(layer):
    seen = []
    layer.hooks.add("after_turn", lambda event: seen.append(("first", event.session)))
    layer.hooks.add("after_turn", lambda event: seen.append(("second", event.turn.user_message)))
    layer.hooks.add("on_session_end", seen.append)
    for message in ("a", "b"):
        layer.observe_turn(message, session="s")
    layer.end_session("s")
    assert layer.drain(60)
    assert seen == [("first", "s"), ("second", "a"), ("first", "s"), ("second", "b"), SessionEnded("s")]
    with pytest.raises(ValueError, match="session must not be empty"):
        layer.end_session("")


def test_an_event_tells_what_became_of_the_turn_and_its_repr_shows_nothing(layer):
    seen = []
    layer.hooks.add("after_turn", seen.append)
    outcomes = layer.observe_turn(TABS, scope=("user", "a/b"), reward=0.5)
    layer.drain()
    [event] = seen
    assert (event.scope, event.session, event.reward, event.remembered) == ("user/a\\/b", None, 0.5, tuple(outcomes))
    assert "tabs" not in repr(event)


def test_a_turn_never_waits_for_a_hook(layer, held):
    layer.hooks.add("after_turn", lambda event: held.wait())
    layer.observe_turn(TABS)
    assert layer.hooks.counts() == HookCounts(asked=1)
    assert not layer.drain(0.001)
    held.set()
    assert layer.drain(60)
    assert layer.hooks.counts() == HookCounts(asked=1, ended=1)


def test_async_hooks_run_in_order_on_one_loop_with_the_context_of_the_turn(hooks):
    name, seen = contextvars.ContextVar("name", default="nobody"), []

    async def later(event):
        await asyncio.sleep(0)
        seen.append((event, name.get(), asyncio.get_running_loop()))

    hooks.add("mine", later)
    hooks.add("mine", partial(later))
    hooks.add("mine", lambda event: later("returned"))
    contextvars.copy_context().run(lambda: (name.set("ada"), hooks.fire("mine", 1)))
    hooks.drain()
    hooks.fire("mine", 2)
    hooks.drain()
    assert [(event, who) for event, who, _ in seen] == [
        (1, "ada"), (1, "ada"), ("returned", "ada"), (2, "nobody"), (2, "nobody"), ("returned", "nobody"),
    ]  # fmt: skip
    assert len({id(loop) for *_, loop in seen}) == 1


def raising(event):
    raise ValueError(f"wombat {event}")


async def raising_later(event):
    raise KeyError(f"wombat {event}")


def exiting(event):
    sys.exit("wombat")


def test_a_failing_hook_is_logged_by_name_and_counted_and_the_next_ones_run(layer, caplog):
    caplog.set_level(logging.DEBUG)
    seen = []
    for hook in (raising, raising_later, exiting, seen.append):
        layer.hooks.add("after_turn", hook)
    assert layer.observe_turn(TABS + " Call me Wombat.")
    layer.drain()
    assert len(seen) == 1
    assert layer.hooks.counts() == HookCounts(asked=4, ended=4, failed=3)
    assert [record.getMessage() for record in caplog.records if record.name == "hippocore.lifecycle.hooks"] == [
        "a hook of after_turn, raising, raised ValueError",
        "a hook of after_turn, raising_later, raised KeyError",
        "a hook of after_turn, exiting, raised SystemExit",
    ]
    assert "wombat" not in caplog.text.lower()


def test_a_hook_that_was_removed_is_not_called_any_more(hooks):
    seen = []
    hooks.add("mine", seen.append)
    hooks.add("mine", seen.append)
    hooks.remove("mine", seen.append)
    hooks.fire("mine", 1)
    hooks.fire("other", 2)
    hooks.drain()
    assert seen == [1]
    with pytest.raises(ValueError, match="no hook of 'other'"):
        hooks.remove("other", seen.append)
    for wrong, error in ((("", print), ValueError), (("mine", 1), TypeError)):
        with pytest.raises(error):
            hooks.add(*wrong)
    assert hooks.drain(float("inf"))
    with pytest.raises(ValueError, match="timeout"):
        hooks.drain(-1)


def test_no_thread_stays_when_nothing_is_to_be_done(hooks, held):
    hooks.add("mine", lambda event: held.wait())
    firing = threading.Thread(target=hooks.fire, args=("mine", 1), daemon=True)
    firing.start()
    firing.join()
    [thread] = of_hooks()
    assert not thread.daemon
    held.set()
    thread.join()
    assert of_hooks() == []


@pytest.fixture
def let_go_when_waited_for(held, monkeypatch):
    def let_go_and_wait(background, timeout=None):
        held.set()
        return wait(background, timeout)

    wait = Background.drain
    monkeypatch.setattr(Background, "drain", let_go_and_wait)


@pytest.mark.usefixtures("let_go_when_waited_for")
def test_an_agents_hook_may_use_the_agents_layer_and_closing_that_waits_for_it(opened, policy, held):
    owner = opened(policy=policy)
    coder = owner.as_agent("coder")
    coder.hooks.add("after_turn", lambda event: held.wait() and coder.remember("by a hook", scope="agent:coder"))
    coder.observe_turn("Hello!", scope="agent:coder")
    coder.close()
    assert owner.count() == 1


@pytest.mark.usefixtures("let_go_when_waited_for")
def test_a_hook_may_use_the_layer_and_closing_waits_for_it(opened, layer, held):
    layer.hooks.add("after_turn", lambda event: held.wait() and layer.remember("written by a hook"))
    layer.observe_turn("Hello!")
    layer.close()
    assert [one.content for one in opened().list()] == ["written by a hook"]
    with pytest.raises(StoreClosed):
        layer.end_session("s")


def test_a_hook_cannot_wait_for_itself_and_may_close_the_layer(layer):
    def waiting(event):
        layer.drain()

    layer.hooks.add("after_turn", waiting)
    layer.hooks.add("after_turn", lambda event: layer.close())
    hooks = layer.hooks
    layer.observe_turn("Hello!")
    assert hooks.drain(60)
    assert hooks.counts() == HookCounts(asked=2, ended=2, failed=1)
    assert layer.closed


def test_many_threads_fire_and_every_event_arrives_once_in_each_threads_order(hooks):
    seen = []
    hooks.add("mine", seen.append)
    threads = [threading.Thread(target=lambda n=n: [hooks.fire("mine", (n, i)) for i in range(200)]) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    hooks.drain()
    for n in range(4):
        assert [event for event in seen if event[0] == n] == [(n, i) for i in range(200)]
    assert len(seen) == 800


def test_an_agents_hooks_see_its_own_turns_and_the_owners_see_all(opened, policy):
    owner = opened(policy=policy)
    coder, alone = owner.as_agent("coder"), owner.as_agent("alone")
    seen = {"owner": [], "coder": [], "alone": []}
    for name, one in (("owner", owner), ("coder", coder), ("alone", alone)):
        one.hooks.add("after_turn", lambda event, name=name: seen[name].append(event.scope))
    coder.observe_turn("Hello!", scope="agent:coder")
    alone.observe_turn("Hello!", scope="agent:alone")
    alone.close()
    owner.observe_turn("Hello!")
    owner.drain()
    assert seen == {
        "owner": ["agent:coder", "agent:alone", "default"],
        "coder": ["agent:coder"],
        "alone": ["agent:alone"],
    }


def test_what_was_begun_is_done_where_the_interpreter_ends(tmp_path):
    script = (
        "import sys, threading\n"
        "from hippocore import MemoryLayer\n"
        "memory = MemoryLayer(sys.argv[1], embedder=None, dim=3)\n"
        "def hook(event):\n"
        "    threading.main_thread().join()\n"
        "    print(event.turn.user_message, flush=True)\n"
        "memory.hooks.add('after_turn', hook)\n"
        "for message in ('first', 'second'):\n"
        "    memory.observe_turn(message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "new.mem"], capture_output=True, text=True, check=True
    )
    assert (done.stdout.split(), done.stderr) == (["first", "second"], "")


def test_a_forked_child_waits_for_no_hook_and_fires_none(layer, held):
    layer.hooks.add("after_turn", lambda event: held.wait())
    layer.observe_turn("Hello!")
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        told = []
        for verb in (layer.drain, lambda: layer.end_session("s"), lambda: layer.observe_turn(TABS), layer.close):
            try:
                told.append(repr(verb()))
            except BaseException as error:
                told.append(type(error).__name__)
        os.write(writing, " ".join(told).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == b"True ForkedHandle ForkedHandle ForkedHandle"
    os.waitpid(child, 0)
    held.set()
    assert layer.drain(60)


@pytest.mark.parametrize(("said", "meant"), [("after_trun", "after_turn"), ("session_end", "on_session_end")])
def test_a_name_that_seems_misspelt_is_told(hooks, said, meant):
    with pytest.warns(HippocoreWarning, match=f"did you mean '{meant}'"):
        hooks.add(said, print)


def test_a_name_of_the_callers_own_is_not_told(hooks):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("after_turn", "on_session_end", "before_turn", "on_session_start", "deployed"):
            hooks.add(name, print)
