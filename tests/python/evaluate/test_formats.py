"""Files become data sets; what is wrong in one is said with its place, and never with its content."""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from pathlib import Path

import pytest

from hippocore.evaluate import files
from hippocore.evaluate.files import read_file
from hippocore.evaluate.locomo import evidence_ids


def seconds(*moment):
    return datetime(*moment, tzinfo=timezone.utc).timestamp()


def test_locomo_turns_become_entries_with_their_session_and_its_date(locomo, written):
    data = read_file(written(locomo))
    first = data.conversations[0]
    assert (data.format, first.name, data.entries, data.questions, data.left_out) == ("locomo", "conv-a", 7, 5, 2)
    assert [entry.id for entry in first.entries] == ["D1:1", "D1:2", "D2:1", "D2:2"]
    goat = first.entries[1]
    assert goat.content == "Bram: My goat ate the tulips, Ilse. [shares a goat]"
    assert (goat.source, goat.event_time) == ("session_1", seconds(2021, 3, 3, 9, 5))
    assert first.entries[2].event_time == seconds(2021, 4, 12, 22, 30)


def test_locomo_sessions_are_in_the_order_of_their_numbers(locomo, written):
    spoken = locomo[0]["conversation"]
    spoken = {"session_10": [{"speaker": "Bram", "dia_id": "D10:1", "text": "Last."}], **spoken}
    spoken["session_10_date_time"] = "1:00 pm on 2 May, 2021"
    locomo[0]["conversation"] = spoken
    entries = read_file(written(locomo)).conversations[0].entries
    assert [entry.source for entry in entries] == ["session_1", "session_1", "session_2", "session_2", "session_10"]


def test_locomo_questions_have_cleaned_evidence_and_the_adversarial_ones_are_apart(locomo, written):
    asked = [question for _, question in read_file(written(locomo)).asked()]
    assert [question.category for question in asked] == ["4", "1", "5", "4", "2"]
    assert [question.apart for question in asked] == [False, False, True, False, False]
    assert asked[1].expected == (frozenset({"D1:2"}), frozenset({"D2:1"}))
    assert asked[4].expected == (frozenset({"D1:2"}),)


@pytest.mark.parametrize(
    ("labels", "ids"),
    [
        (["D1:3", "D1:3"], ["D1:3"]),
        (["D8:6; D9:17"], ["D8:6", "D9:17"]),
        (["D9:1 D4:4 D4:6"], ["D9:1", "D4:4", "D4:6"]),
        (["D:11:26"], ["D11:26"]),
        (["D30:05"], ["D30:5"]),
        (["D12:3-D12:5"], ["D12:3", "D12:4", "D12:5"]),
        (["D", "", 7], []),
    ],
)
def test_locomo_evidence_is_cleaned(labels, ids):
    assert evidence_ids(labels) == ids


def test_a_range_of_a_hostile_file_takes_no_memory():
    assert len(evidence_ids(["D1:1-D1:999999999"])) < 2000


def test_longmemeval_evidence_is_a_session_found_by_the_turn_with_the_answer_or_by_any(haystacks, written):
    data = read_file(written(haystacks))
    (_, soup), (_, sundial) = data.asked()
    assert (data.format, data.entries, data.left_out) == ("longmemeval", 5, 1)
    assert soup.expected == (frozenset({"2:1"}),)
    assert sundial.expected == (frozenset({"1:1"}),)
    assert (soup.category, soup.apart, sundial.apart) == ("single-session-user", False, True)
    assert soup.asked_at == seconds(2023, 5, 30, 23, 40)
    entry = data.conversations[0].entries[2]
    assert entry.content == "user: My aunt cooks nettle soup every spring."
    assert (entry.source, entry.event_time) == ("s2", seconds(2023, 5, 21, 11, 2))


def test_longmemeval_evidence_without_marks_is_any_turn_of_the_session(haystacks, written):
    del haystacks[0]["haystack_sessions"][1][0]["has_answer"]
    _, soup = next(read_file(written(haystacks)).asked())
    assert soup.expected == (frozenset({"2:1", "2:2"}),)


