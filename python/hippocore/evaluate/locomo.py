"""The format of LoCoMo: a list of two-person conversations in sessions, with questions whose evidence is turns.

A turn becomes a memory "speaker: text [shares what the picture shows]", its source the session, its event time the
session's date (UTC). Category 5 is adversarial, asks for what was never said in that form, and is reported apart.
Evidence is cleaned as the published labels need: one string may hold several ids or a range, ids may have a stray colon
or a leading zero, and some point nowhere. A question without evidence that exists is left out and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from hippocore.evaluate.dataset import Conversation, DataSet, Entry, Question
from hippocore.evaluate.fields import dated, items, optional_text, record, required, text

DATE: Final = "%I:%M %p on %d %B, %Y"
ADVERSARIAL: Final = "5"
_SESSION: Final = re.compile(r"session_(\d+)")
_RANGE: Final = re.compile(r"D(\d+):(\d+)\s*[-–]\s*(?:D?(\d+):)?(\d+)")
_LONGEST_RANGE: Final = 1000
_TURN: Final = re.compile(r"D(\d+):(\d+)")


def read(samples: Any) -> DataSet:
    """Return the data set of a parsed file; raises ValueError naming the conversation and the field."""
    if isinstance(samples, dict):
        samples = [samples]
    read = [_conversation(sample, f"conversation {number}") for number, sample in enumerate(samples, 1)]
    left_out = sum(missing for _, missing in read)
    return DataSet("locomo", tuple(conversation for conversation, _ in read), left_out)


def evidence_ids(labels: list[Any]) -> list[str]:
    """Return the turns that evidence labels name, each once, in their order."""
    found: list[str] = []
    for label in labels:
        cleaned = re.sub(r"D\s*:", "D", str(label))
        for session, first, other, last in _RANGE.findall(cleaned):
            if not other or int(other) == int(session):
                turns = range(int(first), min(int(last), int(first) + _LONGEST_RANGE) + 1)
                found += [f"D{int(session)}:{turn}" for turn in turns]
        found += [f"D{int(session)}:{int(turn)}" for session, turn in _TURN.findall(cleaned)]
    return list(dict.fromkeys(found))


def _conversation(sample: Any, where: str) -> tuple[Conversation, int]:
    """Return a conversation, and how many of its questions have no evidence."""
    fields = record(sample, where)
    entries = tuple(_entries(record(required(fields, "conversation", where), f"{where}, conversation"), where))
    ids = {entry.id for entry in entries}
    if len(ids) < len(entries):
        raise ValueError(f"{where}: two turns have the same 'dia_id'")
    asked = [_question(qa, ids, f"{where}, qa {i}") for i, qa in enumerate(items(fields, "qa", where), 1)]
    kept = tuple(question for question in asked if question.expected)
    name = optional_text(fields, "sample_id", where) or where
    return Conversation(name, entries, kept), len(asked) - len(kept)


def _entries(sessions: Mapping[str, Any], where: str) -> Iterator[Entry]:
    numbers = sorted(int(match[1]) for match in map(_SESSION.fullmatch, sessions) if match)
    for name in (f"session_{number}" for number in numbers):
        when = dated(sessions.get(f"{name}_date_time"), DATE, where, f"{name}_date_time")
        for turn, said in enumerate(items(sessions, name, where), 1):
            yield _entry(record(said, f"{where}, {name}, turn {turn}"), name, when, f"{where}, {name}, turn {turn}")


def _entry(said: Mapping[str, Any], session: str, when: float, where: str) -> Entry:
    words = text(said, "text", where)
    if picture := optional_text(said, "blip_caption", where):
        words += f" [shares {picture}]"
    return Entry(text(said, "dia_id", where), words, text(said, "speaker", where), session, when)


def _question(qa: Any, ids: set[str], where: str) -> Question:
    fields = record(qa, where)
    labels = items(fields, "evidence", where) if "evidence" in fields else []
    expected = tuple(frozenset({turn}) for turn in evidence_ids(labels) if turn in ids)
    category = str(required(fields, "category", where))
    return Question(text(fields, "question", where), expected, category, apart=category == ADVERSARIAL)
