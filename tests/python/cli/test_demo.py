"""The demo: what it reads, the week it tells, and that the fused score beats cosine alone on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hippocore.cli.app import app
from hippocore.cli.demo.build import build, default_path, is_demo, moment
from hippocore.cli.demo.docstrings import LONGEST, collect, paragraphs, source_files
from hippocore.cli.demo.questions import BUDGET, QUESTIONS
from hippocore.cli.demo.week import USES, WEEK

LIMIT = "300"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A demo of few docstrings, run twice: (the store's path, the first run's JSON, the second's)."""
    path = tmp_path_factory.mktemp("demo") / "demo.mem"
    runs = [CliRunner().invoke(app, ["demo", "--store", str(path), "--limit", LIMIT, "--json"]) for _ in range(2)]
    assert [run.exit_code for run in runs] == [0, 0], runs
    return path, *(json.loads(run.stdout) for run in runs)


def test_the_demo_remembers_docstrings_and_the_week(made):
    _, first, _ = made
    corrected = sum(bool(turn.corrects) for turn in WEEK)
    assert first["memories"] == int(LIMIT) + len(WEEK) - corrected
    assert first["made_seconds"] > 0


def test_a_second_run_opens_the_store_it_made(made):
    path, first, second = made
    assert second["made_seconds"] is None
    assert 0 < second["opened_seconds"] < first["made_seconds"]
    assert second["memories"] == first["memories"]
    assert list(path.parent.iterdir()) == [path]


def test_every_block_keeps_to_its_budget_and_every_recall_is_timed(made):
    for question in made[1]["questions"]:
        assert 0 < question["tokens"] <= BUDGET == question["budget"]
        assert question["recall_seconds"] > 0
        assert question["text"]


def test_among_few_texts_every_answer_is_found_and_comes_first(made):
    for question, expected in zip(made[1]["questions"], QUESTIONS, strict=True):
        assert question["fused"]["wanted"] == len(expected.wanted), question["question"]
        assert question["fused"]["memories"][0]["memory"]["metadata"]["turn"] in expected.wanted


def test_among_the_whole_library_the_fused_score_beats_cosine_alone_on_every_question(tmp_path):
    result = CliRunner().invoke(app, ["demo", "--store", str(tmp_path / "demo.mem"), "--json"])
    answers = json.loads(result.stdout)
    assert answers["memories"] > 5000
    assert answers["made_seconds"] < 60
    for question, expected in zip(answers["questions"], QUESTIONS, strict=True):
        fused, cosine = question["fused"], question["cosine"]
        first = fused["memories"][: len(expected.wanted)]
        assert {row["memory"]["metadata"].get("turn") for row in first} == set(expected.wanted)
        assert fused["misleading"] == 0
        assert (fused["wanted"], -fused["misleading"]) > (cosine["wanted"], -cosine["misleading"])


def test_no_corrected_fact_reaches_a_block(made):
    corrected = {turn.corrects for turn in WEEK if turn.corrects}
    shown = [row["memory"] for question in made[1]["questions"] for row in question["memories"]]
    assert corrected.isdisjoint(memory["metadata"].get("turn") for memory in shown)


def test_the_fact_of_every_day_has_been_used_every_day(made):
    tests = made[1]["questions"][1]
    first = tests["fused"]["memories"][0]
    assert first["memory"]["metadata"]["turn"] == "run-tests"
    assert first["memory"]["use_count"] == 6
    assert first["recency"] > 0.9


def test_the_demo_prints_blocks_tables_and_times(made):
    text = CliRunner().invoke(app, ["demo", "--store", str(made[0])]).stdout
    for question in QUESTIONS:
        assert question.text in text
    for word in ("relevance", "recency", "importance", "usage", "by cosine alone", "of 400 tokens", "opened "):
        assert word in text
    assert text.count("without the embedding") == len(QUESTIONS)


