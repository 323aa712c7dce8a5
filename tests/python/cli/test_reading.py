"""recall, context, list, show, history, scopes and stats."""

from __future__ import annotations

import json

import pytest

import hippocore

HEADINGS = ["score", "relevance", "recency", "importance", "usage", "age", "kind", "scope", "content"]


def files_of(store):
    return {path.name: path.read_bytes() for path in store.iterdir()}


def test_recall_ranks_by_score(answer, remembered):
    found = answer("recall", "Where is the staging database?", "--all")
    assert [row["rank"] for row in found] == [1, 2, 3]
    assert found[0]["memory"]["id"] == remembered["fact"]
    scores = [row["score"] for row in found]
    assert scores == sorted(scores, reverse=True)
    assert set(found[0]) >= {"score", "relevance", "recency", "importance", "usage", "similarity", "why", "memory"}


@pytest.mark.parametrize("mode", ["hybrid", "dense", "lexical"])
def test_recall_and_context_take_a_mode(answer, remembered, mode):
    found = answer("recall", "staging databases", "--all", "--mode", mode)
    assert found[0]["memory"]["id"] == remembered["fact"]
    assert (found[0]["lexical"] > 0) == (mode != "dense")
    assert (found[0]["similarity"] > 0) == (mode != "lexical")
    assert answer("context", "staging databases", "--all", "--mode", mode, "--no-touch")["memories"]


def test_recall_shows_a_table(run, remembered):
    lines = run("recall", "Where is the staging database?").stdout.splitlines()
    assert next(line.split() for line in lines if "score" in line) == ["#", *HEADINGS]
    assert "The staging database is at db1, port 5432" in "".join(lines)


def test_recall_shows_ids_when_asked(run, remembered):
    assert remembered["fact"] not in run("recall", "database").stdout
    assert remembered["fact"] in run("recall", "database", "--ids").stdout


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ([], ["fact"]),
        (["--scope", "user:ada"], ["rule"]),
        (["--scope", "user:ada", "--subtree"], ["chat", "rule"]),
        (["--scope", "user:ada", "--scope", "default"], ["fact", "rule"]),
        (["--all", "--kind", "procedure", "--kind", "fact"], ["fact", "rule"]),
        (["--all", "--tag", "database"], ["fact"]),
        (["--all", "--tag", "database", "--tag", "other", "--all-tags"], []),
        (["--all", "--since", "1h"], ["chat", "fact", "rule"]),
        (["--all", "--since", "2125-01-01Z"], []),
        (["--all", "--until", "1h"], []),
        (["--all", "--as-of", "1d"], []),
        (["--all", "--min-relevance", "0.99"], []),
        (["--all", "--metadata", "nobody=1"], []),
        (["--all", "--limit", "0"], []),
    ],
)
def test_recall_keeps_to_its_filters(answer, remembered, arguments, names):
    found = answer("recall", "the database of Ada", *arguments)
    by_id = {key: name for name, key in remembered.items()}
    assert sorted(by_id[row["memory"]["id"]] for row in found) == names


def test_recall_takes_weights(answer, remembered):
    found = answer("recall", "the sea", "--all", "--weights", "importance=1")
    assert found[0]["memory"]["id"] == remembered["rule"]
    assert found[0]["score"] == pytest.approx(0.95, abs=1e-6)


@pytest.mark.parametrize("weights", ["relevance", "beauty=1", "relevance=much"])
def test_wrong_weights_are_wrong_usage(run, remembered, weights):
    assert "--weights" in run("recall", "x", "--weights", weights, code=2).stderr


def test_weights_that_do_not_sum_to_one_are_an_error(run, remembered):
    assert "sum to 1, not 0.2" in run("recall", "x", "--weights", "relevance=0.2", code=2).stderr


READING = [["recall", "x"], ["context", "x", "--no-touch"], ["list"], ["scopes"], ["stats"], ["verify"]]


def test_reading_verbs_write_nothing(run, remembered, store):
    before = files_of(store)
    for arguments in (*READING, ["show", remembered["fact"]], ["history", remembered["fact"]]):
        run(*arguments)
    assert files_of(store) == before


def test_reading_verbs_open_read_only_and_make_no_store(run, remembered, tmp_path, monkeypatch):
    opened = []

    class Recorded(hippocore.MemoryLayer):
        def __init__(self, store, **options):
            opened.append((options["read_only"], options["create"]))
            super().__init__(store, **options)

    monkeypatch.setattr(hippocore, "MemoryLayer", Recorded)
    export = ["export", str(tmp_path / "all.jsonl")]
    reading = [*READING, ["show", remembered["fact"]], ["history", remembered["fact"]], export]
    for arguments in reading:
        run(*arguments)
    assert opened == [(True, False)] * len(reading)


def test_context_prints_the_block_and_its_table(run, remembered):
    text = run("context", "Where is the staging database?", "--budget", "200").stdout
    assert "The staging database is at db1" in text.partition("tokens")[0]
    assert " of 200 tokens, 1 memories" in text
    assert "relevance" in text


def test_context_text_is_the_block_alone(run, answer, remembered):
    block = answer("context", "staging database", "--no-touch")
    assert block["tokens"] <= block["budget"] == 800
    assert 0 < block["confidence"] < 1
    assert [row["memory"]["id"] for row in block["memories"]] == [remembered["fact"]]
    text = run("context", "staging database", "--text").stdout
    assert "db1, port 5432" in text
    assert " tokens, " not in text


