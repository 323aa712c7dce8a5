"""Events: who listens to "hippocore.events" hears of each recall, write and upkeep, and never what a memory says."""

import asyncio
import inspect
import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hippocore
from hippocore import ALL, AsyncMemoryLayer, MemoryLayer, Policy, events

CANARY = "zanzibar wombat 4711"
SOURCES = str(Path(hippocore.__file__).parents[1])


@pytest.fixture
def heard(caplog):
    """The records of a verb, with everything that is told."""
    caplog.set_level(logging.DEBUG, logger=events.LOGGER)

    def of(verb):
        return [record for record in caplog.records if record.name == events.LOGGER and record.verb == verb]

    return of


def test_a_recall_tells_what_it_found_and_how_long_it_took(layer, heard):
    first = layer.remember("the build failed").id
    layer.remember("tea is green")
    hits = layer.recall("build")
    (record,) = heard("recall")
    assert (record.levelname, record.store, record.agent) == ("DEBUG", layer.path, None)
    assert (record.results, record.ids[0]) == (2, first)
    assert record.scores == [hit.score for hit in hits]
    assert record.why == [hit.why for hit in hits]
    assert 0 < record.seconds < 60
    assert re.fullmatch(r"verb=recall seconds=\S+ store=\S+ results=2 confidence=\S+", record.getMessage())


def test_several_recalls_at_once_are_one_event(layer, heard):
    layer.remember("the build failed")
    layer.recall_many(["build", "tea"], limit=5)
    assert [(record.queries, record.results) for record in heard("recall_many")] == [(2, 2)]


def test_a_context_tells_its_tokens(layer, heard):
    layer.remember("the build failed")
    layer.remember("word " * 900)
    block = layer.context("build", budget=100)
    (record,) = heard("context")
    assert (record.results, record.tokens, record.skipped) == (1, block.tokens, 1)
    assert record.confidence == block.confidence
    assert not heard("recall")


def test_writes_tell_what_became_of_them(layer, heard):
    done = layer.remember("the build failed")
    layer.remember("The build failed!")
    layer.remember_many([{"content": "a"}, {"content": "b"}, {"content": "a"}])
    layer.update(done.id, importance=0.9)
    layer.feedback([done.id], useful=True)
    layer.forget(done.id)
    layer.forget_where(scope=ALL)
    assert [(one.id, one.action) for one in heard("remember")] == [(done.id, "stored"), (done.id, "merged")]
    assert [(one.items, one.stored, one.merged) for one in heard("remember_many")] == [(3, 2, 1)]
    assert [(one.id, one.levelname) for one in heard("update")] == [(done.id, "DEBUG")]
    assert [(one.count) for one in heard("forget") + heard("forget_where")] == [1, 2]
    assert len(heard("feedback")) == 1


def test_a_turn_tells_how_many_it_wrote(layer, heard):
    done = layer.observe_turn("I prefer tabs over spaces.", "Noted.")
    layer.learn(done, success=True)
    (turn,), (learned,) = heard("observe_turn"), heard("learn")
    assert (turn.items, turn.stored, learned.count) == (len(done), len(done), len(done))


def test_upkeep_tells_its_counts(layer, heard, tmp_path):
    for _ in range(3):
        layer.remember("the build failed", merge=False)
    layer.verify()
    layer.consolidate()
    layer.export(tmp_path / "export.jsonl")
    (verified,), (consolidated,), (exported,) = map(heard, ("verify", "consolidate", "export"))
    assert (verified.levelname, verified.ok, verified.memories, verified.damaged) == ("INFO", True, 3, 0)
    assert (consolidated.made, consolidated.left, consolidated.dry_run) == (1, 0, False)
    assert exported.count == 4
    expired = layer.remember("old", merge=False, expires_at=1.0).id
    layer.maintain()
    (maintained,) = heard("maintain")
    assert (maintained.expired, maintained.pruned, maintained.dry_run, expired in layer) == (1, 0, False, False)
    assert [why.rpartition(": ")[2] for why in maintained.why + consolidated.why] == ["1", "1"]
    assert consolidated.why[0].startswith("similarity of 0.80 or more")