def test_a_path_with_something_else_is_left_alone(tmp_path):
    other = tmp_path / "notes"
    other.mkdir()
    (other / "note.txt").write_text("mine")
    result = CliRunner().invoke(app, ["demo", "--store", str(other), "--fresh", "--limit", "1"])
    assert result.exit_code == 1
    assert (other / "note.txt").read_text() == "mine"


def test_fresh_makes_the_store_anew(tmp_path):
    path = tmp_path / "demo.mem"
    build(path, now=1.7e9, limit=1)
    result = CliRunner().invoke(app, ["demo", "--store", str(path), "--fresh", "--limit", "2", "--json"])
    assert json.loads(result.stdout)["made_seconds"] > 0
    assert is_demo(path)


def test_a_failed_build_leaves_nothing(tmp_path, monkeypatch):
    def fails(*arguments, **options):
        raise OSError("the disk went away")

    monkeypatch.setattr("hippocore.cli.demo.build.collect", fails)
    with pytest.raises(OSError, match="went away"):
        build(tmp_path / "demo.mem", now=1.7e9)
    assert list(tmp_path.iterdir()) == []


def test_the_store_of_the_demo_lies_in_the_cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert default_path() == tmp_path / "cache" / "hippocore-demo.mem"
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked / "cache"))
    assert default_path().name.endswith("-hippocore-demo.mem")


def test_the_week_is_in_order_and_consistent():
    times = [(turn.day, turn.time) for turn in WEEK]
    assert times == sorted(times)
    named = {turn.name: turn for turn in WEEK if turn.name}
    assert len(named) == sum(bool(turn.name) for turn in WEEK)
    for turn in WEEK:
        assert not turn.corrects or (named[turn.corrects].day, named[turn.corrects].time) < (turn.day, turn.time)
    for use in USES:
        assert (named[use.name].day, named[use.name].time) < (use.day, use.time)
    for question in QUESTIONS:
        assert {*question.wanted, *question.misleading} <= set(named)


def test_the_week_ends_the_day_before_now():
    noon = 1_700_049_600.0
    assert noon - moment(6, "12:00", noon) == 86400
    assert noon - moment(0, "12:00", noon) == 7 * 86400


def test_docstrings_are_read_without_importing(tmp_path):
    package = tmp_path / "shapes"
    package.mkdir()
    (package / "__init__.py").write_text('"""About shapes."""\nraise SystemExit("imported")\n')
    (package / "round.py").write_text(
        'if True:\n    class Circle:\n        """A circle."""\n        def area(self):\n            """Its area."""\n'
    )
    (package / "broken.py").write_text("def (:\n")
    (package / "test").mkdir()
    (package / "test" / "test_round.py").write_text('"""A test."""\n')
    found = collect(tmp_path)
    assert [(doc.scope, doc.text, doc.source) for doc in found] == [
        (("python", "shapes"), "shapes: About shapes.", "shapes/__init__.py:1"),
        (("python", "shapes", "round"), "shapes.round.Circle: A circle.", "shapes/round.py:2"),
        (("python", "shapes", "round"), "shapes.round.Circle.area: Its area.", "shapes/round.py:4"),
    ]


def test_the_standard_library_has_thousands_of_texts_and_no_tests():
    read = []
    found = collect(read=read.append)
    assert len(found) > 5000
    assert len(read) == len(source_files())
    assert {doc.module for doc in found} >= {"json", "json.decoder", "asyncio.queues", "argparse"}
    assert not any("test" in Path(doc.source.partition(":")[0]).parts for doc in found)


@pytest.mark.parametrize(
    "text", ["a\n\nb", "word " * 500, "line of text\n" * 200, ("p" * 300 + "\n\n") * 5, "\n\n", ""]
)
def test_paragraphs_lose_nothing_and_keep_to_the_length(text):
    parts = paragraphs(text)
    assert all(0 < len(part) <= LONGEST for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_short_paragraphs_stay_together():
    assert paragraphs("one\n\ntwo") == ["one\n\ntwo"]
    assert paragraphs("p" * 300 + "\n\n" + "q" * 300) == ["p" * 300, "q" * 300]