def test_lines_of_ones_own_are_conversations_by_scope(lines, written):
    data = read_file(written(lines, as_lines=True))
    town, default = data.conversations
    assert (data.format, town.name, default.name) == ("jsonl", "town", "default")
    bakery, opens, mill = town.entries
    assert (bakery.content, bakery.source, bakery.given) == ("The bakery opens at six.", "monday", {"importance": 0.9})
    assert (opens.content, opens.supersedes) == ("Vera: The bakery opens at seven.", "m1")
    assert (mill.event_time, mill.given) == (seconds(2020, 2, 2), {"kind": "fact"})
    when, burnt = town.questions
    assert (when.expected, when.outdated) == ((frozenset({"m2"}),), {"m1"})
    assert (burnt.expected, burnt.category, burnt.asked_at) == ((frozenset({"m3", "m1"}),), "past", 1.6e9)
    assert default.questions[0].apart


def test_one_line_alone_and_one_object_alone_are_told_apart(written, haystacks):
    with pytest.raises(ValueError, match="no question whose evidence exists"):
        read_file(written([{"memory": "alone", "id": "m"}], as_lines=True))
    assert read_file(written(haystacks[0])).format == "longmemeval"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"memory": None}, "line 1: field 'memory' must be text that is not blank, not null"),
        ({"memory": "  "}, "line 1: field 'memory' must not be blank"),
        ({"memory": "\ud800 secret"}, "line 1: field 'memory' holds a lone surrogate, which is no text"),
        ({"kind": 7}, "line 1: field 'kind' must be text that is not blank, not a number"),
        ({"importance": "secret"}, "line 1: field 'importance' must be a number from 0 to 1"),
        ({"importance": 2}, "line 1: field 'importance' must be a number from 0 to 1"),
        ({"importance": True}, "line 1: field 'importance' must be a number from 0 to 1"),
        ({"tags": "secret"}, "line 1: field 'tags' must be a list, not a text"),
        ({"tags": ["\ud800"]}, "line 1: field 'tags' holds a lone surrogate, which is no text"),
        ({"id": 7}, "line 1: field 'id' must be text that is not blank, not a number"),
        ({"question": "secret"}, "line 1 must have the field 'memory' or the field 'question', one of them"),
        ({"sauce": "secret"}, "line 1: field 'sauce' is unknown: there are memory, id, scope"),
        ({"a secret sentence": 1}, "line 1: a field is unknown: there are memory, id, scope"),
        ({"event_time": "2020-02-02"}, "line 1: field 'event_time' must be an ISO date with its zone"),
        ({"event_time": "secret"}, "line 1: field 'event_time' must be an ISO date with its zone"),
        ({"event_time": [1]}, "line 1: field 'event_time' must be an ISO date with its zone"),
        ({"supersedes": "m9"}, "line 1: field 'supersedes' names no memory of this scope before it"),
        ({"id": "m2"}, "line 2: field 'id' names another memory of this scope already"),
    ],
)
def test_a_wrong_memory_is_named_by_line_and_field(lines, written, change, said):
    lines[0] |= change
    lines[1].pop("supersedes")
    assert_refused(written(lines, as_lines=True), said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"expected": []}, "line 4: field 'expected' names nothing"),
        ({"expected": "m1"}, "line 4: field 'expected' must be a list, not a text"),
        ({"expected": [[]]}, "line 4: field 'expected' must hold ids, or lists of ids"),
        ({"expected": ["secret"]}, "line 4: field 'expected' or 'outdated' names no memory of this scope"),
        ({"outdated": ["secret"]}, "line 4: field 'expected' or 'outdated' names no memory of this scope"),
        ({"expected": ["m1", ["m2", "m1"]], "outdated": []}, "line 4: fields 'expected' and 'outdated' name a memory"),
        ({"expected": ["m1"]}, "line 4: fields 'expected' and 'outdated' name a memory twice"),
        ({"apart": "secret"}, "line 4: field 'apart' must be true or false, not a text"),
    ],
)
def test_a_wrong_question_is_named_by_line_and_field(lines, written, change, said):
    lines[3] |= change
    assert_refused(written(lines, as_lines=True), said)


@pytest.mark.parametrize("line", ['{"memory": "secret', "[" * 100_000, "secret", '"secret"', "[1, 2]"])
def test_a_line_that_is_no_object_is_named(lines, tmp_path, line):
    path = tmp_path / "data.jsonl"
    path.write_text(json.dumps(lines[0]) + "\n" + line)
    assert_refused(path, "line 2")