def test_info_is_upkeep_alone(layer, heard, caplog):
    caplog.set_level(logging.INFO, logger=events.LOGGER)
    layer.remember("the build failed")
    layer.recall("build")
    layer.forget_where(scope=ALL)
    layer.checkpoint()
    assert {record.verb for record in caplog.records} == {"checkpoint"}


def test_without_a_listener_nothing_is_told(layer, caplog):
    logging.getLogger(events.LOGGER).setLevel(logging.NOTSET)
    with caplog.at_level(logging.WARNING):
        layer.remember("the build failed")
        layer.recall("build")
        layer.checkpoint()
    assert not caplog.records


def test_a_verb_that_raises_has_no_event(layer, heard):
    with pytest.raises(ValueError, match="limit"):
        layer.recall("build", limit=-1)
    with pytest.raises(hippocore.MemoryNotFound):
        layer.forget("nothing")
    assert not heard("recall") + heard("forget")


def test_an_agents_events_say_whose_they_are(opened, heard):
    owner = opened(policy=Policy({"ann": {"read": ["ann"], "write": ["ann"]}}))
    owner.as_agent("ann").remember("tea", scope="ann", id="mine")
    assert [(record.agent, record.id) for record in heard("remember")] == [("ann", "mine")]


def test_an_async_layer_tells_as_well(layer, heard):
    asyncio.run(AsyncMemoryLayer(layer).remember("tea"))
    assert len(heard("remember")) == 1


def test_no_event_shows_a_content_a_query_a_source_a_scope_or_a_tag(opened, heard, caplog, tmp_path):
    layer = opened()
    for _ in range(3):
        said = {"scope": CANARY, "source": CANARY, "tags": [CANARY], "metadata": {CANARY: CANARY}, "merge": False}
        identifier = layer.remember(CANARY, **said).id
    layer.update(identifier, content=f"{CANARY} again")
    layer.recall(CANARY, scope=CANARY, kinds=["episode"])
    layer.recall_many([CANARY], scope=CANARY)
    layer.context(CANARY, scope=CANARY)
    layer.consolidate(scope=CANARY)
    layer.summarize(scope=CANARY)
    layer.reflect(scope=CANARY)
    layer.verify()
    layer.forget_where(scope=CANARY, tags=[CANARY])
    told = [record for record in caplog.records if record.name == events.LOGGER]
    assert len(told) == 12
    assert "wombat" not in repr([vars(record) for record in told])


READING = {"get", "history", "embeddings", "list", "count", "scopes", "stats", "as_agent", "close"}
READING |= {"drain", "end_session", "turn_counts", "background"}


def test_every_verb_but_those_that_only_look_something_up_tells_of_itself():
    verbs = {name for name, verb in inspect.getmembers(MemoryLayer, inspect.isfunction) if name[0] != "_"}
    themselves = {"recall", "recall_many", "context", "remember", "remember_many"}
    wrapped = {name for name in verbs if hasattr(getattr(MemoryLayer, name), "__wrapped__")}
    assert verbs == READING | themselves | wrapped


def test_nothing_imports_logging_and_who_does_later_is_heard(tmp_path):
    script = f"""
import sys
sys.path.insert(0, {SOURCES!r})
from hippocore import MemoryLayer
memory = MemoryLayer({str(tmp_path / "x.mem")!r}, embedder=None, dim=2)
memory.remember("a", embedding=[1, 2])
memory.recall()
memory.checkpoint()
assert "logging" not in sys.modules
import logging
logging.basicConfig(level=logging.DEBUG, stream=sys.stdout, format="%(verb)s %(results)d")
memory.recall()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert done.stdout == "recall 1\n"
