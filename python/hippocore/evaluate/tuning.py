"""Fitting the weights of the ranking to a data set, and what that gains on questions that the fit has not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hippocore.evaluate.bootstrap import Interval, paired_interval
from hippocore.evaluate.dataset import DataSet, Question
from hippocore.evaluate.metrics import ranks_of, recall
from hippocore.evaluate.settings import PLAIN, WEIGHTS, Setting
from hippocore.evaluate.signals import Doubles, Signals, constant, gathered, grid, recalls
from hippocore.evaluate.written import WrittenStore, written_store

FOLDS: Final = 5
POOL: Final = 200
_SAME: Final = 1e-12  # rounding of a mean

Advance = Callable[[int], None]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Fold:
    """Conversations that were held out, the weights fitted to the others, and the mean recall with both weights."""

    conversations: tuple[str, ...]
    questions: int
    weights: dict[str, float]
    before: float
    after: float


@dataclass(frozen=True)
class Tuning:
    """What tuning found. `gain` is over all questions, each held out once; `weights` are fitted to all of them.

    Without a gain that the held-out questions show (the interval lies above 0), the weights that were are the better
    choice. `constant` are signals that this data set cannot tell anything about.
    """

    limit: int
    constant: tuple[str, ...]
    start: dict[str, float]
    weights: dict[str, float]
    before: float
    after: float
    gain: Interval
    folds: list[Fold]

    @property
    def gained(self) -> bool:
        """Whether the held-out questions show a gain."""
        return self.gain.low > 0


def tune(
    data: DataSet, setting: Setting, *, folds: int = FOLDS, pool: int = POOL, advance: Advance = lambda steps: None
) -> Tuning:
    """Return the weights that find most evidence within the setting's limit, and their gain on held-out questions.

    Each question's pool is recalled once and weighed anew for every weights of a grid. Conversations are dealt into
    folds; a fold's questions are then asked of the layer itself, with the setting's weights and with those that were
    fitted to the other folds. One conversation alone is dealt by question. Raises ValueError for fewer than two
    questions or folds.
    """
    if setting.mode in PLAIN:
        raise ValueError(f"mode {setting.mode} has no weights to tune: say hybrid, dense or lexical")
    if folds < 2:
        raise ValueError(f"folds must be 2 or more, not {folds}")
    with written_store(data, setting, advance) as store:
        signals = gathered(store, setting, max(pool, setting.limit), advance)
        if len(signals) < 2:
            raise ValueError(f"tuning needs two questions or more that are not apart, and there are {len(signals)}")
        tried = grid(setting.made_ranking().weights)
        found = np.array([recalls(of, tried, setting.limit) for of in signals])
        fold_of = dealt([of.conversation for of in signals], folds, setting.seed)
        return _judged(store, setting, signals, tried, found, fold_of, advance)


def steps(data: DataSet) -> int:
    """Return how many steps `tune` takes: a memory written, or a question asked, once for each time."""
    return data.entries + data.questions + sum(not question.apart for _, question in data.asked())


def dealt(conversations: Sequence[int], folds: int, seed: int) -> Numbers:
    """Return the fold of each question: conversations are dealt in a shuffled order, one alone question by question."""
    groups = np.asarray(conversations, np.int64)
    if len(set(conversations)) == 1:
        groups = np.arange(len(groups))
    names = np.random.default_rng(seed).permutation(np.unique(groups))
    fold_of = {int(name): place % folds for place, name in enumerate(names)}
    return np.array([fold_of[int(group)] for group in groups], np.int64)


def fitted(found: Doubles) -> int:
    """Return the place of the weights with the highest mean of (questions, weights); the first of those as good."""
    means = found.mean(axis=0)
    return int(np.flatnonzero(means >= means.max() - _SAME)[0])


def _judged(
    store: WrittenStore,
    setting: Setting,
    signals: list[Signals],
    tried: Doubles,
    found: Doubles,
    fold_of: Numbers,
    advance: Advance,
) -> Tuning:
    """Fit to all folds but one, ask that one's questions with the weights before and after, for each fold."""
    asked = [(number, question) for number, question in store.data.asked() if not question.apart]
    recalled = np.zeros((len(asked), 2))
    folds = []
    for fold in sorted(set(fold_of.tolist())):
        weights = tried[fitted(found[fold_of != fold])]
        held_out = np.flatnonzero(fold_of == fold)
        for place in held_out:
            recalled[place] = _asked(store, setting, *asked[place], weights)
            advance(1)
        names = [
            store.data.conversations[of].name for of in sorted({signals[place].conversation for place in held_out})
        ]
        before, after = map(float, recalled[held_out].mean(axis=0))
        folds.append(Fold(tuple(names), len(held_out), _named(weights), before, after))
    before, after = map(float, recalled.mean(axis=0))
    gain = paired_interval(recalled[:, 0], recalled[:, 1], seed=setting.seed)
    found_by = (setting.limit, constant(signals))
    return Tuning(*found_by, _named(tried[0]), _named(tried[fitted(found)]), before, after, gain, folds)


def _asked(
    store: WrittenStore, setting: Setting, number: int, question: Question, weights: Doubles
) -> tuple[float, float]:
    """Return the recall of a question with the setting's weights, and with others."""
    other = replace(setting, ranking={**setting.ranking, **_named(weights)})
    both = []
    for asking in (setting, other):
        how: dict[str, Any] = {"mode": asking.mode, "ranking": asking.made_ranking()}
        found = store.names(store.recall(number, question, limit=setting.limit, **how))
        both.append(recall(ranks_of(found, question.expected), setting.limit))
    return both[0], both[1]


def _named(weights: Doubles) -> dict[str, float]:
    return {name: round(float(weight), 9) for name, weight in zip(WEIGHTS, weights, strict=True)}
