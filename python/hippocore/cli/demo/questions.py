"""The five questions of the demo, and which of the week's memories answer them or would mislead."""

from __future__ import annotations

from dataclasses import dataclass

BUDGET = 400  # tokens
SHOWN = 6  # memories a table shows
MIN_RELEVANCE = 0.2  # below it, a memory has nothing to do with the question, however important it is


@dataclass(frozen=True)
class Question:
    """A question, the names of the turns that answer it, and of those that are out of date or beside the point."""

    text: str
    wanted: tuple[str, ...]
    misleading: tuple[str, ...] = ()


QUESTIONS: tuple[Question, ...] = (
    Question(
        "What is the address of the staging database?",
        ("staging",),
        ("staging-old", "staging-chat-1", "staging-chat-2"),
    ),
    Question("How do I run the tests?", ("run-tests",), ("tests-host", "tests-laptop", "beach-joke")),
    Question("Can I push the fix to main and deploy it now?", ("no-push", "no-late-deploy"), ("push-joke",)),
    Question(
        "What is the date of release 2.4?",
        ("release",),
        ("release-old", "release-chat-1", "release-chat-2"),
    ),
    Question(
        "How should I write the JSON report of a station?",
        ("json-style", "report-keys"),
        ("json-joke",),
    ),
)
