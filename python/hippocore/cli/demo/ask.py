"""Asks one question of the demo's store, by fused score and by cosine alone, and measures the recall."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import Any

from hippocore import Context, MemoryLayer, Ranking, Scored
from hippocore.cli.demo.questions import BUDGET, MIN_RELEVANCE, SHOWN, Question
from hippocore.cli.demo.week import USER

REPEATS = 15
SCOPES: list[Any] = [USER, ("python",)]
COSINE_ALONE = Ranking(relevance=1, recency=0, importance=0, usage=0)


@dataclass(frozen=True)
class Answer:
    """What came back for a question: packed, ranked both ways, and in how many seconds one recall took."""

    question: Question
    packed: Context
    fused: list[Scored]
    cosine: list[Scored]
    recall_seconds: float  # the median of REPEATS, without the embedding of the question

    def wanted(self, found: list[Scored]) -> int:
        """Return how many of the memories that answer the question were found."""
        return sum(turn_of(scored) in self.question.wanted for scored in found)

    def misleading(self, found: list[Scored]) -> int:
        """Return how many were found that are out of date or beside the point."""
        return sum(turn_of(scored) in self.question.misleading for scored in found)


def ask(memory_layer: MemoryLayer, question: Question, embedding: Any) -> Answer:
    """Ask over the week and the library together. `embedding` is the question's vector."""
    where: dict[str, Any] = {
        "scope": SCOPES,
        "subtree": True,
        "min_relevance": MIN_RELEVANCE,
        "embedding": embedding,
    }
    packed = memory_layer.context(budget=BUDGET, touch=False, **where)
    cosine = memory_layer.recall(limit=SHOWN, ranking=COSINE_ALONE, **where)
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        fused = memory_layer.recall(limit=SHOWN, **where)
        seconds.append(time.perf_counter() - start)
    return Answer(question, packed, fused, cosine, statistics.median(seconds))


def turn_of(scored: Scored) -> str:
    """Return the name of the week's turn that a memory is; empty for others."""
    return str(scored.memory.metadata.get("turn", ""))
