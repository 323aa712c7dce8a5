"""Fitting the ranking's weights to a data set, and what that gains on questions that the fit has not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from hippocore.evaluate.bootstrap import Interval, paired_interval
from hippocore.evaluate.dataset import DataSet, Question
from hippocore.evaluate.metrics import ranks_of, recall
from hippocore.evaluate.settings import PLAIN, WEIGHTS, Setting
from hippocore.evaluate.signals import Doubles, constant, gathered, grid, recalls
from hippocore.evaluate.written import WrittenStore, written_store

FOLDS: Final = 5
POOL: Final = 200
LEXICAL_WEIGHTS: Final = (0.3, 0.4, 0.5, 0.6, 0.7)
_SAME: Final = 1e-12  # rounding of a mean

Weights = dict[str, float]  # arguments of Ranking
Advance = Callable[[int], None]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Fold:
    """Conversations that were held out, the weights fitted to the others, and the mean recall with both weights."""

    conversations: tuple[str, ...]
    questions: int
    weights: Weights
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
    start: Weights
    weights: Weights
    before: float
    after: float
    gain: Interval
    folds: list[Fold]

    @property
    def gained(self) -> bool:
        """Whether the held-out questions show a gain."""
        return self.gain.low > 0


def tune(
    data: DataSet,
    setting: Setting,
    *,
    folds: int | None = None,
    pool: int = POOL,
    advance: Advance = lambda steps: None,
) -> Tuning:
    """Return the weights that find most evidence within the setting's limit, and their gain on held-out questions.

    Each question's pool is recalled once for each weight of words (in hybrid recall) and weighed anew for every weights
    of a grid. Conversations are dealt into folds; a fold's questions are then asked of the layer itself, with the
    setting's weights and with those that were fitted to the other folds. One conversation alone is dealt by question.
    Without `folds`, there are five or as many as can be dealt. Raises ValueError for fewer than two questions or folds,
    and for more folds than conversations, or questions of one.
    """
    if setting.mode in PLAIN:
        raise ValueError(f"mode {setting.mode} has no weights to tune: say hybrid, dense or lexical")
    if setting.expand != "none":
        raise ValueError("what other wordings find cannot be weighed anew: leave out expand")
    if folds is not None and folds < 2:
        raise ValueError(f"folds must be 2 or more, not {folds}")
    asked = [number for number, question in data.asked() if not question.apart]
    if len(asked) < 2:
        raise ValueError(f"tuning needs two questions or more that are not apart, and there are {len(asked)}")
    parts = _parts(asked, folds)
    with written_store(data, setting, advance) as store:
        tried = _tried(store, setting, max(pool, setting.limit), advance)
        return _judged(store, setting, tried, dealt(asked, parts, setting.seed), advance)


def steps(data: DataSet, setting: Setting) -> int:
    """Return how many steps `tune` takes: a memory written, or a question asked, once for each time."""
    counted = sum(not question.apart for _, question in data.asked())
    return data.entries + data.questions * len(_lexical_weights(setting)) + counted


def dealt(conversations: Sequence[int], folds: int, seed: int) -> Numbers:
    """Return the fold of each question: conversations are dealt in a shuffled order, one alone question by question."""
    groups = np.asarray(conversations, np.int64)
    if len(set(conversations)) == 1:
        groups = np.arange(len(groups))
    names = np.random.default_rng(seed).permutation(np.unique(groups))
    fold_of = {int(name): place % folds for place, name in enumerate(names)}
    return np.array([fold_of[int(group)] for group in groups], np.int64)


def _parts(conversations: Sequence[int], folds: int | None) -> int:
    """Return how many folds there are; raises ValueError where some would be empty."""
    most, what = len(set(conversations)), "conversations"
    if most == 1:
        most, what = len(conversations), "questions"
    if folds is not None and folds > most:
        raise ValueError(f"{most} {what} cannot be dealt into {folds} folds: say {most} or fewer")
    return min(FOLDS, most) if folds is None else folds


def fitted(found: Doubles) -> int:
    """Return the place of the weights with the highest mean of (questions, weights); the first of those as good."""
    means = found.mean(axis=0)
    return int(np.flatnonzero(means >= means.max() - _SAME)[0])


class _Tried(NamedTuple):
    """What was tried: rankings, the setting's own first, and the recall (questions, rankings) that each would give."""

    rankings: list[Weights]
    found: Doubles
    constant: tuple[str, ...]


def _tried(store: WrittenStore, setting: Setting, pool: int, advance: Advance) -> _Tried:
    weights = grid(setting.made_ranking().weights)
    rankings: list[Weights] = []
    found, same = [], set(WEIGHTS)
    for words in _lexical_weights(setting):
        asking = replace(setting, ranking={**setting.ranking, "lexical_weight": words})
        signals = gathered(store, asking, pool, advance)
        found.append(np.array([recalls(of, weights, setting.limit) for of in signals]))
        rankings += [{**_named(each), "lexical_weight": words} for each in weights]
        same.intersection_update(constant(signals))
    return _Tried(rankings, np.hstack(found), tuple(name for name in WEIGHTS if name in same))


def _lexical_weights(setting: Setting) -> list[float]:
    """Return the weights of words to try, the setting's own first; only hybrid recall has a choice."""
    own = setting.made_ranking().lexical_weight
    return [own, *(weight for weight in LEXICAL_WEIGHTS if weight != own)] if setting.mode == "hybrid" else [own]


def _judged(store: WrittenStore, setting: Setting, tried: _Tried, fold_of: Numbers, advance: Advance) -> Tuning:
    """Fit to all folds but one, ask that one's questions with the ranking before and after, for each fold."""
    asked = [(number, question) for number, question in store.data.asked() if not question.apart]
    recalled = np.zeros((len(asked), 2))
    folds = []
    for fold in sorted(set(fold_of.tolist())):
        ranking = tried.rankings[fitted(tried.found[fold_of != fold])]
        held_out = np.flatnonzero(fold_of == fold)
        for place in held_out:
            recalled[place] = _asked(store, setting, *asked[place], ranking)
            advance(1)
        names = [store.data.conversations[of].name for of in sorted({asked[place][0] for place in held_out})]
        before, after = map(float, recalled[held_out].mean(axis=0))
        folds.append(Fold(tuple(names), len(held_out), ranking, before, after))
    before, after = map(float, recalled.mean(axis=0))
    gain = paired_interval(recalled[:, 0], recalled[:, 1], seed=setting.seed)
    best = tried.rankings[fitted(tried.found)]
    return Tuning(setting.limit, tried.constant, tried.rankings[0], best, before, after, gain, folds)


def _asked(
    store: WrittenStore, setting: Setting, number: int, question: Question, ranking: Weights
) -> tuple[float, float]:
    """Return the recall of a question with the setting's weights, and with others."""
    other = replace(setting, ranking={**setting.ranking, **ranking})
    both = []
    for asking in (setting, other):
        found = store.names(store.recall(number, question, limit=setting.limit, **asking.how))
        both.append(recall(ranks_of(found, question.expected), setting.limit))
    return both[0], both[1]


def _named(weights: Doubles) -> Weights:
    return {name: round(float(weight), 9) for name, weight in zip(WEIGHTS, weights, strict=True)}
