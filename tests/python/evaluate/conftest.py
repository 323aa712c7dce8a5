"""Tiny data sets in each format, of invented text; written to a file by the tests that want one."""

from __future__ import annotations

import copy
import json

import pytest

LOCOMO = [
    {
        "sample_id": "conv-a",
        "conversation": {
            "speaker_a": "Ilse",
            "speaker_b": "Bram",
            "session_1_date_time": "9:05 am on 3 March, 2021",
            "session_1": [
                {"speaker": "Ilse", "dia_id": "D1:1", "text": "I repaired the lighthouse lamp today."},
                {
                    "speaker": "Bram",
                    "dia_id": "D1:2",
                    "text": "My goat ate the tulips, Ilse.",
                    "blip_caption": "a goat",
                },
            ],
            "session_2_date_time": "10:30 pm on 12 April, 2021",
            "session_2": [
                {"speaker": "Bram", "dia_id": "D2:1", "text": "The harbour ferry sails at noon now."},
                {"speaker": "Ilse", "dia_id": "D2:2", "text": "Then I take the night train to Ghent."},
            ],
            "session_3_date_time": "1:00 pm on 1 May, 2021",
        },
        "qa": [
            {"question": "What did Ilse repair?", "evidence": ["D1:1"], "category": 4},
            {"question": "What ate the tulips of Bram?", "evidence": ["D1:02; D2:1"], "category": 1},
            {"question": "When was the goat sold?", "evidence": ["D1:2"], "category": 5, "adversarial_answer": "never"},
            {"question": "Who is afraid of ferries?", "evidence": ["D9:9"], "category": 3},
            {"question": "What comes of it all?", "evidence": [], "category": 3},
        ],
    },
    {
        "sample_id": "conv-b",
        "conversation": {
            "session_1_date_time": "8:00 am on 7 June, 2022",
            "session_1": [
                {"speaker": "Mina", "dia_id": "D1:1", "text": "I planted seven walnut trees."},
                {"speaker": "Otto", "dia_id": "D1:2", "text": "My violin needs a new string."},
                {"speaker": "Mina", "dia_id": "D1:3", "text": "The beehive is behind the chapel."},
            ],
        },
        "qa": [
            {"question": "Which trees did Mina plant?", "evidence": ["D1:1"], "category": 4},
            {"question": "What does the violin of Otto need?", "evidence": ["D:1:2"], "category": 2},
        ],
    },
]

HAYSTACKS = [
    {
        "question_id": "h1",
        "question_type": "single-session-user",
        "question": "Which soup does my aunt cook?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "answer_session_ids": ["s2"],
        "haystack_session_ids": ["s1", "s2"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 11:02"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "How do I tune a kayak?"},
                {"role": "assistant", "content": "A kayak has no strings; do you mean a banjo?"},
            ],
            [
                {"role": "user", "content": "My aunt cooks nettle soup every spring.", "has_answer": True},
                {"role": "assistant", "content": "Nettles are rich in iron."},
                {"role": "user", "content": ""},
            ],
        ],
    },
    {
        "question_id": "h2_abs",
        "question_type": "merged",
        "questions": ["Where is the sundial?", "What did the plumber say?"],
        "answer_session_ids": [["t1"], ["nowhere"]],
        "haystack_session_ids": ["t1"],
        "haystack_dates": ["2022/01/02 (Sun) 10:00"],
        "haystack_sessions": [[{"role": "user", "content": "The sundial is on the south wall."}]],
    },
]

LINES = [
    {"memory": "The bakery opens at six.", "id": "m1", "scope": "town", "source": "monday", "importance": 0.9},
    {"memory": "The bakery opens at seven.", "id": "m2", "scope": "town", "speaker": "Vera", "supersedes": "m1"},
    {"memory": "The mill burnt down.", "id": "m3", "scope": "town", "kind": "fact", "event_time": "2020-02-02T00:00Z"},
    {"question": "When does the bakery open?", "expected": ["m2"], "outdated": ["m1"], "scope": "town"},
    {
        "question": "What burnt down?",
        "expected": [["m3", "m1"]],
        "scope": "town",
        "category": "past",
        "asked_at": 1.6e9,
    },
    {"memory": "The ferry is blue.", "id": "m1"},
    {"question": "Which colour has the ferry?", "expected": ["m1"], "apart": True},
]


@pytest.fixture
def locomo():
    """A parsed LoCoMo file, of the test's own."""
    return copy.deepcopy(LOCOMO)


@pytest.fixture
def haystacks():
    """A parsed LongMemEval file, of the test's own."""
    return copy.deepcopy(HAYSTACKS)


@pytest.fixture
def lines():
    """The objects of a JSON Lines file, of the test's own."""
    return copy.deepcopy(LINES)


@pytest.fixture
def written(tmp_path):
    """Write a value as JSON, or a list of objects as JSON Lines, and return the file."""

    def writes(value, *, name="data", as_lines=False):
        path = tmp_path / name
        text = "\n".join(map(json.dumps, value)) if as_lines else json.dumps(value)
        path.write_text(text, encoding="utf-8")
        return path

    return writes
