"""From the answers of a run to its figures: means over questions, by category and by half, and latencies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hippocore.evaluate.answers import Answer, Run
from hippocore.evaluate.bootstrap import Interval, paired_interval
from hippocore.evaluate.metrics import (
    ndcg,
    percentile,
    precision,
    ranks_of,
    recall,
    recall_all,
    recall_any,
    reciprocal_rank,
    staleness,
)

KS: Final = (5, 10, 20, 50)
COMPARED: Final = (
    *(f"recall@{k}" for k in KS), "recall_any@10", "recall_all@10", "ndcg@10", "mrr", "context_recall_all",
    "context_recall", "context_precision", "context_tokens", "stale@10",
)  # fmt: skip
"""The figures that two settings are compared by."""

Figures = Mapping[str, float]


@dataclass(frozen=True)
class Means:
    """The means of a group of questions. A figure that no question of the group has is not there."""

    questions: int
    figures: dict[str, float]


@dataclass(frozen=True)
class Latency:
    """Microseconds of a recall, with the embedding of its question and without."""

    p50: float
    p95: float
    p50_without_embedding: float
    p95_without_embedding: float


@dataclass(frozen=True)
class Report:
    """The figures of one run. Questions that are `apart` are in none of the other means, nor is their latency."""

    setting: str
    memories: int
    refused: int
    budget: int
    all: Means
    latency: Latency
    categories: dict[str, Means] = field(default_factory=dict)
    halves: dict[str, Means] = field(default_factory=dict)
    apart: dict[str, Means] = field(default_factory=dict)


def report(run: Run, *, conversations: int, halves: bool = False) -> Report:
    """Return the figures of a run; with `halves`, of the first and the second half of the conversations too."""
    counted = [answer for answer in run.answers if not answer.question.apart]
    apart = [answer for answer in run.answers if answer.question.apart]
    return Report(
        setting=str(run.setting),
        memories=run.memories,
        refused=run.refused,
        budget=run.setting.budget,
        all=_means(counted),
        latency=_latency(counted or apart),
        categories=_by(counted, lambda answer: answer.question.category),
        halves=_by(counted, lambda answer: _half(answer.conversation, conversations)) if halves else {},
        apart=_by(apart, lambda answer: answer.question.category),
    )


def figures_of(answer: Answer) -> dict[str, float]:
    """Return every figure of one question; `stale@k` only where it says what is outdated."""
    question = answer.question
    figures: dict[str, float] = {}
    for k in KS:
        ranks = ranks_of(answer.best(k), question.expected)
        for name, figure in _OF_RANKS.items():
            figures[f"{name}@{k}"] = figure(ranks, k)
        if question.outdated:
            figures[f"stale@{k}"] = staleness(answer.best(k), question.outdated, k)
    packed = ranks_of(answer.packed, question.expected)
    size = len(answer.packed)
    return figures | {
        "mrr": reciprocal_rank(ranks_of(answer.far, question.expected)),
        "context_recall": recall(packed, size),
        "context_recall_all": recall_all(packed, size),
        "context_precision": precision(answer.packed, question.expected),
        "context_tokens": float(answer.tokens),
    }


def compared(first: Run, second: Run, *, seed: int) -> dict[str, Interval]:
    """Return by how much the second run is above the first in each figure, over the questions that are not apart."""
    before, after = (
        [figures_of(answer) for answer in run.answers if not answer.question.apart] for run in (first, second)
    )
    intervals = {}
    for name in COMPARED:
        pairs = [(old[name], new[name]) for old, new in zip(before, after, strict=True) if name in old]
        if pairs:
            intervals[name] = paired_interval(*zip(*pairs, strict=True), seed=seed)
    return intervals


_OF_RANKS: Final[dict[str, Callable[[Any, int], float]]] = {
    "recall": recall,
    "recall_any": recall_any,
    "recall_all": recall_all,
    "ndcg": ndcg,
}


def _half(conversation: int, conversations: int) -> str:
    middle = (conversations + 1) // 2
    first = conversation < middle
    ends = (1, middle) if first else (middle + 1, conversations)
    return f"{ends[0]}" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _by(answers: Iterable[Answer], key: Callable[[Answer], str]) -> dict[str, Means]:
    groups: dict[str, list[Answer]] = {}
    for answer in answers:
        groups.setdefault(key(answer), []).append(answer)
    return {name: _means(groups[name]) for name in sorted(groups)}


def _means(answers: Sequence[Answer]) -> Means:
    values: dict[str, list[float]] = {}
    for figures in map(figures_of, answers):
        for name, value in figures.items():
            values.setdefault(name, []).append(value)
    return Means(len(answers), {name: sum(of) / len(of) for name, of in values.items()})


def _latency(answers: Sequence[Answer]) -> Latency:
    whole = [answer.seconds * 1e6 for answer in answers]
    without = [(answer.seconds - answer.embedding_seconds) * 1e6 for answer in answers]
    return Latency(*(percentile(values, share) for values in (whole, without) for share in (0.5, 0.95)))
