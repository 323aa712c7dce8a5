"""A data set as evaluation sees it, whatever file it came from: conversations of entries, and questions about them.

No repr shows content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, repr=False)
class Entry:
    """What becomes one memory. `id` is its name within the conversation; `event_time` is in seconds since 1970.

    `given` holds further arguments of `remember` (kind, importance, tags). `supersedes` names an earlier entry that
    this one corrects: it is no longer recalled.
    """

    id: str
    text: str
    speaker: str | None = None
    source: str | None = None
    event_time: float | None = None
    supersedes: str | None = None
    given: Mapping[str, Any] = field(default_factory=dict)

    @property
    def content(self) -> str:
        """What is remembered: the text, with the speaker before it where there is one."""
        return self.text if self.speaker is None else f"{self.speaker}: {self.text}"


@dataclass(frozen=True, slots=True, repr=False)
class Question:
    """What is asked, and what should come back.

    `expected` are pieces of evidence, each a set of entries any one of which is that piece; no entry is in two of them.
    `outdated` are entries that would be a wrong answer. `apart`: reported beside the others and in no mean of theirs.
    `asked_at`, in seconds since 1970, is the present of the question; None is the real one.
    """

    text: str
    expected: tuple[frozenset[str], ...]
    category: str = ""
    outdated: frozenset[str] = frozenset()
    apart: bool = False
    asked_at: float | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Conversation:
    """Entries in the order in which they are written, into one scope, and the questions asked of that scope."""

    name: str
    entries: tuple[Entry, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, repr=False)
class DataSet:
    """Conversations of one file. `left_out` counts its questions that name no evidence that exists."""

    format: str
    conversations: tuple[Conversation, ...]
    left_out: int = 0

    @property
    def entries(self) -> int:
        """How many memories it makes."""
        return sum(len(conversation.entries) for conversation in self.conversations)

    @property
    def questions(self) -> int:
        """How many questions are asked of it."""
        return sum(len(conversation.questions) for conversation in self.conversations)

    def asked(self) -> Iterator[tuple[int, Question]]:
        """Yield every question with the number of its conversation, in the order in which they are asked."""
        for number, conversation in enumerate(self.conversations):
            for question in conversation.questions:
                yield number, question
