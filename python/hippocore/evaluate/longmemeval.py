"""The format of LongMemEval: haystacks of sessions between a user and an assistant, and questions about some of them.

A turn becomes a memory "user: …" or "assistant: …", its source the session, its event time the session's date (UTC); a
turn without text is left out. Evidence is a session: it is found by any of its turns that says `has_answer`, or, where
none of them does, by any of its turns. A haystack has one `question`, or `questions` with a list of sessions for each.
Questions whose id ends in `_abs` have no answer in the haystack and are reported apart.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from hippocore.evaluate.dataset import Conversation, DataSet, Entry, Question
from hippocore.evaluate.fields import dated, items, optional_text, record, required, text

DATE: Final = "%Y/%m/%d %H:%M"
_WEEKDAY: Final = re.compile(r"\s*\([A-Za-z]+\)")


def read(haystacks: Any) -> DataSet:
    """Return the data set of a parsed file; raises ValueError naming the haystack and the field."""
    if isinstance(haystacks, dict):
        haystacks = [haystacks]
    read = [_conversation(haystack, f"haystack {number}") for number, haystack in enumerate(haystacks, 1)]
    left_out = sum(missing for _, missing in read)
    return DataSet("longmemeval", tuple(conversation for conversation, _ in read), left_out)


def _conversation(haystack: Any, where: str) -> tuple[Conversation, int]:
    """Return a haystack as a conversation, and how many of its questions have no evidence."""
    fields = record(haystack, where)
    entries: list[Entry] = []
    turns_of: defaultdict[str, set[str]] = defaultdict(set)
    answers_of: defaultdict[str, set[str]] = defaultdict(set)
    for entry, session, has_answer in _turns(fields, where):
        entries.append(entry)
        turns_of[session].add(entry.id)
        if has_answer:
            answers_of[session].add(entry.id)
    evidence = {session: frozenset(answers_of[session] or turns) for session, turns in turns_of.items()}
    asked = list(_questions(fields, evidence, where))
    kept = tuple(question for question in asked if question.expected)
    name = optional_text(fields, "question_id", where) or where
    return Conversation(name, tuple(entries), kept), len(asked) - len(kept)


def _turns(fields: Mapping[str, Any], where: str) -> Iterator[tuple[Entry, str, bool]]:
    """Yield each turn with the session's id and whether it is said to hold the answer."""
    sessions = items(fields, "haystack_sessions", where)
    ids, dates = items(fields, "haystack_session_ids", where), items(fields, "haystack_dates", where)
    if not len(sessions) == len(ids) == len(dates):
        raise ValueError(
            f"{where}: there are {len(sessions)} haystack_sessions, {len(ids)} haystack_session_ids and {len(dates)} "
            "haystack_dates: each session needs its id and date"
        )
    for number, (turns, session, date) in enumerate(zip(sessions, ids, dates, strict=True), 1):
        when = _moment(date, where, "haystack_dates")
        place = f"{where}, session {number}"
        if not isinstance(turns, list):
            raise ValueError(f"{place} must be a list of turns")
        for turn, said in enumerate(turns, 1):
            turn_fields = record(said, f"{place}, turn {turn}")
            if turn_fields.get("content") == "":
                continue
            words = text(turn_fields, "content", f"{place}, turn {turn}")
            speaker = text(turn_fields, "role", f"{place}, turn {turn}")
            entry = Entry(f"{number}:{turn}", words, speaker, str(session), when)
            yield entry, str(session), turn_fields.get("has_answer") is True


def _questions(fields: Mapping[str, Any], evidence: Mapping[str, frozenset[str]], where: str) -> Iterator[Question]:
    answers = items(fields, "answer_session_ids", where)
    if "questions" in fields:
        asked = items(fields, "questions", where)
        if len(asked) != len(answers):
            raise ValueError(f"{where}: there are {len(asked)} questions and {len(answers)} answer_session_ids")
    else:
        asked, answers = [required(fields, "question", where)], [answers]
    date = fields.get("question_date")
    asked_at = None if date is None else _moment(date, where, "question_date")
    category = optional_text(fields, "question_type", where) or ""
    apart = str(fields.get("question_id", "")).endswith("_abs")
    for number, (question, sessions) in enumerate(zip(asked, answers, strict=True), 1):
        place = f"{where}, question {number}"
        words = text({"question": question}, "question", place)
        if not isinstance(sessions, list):
            raise ValueError(f"{place}: 'answer_session_ids' must be a list")
        named = dict.fromkeys(map(str, sessions))
        expected = tuple(evidence[session] for session in named if session in evidence)
        yield Question(words, expected, category, apart=apart, asked_at=asked_at)


def _moment(value: Any, where: str, name: str) -> float:
    plain = _WEEKDAY.sub("", value) if isinstance(value, str) else value
    return dated(plain, DATE, where, name)
