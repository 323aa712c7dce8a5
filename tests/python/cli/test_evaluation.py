"""eval on a tiny data set of invented text; tests/python/evaluate has the figures themselves."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import pytest

from hippocore.cli import rows

LINES = [
    {"memory": "The otter sleeps in the boathouse.", "id": "m1", "scope": "river", "source": "may"},
    {"memory": "The heron nests on the mill.", "id": "m2", "scope": "river", "source": "may"},
    {"memory": "The otter moved to the weir.", "id": "m3", "scope": "river", "speaker": "Jan"},
    {"memory": "The tram to the fair is green.", "id": "m1", "scope": "town", "speaker": "Lena"},
    {"question": "Where does the otter sleep?", "expected": ["m3"], "outdated": ["m1"], "scope": "river"},
    {"question": "Where is the heron's nest?", "expected": ["m2"], "scope": "river", "category": "birds"},
    {"question": "Which colour has the tram?", "expected": ["m1"], "scope": "town", "category": "trams"},
    {"question": "Who is the queen?", "expected": ["m1"], "scope": "town", "category": "none", "apart": True},
]


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)), encoding="utf-8")
    return str(path)


def test_eval_prints_what_was_found_and_makes_no_store(run, data, store):
    text = run("eval", data, "--halves").stdout
    assert "jsonl: 2 conversations, 4 memories, 4 questions" in text
    for said in ("all", "category birds", "no category", "conversations 1", "apart: category none", "nDCG", "stale"):
        assert said in text
    assert "in a context of 1000 tokens" in text
    assert "without embedding the question" in text
    assert not store.exists()


def test_eval_fits_a_terminal_of_80_columns(run, data, monkeypatch):
    monkeypatch.setattr(rows, "WIDTH_OF_FILES", 80)
    lines = run("eval", data, "--halves").stdout.splitlines()
    assert [line.split()[0] for line in lines if "1.000" in line][:3] == ["all", "no", "category"]
    assert "…" not in "".join(lines)


def test_eval_as_json_has_every_figure(answer, data):
    said = answer("eval", data)
    assert said["data"] == {"format": "jsonl", "conversations": 2, "memories": 4, "questions": 4, "left_out": 0}
    (made,) = said["runs"]
    assert made["setting"] == "local, hybrid"
    assert made["all"]["questions"] == 3
    assert made["all"]["figures"]["recall@5"] == 1
    assert made["all"]["figures"]["stale@5"] == 1
    assert made["apart"]["none"]["questions"] == 1
    assert made["latency"]["p50"] > made["latency"]["p50_without_embedding"] > 0
    assert said["differences"] == {}


def test_eval_of_two_settings_says_their_difference(run, answer, data):
    said = answer("eval", data, "--compare", "mode=dense,speakers=none")
    assert [made["setting"] for made in said["runs"]] == ["local, hybrid", "local, dense, speakers=none"]
    interval = said["differences"]["mrr"]
    assert interval["low"] <= interval["difference"] <= interval["high"]
    assert interval["level"] == 0.95
    text = run("eval", data, "--compare", "mode=lexical").stdout
    assert "second: local, lexical" in text
    assert "95 % from" in text


def test_eval_takes_a_ranking_and_the_other_options(answer, data):
    options = ["--mode", "lexical", "--limit", "1", "--budget", "60", "--no-source", "--ranking", "relevance=1"]
    harder = ["--speakers", "shuffled", "--no-time", "--shuffle", "--seed", "7"]
    (made,) = answer("eval", data, *options, "--format", "jsonl", *harder)["runs"]
    assert made["setting"] == "local, lexical, speakers=shuffled, sources=no, times=no, order=shuffled, relevance=1.0"
    assert made["budget"] == 60
    assert made["all"]["figures"]["context_tokens"] <= 60


def test_eval_by_replies_asks_what_was_said(answer, tmp_path):
    texts = [
        "Is the gate open on Sundays?",
        "It is, until six.",
        "And where do I leave the boat?",
        "At the weir.",
    ]
    turns = [{"memory": text, "id": f"m{i}", "speaker": "AB"[i % 2]} for i, text in enumerate(texts)]
    question = {"question": "Is it?", "expected": ["m1"]}
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, [*turns, question])))
    said = answer("eval", str(tmp_path / "log.jsonl"), "--replies")
    assert (said["data"]["memories"], said["data"]["questions"]) == (2, 2)
    assert said["runs"][0]["all"]["figures"]["recall@5"] == 1


def test_eval_of_abstention_prints_how_well_confidence_tells(run, answer, data):
    (said,) = answer("eval", data, "--abstention", "--speakers", "neutral")
    assert (said["right"], said["wrong"]) == (3, 3)
    assert said["auroc"] > 0.5
    assert said["right_mean"] > said["wrong_mean"]
    text = run("eval", data, "--abstention", "--compare", "lexical_weight=1").stdout
    assert "AUROC" in text
    assert "local, hybrid, lexical_weight=1.0" in text


def test_eval_draws_a_picture(run, data, tmp_path):
    run("eval", data, "--picture", str(tmp_path / "found.svg"))
    assert ElementTree.parse(tmp_path / "found.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    result = run("eval", data, "--picture", str(tmp_path / "found.png"), code=2)
    assert "name a file that ends in .svg" in " ".join(result.stderr.split())
    assert not (tmp_path / "found.png").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--format", "locomo"], "line 2, column 1 is not JSON"),
    ],
)
def test_what_eval_cannot_do_is_one_line(run, data, options, said):
    result = run("eval", data, *options, code=1)
    assert result.stderr.count("\n") == 1
    assert said in result.stderr
    assert result.stdout == ""


def test_eval_of_a_file_that_is_not_there_or_is_wrong_is_one_line(run, tmp_path):
    result = run("eval", str(tmp_path / "none.jsonl"), code=1)
    assert result.stderr == f"hippocore: No such file or directory: {tmp_path / 'none.jsonl'}\n"
    (tmp_path / "wrong.jsonl").write_text('{"memory": "a secret"}')
    result = run("eval", str(tmp_path / "wrong.jsonl"), code=1)
    assert result.stderr == f"hippocore: {tmp_path / 'wrong.jsonl'}: line 1: field 'id' is missing\n"


def test_tune_prints_that_nothing_was_gained(run, data):
    text = run("tune", data, "--folds", "2").stdout
    assert "start: relevance=0.5, recency=0.25, importance=0.15, usage=0.1, lexical_weight=0.5" in text
    assert "the same for all memories, so that their weights cannot matter: recency, importance, usage" in text
    assert "river" in text
    assert "The held-out questions show no gain: keep the weights that you have." in text


def test_tune_prints_what_was_gained_and_the_ranking_to_use(run, answer, tmp_path):
    objects = []
    for scope in ("a", "b", "c", "d"):
        objects.append({"memory": "Is the door open?", "id": "m1", "scope": scope, "importance": 0})
        objects.append({"memory": "Take the window.", "id": "m2", "scope": scope, "importance": 1})
        objects.append({"question": "Is the door open?", "expected": ["m2"], "scope": scope})
    path = tmp_path / "doors.jsonl"
    path.write_text("\n".join(map(json.dumps, objects)))
    options = ["tune", str(path), "--limit", "1", "--ranking", "relevance=1"]
    text = run(*options).stdout
    assert "recall@1 of held-out questions: 0.0000 before, 1.0000 after: +1.0000 (95 %: +1.0000 to +1.0000)" in text
    assert "They gain. Fitted to all questions: Ranking(relevance=" in text
    said = answer(*options)
    assert said["gained"] is True
    assert said["weights"]["importance"] > 0
    assert said["gain"]["low"] == 1


PAIRS = [
    {"a": "The staging host is db1.", "b": "Staging host: db1", "same": True},
    {"a": "Otters sleep in the boathouse", "b": "The otters sleep in the boathouse.", "same": True},
    {"a": "Ada lives in Paris", "b": "Ada lives in Rome", "same": False},
]


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(map(json.dumps, PAIRS)))
    return str(path)


def test_tune_prints_the_duplicate_threshold_of_ones_own_pairs(run, answer, pairs, store):
    said = answer("tune", "--duplicates", pairs)
    assert (said["embedder"], said["has"]) == ("local/wordllama-l2_supercat_256", 0.95)
    assert (said["same"]["pairs"], said["different"]["pairs"], said["different"]["reach"]) == (2, 1, 0)
    assert said["threshold"] <= said["same"]["percentiles"][1] < said["threshold"] + 0.01
    text = run("tune", "--duplicates", pairs).stdout
    assert f"duplicate_threshold={said['threshold']:.2f} (it has 0.95)" in text
    assert not store.exists()


def test_tune_takes_pairs_or_questions(run, pairs, data):
    assert "a file is needed" in run("tune", code=2).stderr
    for option, said in (
        (data, "DATA"),
        ("--folds=3", "--folds"),
        ("--mode=dense", "--mode"),
        ("--no-source", "--source"),
    ):
        stderr = run("tune", "--duplicates", pairs, option, code=2).stderr
        assert said in stderr
        assert "it is of questions" in stderr
    assert "nobody" in run("tune", "--duplicates", pairs, "--embedder", "nobody", code=2).stderr
