"""`python -m bench --quick` from a command line to its table, with the peers that every test environment has."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bench import year_templates, year_world
from bench.__main__ import options
from bench.data import make, rest_of_score, truth_of
from bench.peers.numpy import Numpy, NumpyFourSignals
from bench.rerank import Reranker
from bench.results import Results, read

ROOT = Path(__file__).parents[2]


def bench(*arguments: str) -> str:
    environment = {**os.environ, "OPENBLAS_CORETYPE": "Haswell"}
    command = [sys.executable, "-m", "bench", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return done.stdout


def test_quick_run_measures_checks_answers_and_writes_the_table(tmp_path):
    said = bench("size", "scopes", "writes", "--quick", "--sizes", "1000", "--peers", "numpy", "--queries", "4",
                 "--seconds", "0.1", "--results", str(tmp_path))  # fmt: skip
    assert "unset for this run: OPENBLAS_CORETYPE" in said
    right = {
        (row["peer"], row["row"]): (row["right_four_signals"], row["right_similarity"])
        for row in read(tmp_path / "size.json")
    }
    assert right["hippocore", "own"][0] == 1
    assert right["numpy", "own"][0] < 0.9
    assert right["numpy", "own"][1] == 1
    assert right["numpy", "rerank"][0] >= 0.99
    (scoped,) = (row for row in read(tmp_path / "scopes.json") if row["peer"] == "hippocore")
    assert (scoped["count"], scoped["scopes"], scoped["right_four_signals"]) == (1_000, 10, 1)
    unwritten = [row["why"] for row in read(tmp_path / "writes.json") if row["peer"] == "numpy"]
    assert unwritten == ["keeps nothing by itself: its user saves it whole"]
    table = (tmp_path / "README.md").read_text()
    assert "### 1,000 × 384 (synthetic clusters)" in table
    assert "- numpy: keeps nothing by itself" in table


def test_an_unknown_peer_is_wrong_usage(capsys):
    with pytest.raises(SystemExit) as refused:
        options(["--peers", "nobody"])
    assert refused.value.code == 2
    assert "there is no nobody" in capsys.readouterr().err


def test_the_truth_is_what_every_memory_scores(tmp_path):
    data = make(tmp_path, 400, 8, queries=3)
    truth = truth_of(data, 3, 10)
    cosines = np.array([[vector @ query for vector in data.vectors] for query in data.queries], float)
    lengths = np.outer(np.linalg.norm(data.queries, axis=1), np.linalg.norm(data.vectors, axis=1))
    scores = 0.5 * np.maximum(cosines / lengths, 0) + rest_of_score(data)
    assert truth.score == pytest.approx(np.sort(scores, axis=1)[:, -10], abs=1e-6)
    best = np.argsort(-scores[0])
    assert truth.share(0, best[:10], fused=True) == 1
    assert truth.share(0, np.append(best[:8], best[-2:]), fused=True) == 0.8
    assert truth.share(0, np.repeat(best[:5], 2), fused=True) == 0.5


def test_a_rerank_of_everything_is_the_four_signal_answer(tmp_path):
    data = make(tmp_path, 400, 8, queries=3)
    for peer in (Numpy(tmp_path, data), NumpyFourSignals(tmp_path, data)):
        peer.fill()
        peer.open()
    similar, four_signals = Numpy(tmp_path, data), NumpyFourSignals(tmp_path, data)
    similar.open()
    four_signals.open()
    query = np.array(data.queries[1])
    reranked = Reranker(data).top(query, similar.ask(query, 400, None), 10)
    assert reranked.tolist() == four_signals.ask(query, 10, None).positions.tolist()


def test_a_row_measured_again_replaces_the_older_one(tmp_path):
    row = {"scenario": "size", "peer": "faiss flat", "count": 1, "dimension": 2, "scopes": 1, "vectors": "some"}
    results = Results(tmp_path, {"cpu": "a cpu"})
    for more in ({"row": "own", "p50_ms": 1.23456}, {"row": "rerank", "p50_ms": 2.0}, {"row": "own", "p50_ms": 3.0}):
        results.add({**row, **more})
    assert [each["p50_ms"] for each in read(tmp_path / "size.json")] == [2.0, 3.0]
    results.add({**row, "why": "not installed (no module faiss)"})
    assert [each.get("why") for each in read(tmp_path / "size.json")] == ["not installed (no module faiss)"]
    results.add({**row, "row": "own", "p50_ms": 1.23456})
    text = json.loads((tmp_path / "size.json").read_text())
    assert [(each["p50_ms"], each["machine"]) for each in text] == [(1.235, {"cpu": "a cpu"})]


def test_the_year_is_the_same_for_its_seed_and_no_sentence_is_in_both_sets():
    tuning, report = year_templates.sentences(year_templates.TUNING), year_templates.sentences(year_templates.REPORT)
    turns = [[turn.said for turn in year_world.World(report, 20, seed).session(3)] for seed in (1, 1, 2)]
    assert turns[0] == turns[1] != turns[2]
    told = [{line for one in of.families for line in (*one.tells, *one.changes)} for of in (tuning, report)]
    assert (len(told[1]), len(told[0] & told[1])) == (48, 4)  # as is said there
    assert not {rule for rule, _ in tuning.rules} & {rule for rule, _ in report.rules}
    assert not set(tuning.chatter) & set(report.chatter)


def test_a_value_is_stated_as_a_whole_and_of_its_own_thing():
    family = year_templates.Family("port", "port", [], [], [], [])
    fact = year_world.Fact(family, "the mailer", [])
    assert year_world.stated("The mailer listens on port 25.", fact, ["25"])
    for other in (
        "The mailer listens on port 250.",
        "The mailer runs 2.25",
        "The mailers use 25",
        "The parser is at 25",
    ):
        assert not year_world.stated(other, fact, ["25"])
