"""A data set of one's own as JSON Lines: each line a memory or a question, in any order, written in the file's order.

    {"memory": "The staging database moved to pg2.", "id": "m2", "scope": "user:ada", "speaker": "Ada",
     "source": "monday", "event_time": "2025-03-03T09:00Z", "kind": "fact", "supersedes": "m1"}
    {"question": "Where is the staging database?", "expected": ["m2"], "outdated": ["m1"], "scope": "user:ada",
     "category": "changes", "asked_at": "2025-04-01T00:00Z"}

(each on one line). Only `memory` with `id`, and `question` with `expected`, must be there. An element of `expected` is
an id, or a list of ids any of which is that piece of evidence. `apart`: true keeps a question out of the mean. Memories
of a scope are seen by that scope's questions only, and ids are names within their scope.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from hippocore.evaluate.dataset import Conversation, DataSet, Entry, Question
from hippocore.evaluate.fields import flag, fraction, items, moment, optional_text, record, refuse_others, text, texts

MEMORY: Final = (
    "memory", "id", "scope", "speaker", "source", "event_time", "supersedes", "kind", "importance", "tags",
)  # fmt: skip
QUESTION: Final = ("question", "expected", "outdated", "scope", "category", "apart", "asked_at")


class _Scope:
    """What the lines of one scope said so far; a question with its place, for when all memories are known."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.questions: list[tuple[Question, str]] = []


def read(lines: Iterable[str]) -> DataSet:
    """Return the data set of a file's lines; raises ValueError naming the line and the field."""
    scopes: defaultdict[str, _Scope] = defaultdict(_Scope)
    for number, line in enumerate(lines, 1):
        if line.strip():
            _take(record(_parsed(line, number), f"line {number}"), scopes, f"line {number}")
    return DataSet("jsonl", tuple(_conversation(name, scope) for name, scope in scopes.items()))


def _parsed(line: str, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        place = f", column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        message = f"line {number}{place} is not JSON: each line must be one object"
    raise ValueError(message)  # outside of the handler: the parser's exception carries the text


def _take(fields: Mapping[str, Any], scopes: defaultdict[str, _Scope], where: str) -> None:
    if ("memory" in fields) == ("question" in fields):
        raise ValueError(f"{where} must have the field 'memory' or the field 'question', one of them")
    scope = scopes[optional_text(fields, "scope", where) or "default"]
    if "question" in fields:
        scope.questions.append((_question(fields, where), where))
        return
    entry = _entry(fields, where)
    if entry.id in scope.entries:
        raise ValueError(f"{where}: field 'id' names another memory of this scope already")
    if entry.supersedes is not None and entry.supersedes not in scope.entries:
        raise ValueError(f"{where}: field 'supersedes' names no memory of this scope before it")
    scope.entries[entry.id] = entry


def _entry(fields: Mapping[str, Any], where: str) -> Entry:
    refuse_others(fields, MEMORY, where)
    passed_on = {
        "kind": optional_text(fields, "kind", where),
        "importance": fraction(fields, "importance", where),
        "tags": texts(fields, "tags", where) or None,
    }
    return Entry(
        text(fields, "id", where),
        text(fields, "memory", where),
        optional_text(fields, "speaker", where),
        optional_text(fields, "source", where),
        moment(fields, "event_time", where),
        optional_text(fields, "supersedes", where),
        {name: value for name, value in passed_on.items() if value is not None},
    )


def _question(fields: Mapping[str, Any], where: str) -> Question:
    refuse_others(fields, QUESTION, where)
    return Question(
        text(fields, "question", where),
        tuple(_piece(value, where) for value in items(fields, "expected", where)),
        optional_text(fields, "category", where) or "",
        frozenset(texts(fields, "outdated", where)),
        flag(fields, "apart", where),
        moment(fields, "asked_at", where),
    )


def _piece(value: Any, where: str) -> frozenset[str]:
    ids = value if isinstance(value, list) else [value]
    if not ids or not all(isinstance(name, str) and name for name in ids):
        raise ValueError(f"{where}: field 'expected' must hold ids, or lists of ids any of which will do")
    return frozenset(ids)


def _conversation(name: str, scope: _Scope) -> Conversation:
    for question, where in scope.questions:
        _check(question, scope.entries, where)
    return Conversation(name, tuple(scope.entries.values()), tuple(question for question, _ in scope.questions))


def _check(question: Question, entries: Mapping[str, Entry], where: str) -> None:
    """Raise ValueError unless the question expects something, all of it exists, and nothing of it counts twice."""
    named = [entry for piece in question.expected for entry in piece]
    if not named:
        raise ValueError(f"{where}: field 'expected' names nothing: a question needs at least one id")
    if not question.outdated.union(named) <= entries.keys():
        raise ValueError(f"{where}: field 'expected' or 'outdated' names no memory of this scope")
    if len(set(named)) < len(named) or question.outdated.intersection(named):
        raise ValueError(f"{where}: fields 'expected' and 'outdated' name a memory twice")
