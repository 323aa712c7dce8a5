"""What the ranking weighs, recalled once for each question: a pool's signals, and how other weights would rank it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hippocore.evaluate.settings import WEIGHTS, Setting
from hippocore.evaluate.written import WrittenStore

Doubles = npt.NDArray[np.float64]


class Signals(NamedTuple):
    """A question's pool, best first: signals (n, 4) in the order of WEIGHTS, and where each piece of evidence is."""

    conversation: int
    values: Doubles
    places: list[list[int]]


def gathered(
    store: WrittenStore, setting: Setting, pool: int, advance: Callable[[int], None] = lambda steps: None
) -> list[Signals]:
    """Return the signals of every question that is not apart, from one recall of `pool` memories each."""
    found = []
    for number, question in store.data.asked():
        if not question.apart:
            hits = store.recall(number, question, limit=pool, mode=setting.mode, ranking=setting.made_ranking())
            place = {name: i for i, name in enumerate(store.names(hits))}
            places = [[place[name] for name in piece if name in place] for piece in question.expected]
            found.append(Signals(number, _values(hits), places))
        advance(1)
    return found


def constant(signals: Sequence[Signals]) -> tuple[str, ...]:
    """Return the signals that are the same for all memories of a pool, in every pool: no weight of theirs matters."""
    spreads = [np.ptp(of.values, axis=0) for of in signals if len(of.values)]
    return tuple(name for place, name in enumerate(WEIGHTS) if not any(spread[place] for spread in spreads))


def grid(start: Sequence[float], parts: int = 10) -> Doubles:
    """Return weights (n, 4) to try: `start` first, then every split of 1 into that many parts, the nearest first.

    Relevance has a part at least: without it a question has no say.
    """
    splits = (split for split in product(range(parts + 1), repeat=len(WEIGHTS)) if sum(split) == parts and split[0])
    tried = np.array(list(splits), np.float64) / parts
    distance = np.abs(tried - np.asarray(start, np.float64)).sum(axis=1)
    return np.vstack([np.asarray(start, np.float64)[None], tried[np.argsort(distance, kind="stable")]])


def recalls(signals: Signals, weights: Doubles, k: int) -> Doubles:
    """Return the recall at k that each of the weights (n, 4) would give a question, as (n,).

    A memory's rank is the number of those that score higher, and of those that score the same and stand before it.
    """
    scores = _weighted(signals.values, weights)
    found = np.zeros(len(weights))
    for piece in signals.places:
        hit = np.zeros(len(weights), bool)
        for place in piece:
            above = (scores > scores[place]).sum(axis=0) + (scores[:place] == scores[place]).sum(axis=0)
            hit |= above < k
        found += hit
    return found / len(signals.places)


def _weighted(values: Doubles, weights: Doubles) -> Doubles:
    """Return the scores (memories, weights), each summed in the same order, so that equal signals are equal scores."""
    scores = np.zeros((len(values), len(weights)))
    for signal, weight in zip(values.T, weights.T, strict=True):
        scores += signal[:, None] * weight[None, :]
    return scores


def _values(hits: Sequence[Any]) -> Doubles:
    values = [[getattr(hit, name) for name in WEIGHTS] for hit in hits]
    return np.array(values, np.float64).reshape(len(hits), len(WEIGHTS))
