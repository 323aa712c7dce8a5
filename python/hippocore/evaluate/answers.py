"""What came back for the questions of a data set."""

from __future__ import annotations

from typing import Final, NamedTuple

from hippocore.evaluate.dataset import Question
from hippocore.evaluate.settings import Setting

DEPTH: Final = 50
"""How many are asked for beyond a setting's limit, for the figures at 20 and 50 and for the first rank."""


class Answer(NamedTuple):
    """What came back for a question, as names of entries. Seconds are of the recall with the setting's limit."""

    conversation: int
    question: Question
    near: tuple[str, ...]  # recalled with the setting's limit
    far: tuple[str, ...]  # recalled with DEPTH, or the limit where that is more
    packed: tuple[str, ...]  # what a context of the budget holds
    tokens: int
    seconds: float
    embedding_seconds: float

    def best(self, k: int) -> tuple[str, ...]:
        """Return the first k, from the recall whose limit was enough for them."""
        return (self.near if k <= len(self.near) else self.far)[:k]


class Run(NamedTuple):
    """A setting with its answers, in the order in which the data set asks; `refused` counts memories not stored."""

    setting: Setting
    answers: list[Answer]
    memories: int
    refused: int
