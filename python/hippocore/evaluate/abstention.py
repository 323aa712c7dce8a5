"""Whether `Context.confidence` tells a question whose answer is stored from one whose answer is not."""

from __future__ import annotations

from dataclasses import dataclass

from hippocore.evaluate.dataset import DataSet
from hippocore.evaluate.metrics import auroc
from hippocore.evaluate.settings import PLAIN, Setting
from hippocore.evaluate.written import Advance, WrittenStore, scope_of, written_store


@dataclass(frozen=True)
class Abstention:
    """Confidence in a question's own conversation, and in every other one; the shares are of those above 0.5."""

    setting: str
    right: int
    wrong: int
    auroc: float
    right_mean: float
    wrong_mean: float
    right_above_half: float
    wrong_above_half: float


def abstention(data: DataSet, setting: Setting, advance: Advance = lambda steps: None) -> Abstention:
    """Return how well confidence tells the right conversation from the wrong ones, over questions not apart.

    Every question is asked of every conversation. With the speakers' own names that is easy: see `speakers="neutral"`.
    Raises ValueError for one conversation alone, and for a mode that has no confidence.
    """
    if len(data.conversations) < 2:
        raise ValueError("abstention asks questions of other conversations, and there is one")
    if setting.mode in PLAIN:
        raise ValueError(f"mode {setting.mode} has no confidence: say hybrid")
    right: list[float] = []
    wrong: list[float] = []
    with written_store(data, setting, advance) as store:
        for number, question in store.data.asked():
            if not question.apart:
                for other in range(len(data.conversations)):
                    (right if other == number else wrong).append(_confidence(store, setting, other, question.text))
            advance(1)
    return Abstention(
        str(setting),
        len(right),
        len(wrong),
        auroc(right, wrong),
        _mean(right),
        _mean(wrong),
        _above(right),
        _above(wrong),
    )


def steps(data: DataSet) -> int:
    """Return how many steps `abstention` takes: a memory written or a question asked of all is one."""
    return data.entries + data.questions


def _confidence(store: WrittenStore, setting: Setting, number: int, question: str) -> float:
    context = store.layer.context(question, scope=scope_of(number), budget=setting.budget, touch=False, **setting.how)
    if context.confidence is None:
        raise ValueError(f"mode {setting.mode} has no confidence: say hybrid")
    return context.confidence


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _above(values: list[float]) -> float:
    return _mean([float(value > 0.5) for value in values])