def test_wrong_locomo_is_named_by_its_place(locomo, written):
    locomo[0]["conversation"]["session_2"][0].pop("text")
    assert_refused(written(locomo), "conversation 1, session_2, turn 1: field 'text' is missing")


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ((0, "conversation", "session_1_date_time"), "secret", "conversation 1: field 'session_1_date_time' must be a"),
        ((0, "conversation", "session_1"), "secret", "conversation 1: field 'session_1' must be a list, not a text"),
        ((1, "conversation", "session_1", 2, "dia_id"), "D1:1", "conversation 2: two turns have the same 'dia_id'"),
        ((1, "qa", 1), "secret", "conversation 2, qa 2 must be an object, not a text"),
        ((1, "qa", 1, "question"), 5, "conversation 2, qa 2: field 'question' must be text that is not blank"),
        ((1, "qa", 1, "evidence"), "secret", "conversation 2, qa 2: field 'evidence' must be a list, not a text"),
        ((1,), "secret", "conversation 2 must be an object, not a text"),
    ],
)
def test_any_wrong_field_of_locomo_is_named(locomo, written, path, value, said):
    assert_refused(written(changed(locomo, path, value)), said)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ((0, "haystack_dates"), [], "haystack 1: there are 2 haystack_sessions, 2 haystack_session_ids and 0"),
        ((0, "haystack_dates", 1), "secret", "haystack 1: field 'haystack_dates' must be a date of the form"),
        ((0, "haystack_sessions", 1), "secret", "haystack 1, session 2 must be a list of turns"),
        ((0, "haystack_sessions", 1, 0, "content"), 5, "haystack 1, session 2, turn 1: field 'content' must be text"),
        ((0, "question"), 5, "haystack 1, question 1: field 'question' must be text that is not blank"),
        ((1, "questions"), ["secret"], "haystack 2: there are 1 questions and 2 answer_session_ids"),
        ((1, "answer_session_ids", 0), "secret", "haystack 2, question 1: 'answer_session_ids' must be a list"),
    ],
)
def test_any_wrong_field_of_longmemeval_is_named(haystacks, written, path, value, said):
    assert_refused(written(changed(haystacks, path, value)), said)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff secret", "byte 0 is not UTF-8"),
        (b'[{"secret"', "line 1, column 11 is not JSON"),
        (b"[" * 100_000, "it is not JSON that can be read"),
        (b"[]", "it must hold a list of objects that is not empty"),
        (b'[{"secret": 1}]', "its format cannot be told: say --format locomo, longmemeval, jsonl"),
        (b'{"secret": 1}', "its format cannot be told"),
        (b'[{"memory": "secret", "id": "m"}]', "it is one list of all: JSON Lines have an object on each line"),
        (b"", "it has no question whose evidence exists"),
    ],
)
def test_a_file_that_is_something_else_is_refused(tmp_path, data, said):
    (tmp_path / "data").write_bytes(data)
    assert_refused(tmp_path / "data", said)


def test_a_format_that_was_said_is_not_guessed(locomo, written):
    with pytest.raises(ValueError, match="haystack 1: field 'haystack_sessions' is missing"):
        read_file(written(locomo), "longmemeval")
    with pytest.raises(ValueError, match="format must be one of"):
        read_file(written(locomo), "csv")


def changed(value, path, new):
    at = value
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = new
    return value


def assert_refused(path, said):
    with pytest.raises(ValueError, match=re.escape(str(path))) as caught:
        read_file(path)
    assert str(caught.value).startswith(f"{path}: {said}")
    assert "secret" not in str(caught.value)
    assert caught.value.__context__ is None  # a parser's exception would carry the text


def test_the_example_of_the_page_can_be_read(tmp_path):
    page = Path(files.__file__).with_name("README.md").read_text(encoding="utf-8")
    (tmp_path / "data").write_text(re.findall(r"```json\n(.*?)```", page, re.DOTALL)[0])
    data = read_file(tmp_path / "data")
    assert (data.format, data.entries, data.questions) == ("jsonl", 2, 1)