def test_context_in_which_nothing_fits_says_so(run, remembered):
    result = run("context", "staging database", "--budget", "3", "--no-touch")
    assert result.stdout == "\n0 of 3 tokens, 0 memories, 1 skipped\n\n"
    assert run("context", "staging database", "--budget", "3", "--text").stdout == ""


def test_context_counts_as_a_use_unless_told_not_to(answer, remembered):
    answer("context", "staging database", "--no-touch")
    assert answer("show", remembered["fact"])["use_count"] == 0
    answer("context", "staging database")
    assert answer("show", remembered["fact"])["use_count"] == 1


def test_recall_and_context_walk_links_when_asked(run, answer, remembered):
    told = ("--scope", "user:ada", "--kind", "fact")
    answer("remember", "Quite another thing", *told, "--link", remembered["rule"], "--id", "other")
    answer("remember", "-", "--lines", *told, typed="".join(f"Ada's note of subject {n}\n" for n in range(30)))
    asked = ("never push to main", "--scope", "user:ada", "--mode", "lexical")
    for verb in (("recall", *asked, "--limit", "5"), ("context", *asked, "--pool", "5", "--no-touch")):
        for steps, expected in (("0", False), ("1", True)):
            found = answer(*verb, "--expand-links", steps)
            shown = found["memories"] if verb[0] == "context" else found
            assert ("other" in [row["memory"]["id"] for row in shown]) == expected
        assert "--expand-links" in run(*verb, "--expand-links", "4", code=2).stderr


def test_recall_and_context_drill_down_when_asked(run, answer, store):
    details = ["The billing migration ran on Monday evening and failed", "The invoice table was locked by a backup"]
    details.append("The migration of the billing data ran again on Tuesday and passed")
    for detail in details:
        answer("remember", detail)
    with hippocore.MemoryLayer(store) as layer:
        layer.summarize(budget_tokens=0, keep_recent=0, summary_tokens=18)
    asked = "which table was locked?"
    for verb in (("recall", asked), ("context", asked, "--no-touch")):
        for more, expected in (((), False), (("--drill-down",), True)):
            found = answer(*verb, *more)
            shown = found["memories"] if verb[0] == "context" else found
            assert (details[1] in [row["memory"]["content"] for row in shown]) == expected


def test_list_goes_page_by_page_without_a_shift(answer, remembered):
    first = answer("list", "-n", "2")
    rest = answer("list", "-n", "2", "--after", first[-1]["id"])
    assert [memory["id"] for memory in first + rest] == [remembered[name] for name in ("chat", "fact", "rule")]


def test_list_keeps_to_scope_kind_and_order(answer, remembered):
    assert [m["id"] for m in answer("list", "--scope", "user:ada")] == [remembered["rule"]]
    assert [m["id"] for m in answer("list", "--kind", "fact")] == [remembered["fact"]]
    assert answer("list", "--order", "oldest")[0]["id"] == remembered["rule"]


def test_list_shows_a_table_with_ids(run, remembered):
    text = run("list").stdout
    assert all(key in text for key in remembered.values())


def test_markup_and_control_characters_in_content_are_only_text(run, answer):
    key = answer("remember", "[bold]x[/bold] [/] \x1b[31mred :smile: \u202e")["id"]
    for arguments in (["list"], ["recall", "x"], ["show", key], ["history", key]):
        text = run(*arguments).stdout
        assert "[bold]x[/bold] [/] [31mred :smile:" in text
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_json_is_ascii_whatever_is_stored(run):
    run("remember", "日本語 \u202e ü")
    text = run("list", "--json").stdout
    assert text.isascii()
    assert json.loads(text)[0]["content"] == "日本語 \u202e ü"


def test_show_prints_the_content_whole(run, answer):
    content = "\n".join(f"line {number}" for number in range(100))
    key = answer("remember", content)["id"]
    assert content in run("show", key).stdout


def test_history_has_every_version(run, answer):
    key = answer("remember", "Ada likes the sea")["id"]
    answer("remember", "ada likes the sea!")
    versions = answer("history", key)
    assert [version["content"] for version in versions] == ["Ada likes the sea", "ada likes the sea!"]
    assert versions[-1]["valid_until"] is None
    text = run("history", key).stdout
    assert "Ada likes the sea" in text
    assert "ada likes the sea!" in text


def test_scopes_are_counted(run, answer, remembered):
    counts = {row["scope"]: row["memories"] for row in answer("scopes")}
    assert counts == {"default": 1, "user:ada": 1, "user:ada/agent:coder": 1}
    assert "user:ada/agent:coder" in run("scopes").stdout


def test_stats_name_the_embedder_and_count(run, answer, remembered):
    numbers = answer("stats")
    assert numbers["memories"] == 3
    assert numbers["dim"] == 256
    assert str(numbers["embedder"]) in run("stats").stdout


def test_store_and_json_may_stand_before_or_after_the_command(run, answer, remembered, store):
    assert json.loads(run("--json", "scopes").stdout) == answer("scopes")
    assert json.loads(run("scopes", "--json", "--store", str(store)).stdout) == answer("scopes")


def test_an_empty_answer_is_said(run, remembered):
    assert run("recall", "x", "--scope", "nobody").stdout == "nothing found\n"
    assert run("list", "--scope", "nobody").stdout == "nothing found\n"
