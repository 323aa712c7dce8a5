"""The scorer on plain numpy arrays: the formulas and the packing of recall, without a store.

`cosine`, `fused_score`, `rank` and `pack` work on the native core and give the GIL back while they do. Vectors may be
lists or arrays of any real type and memory layout; they are taken as float32, as a store keeps them, and summed in
double precision.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from hippocore import _core
from hippocore.arguments import checked_choice, checked_count, checked_number
from hippocore.errors import DimensionMismatch, InvalidVector
from hippocore.ranking import Ranking

__all__ = ["Ranked", "cosine", "fused_score", "pack", "rank", "recency", "usage"]

Doubles = npt.NDArray[np.float64]
Positions = npt.NDArray[np.int64]
Strategy = Literal["score", "density", "best"]

_STRATEGIES: Final = {
    "score": _core.PackStrategy.SCORE,
    "density": _core.PackStrategy.DENSITY,
    "best": _core.PackStrategy.BEST,
}
STRATEGIES: Final = tuple(_STRATEGIES)
_LARGEST_COUNT: Final = 2**32 - 1
_LARGEST_BUDGET: Final = 2**64 - 1


class Ranked(NamedTuple):
    """Positions into the arrays that were ranked, best first, and their scores; both of shape (k,)."""

    positions: Positions
    scores: Doubles


def cosine(query: npt.ArrayLike, vectors: npt.ArrayLike) -> Doubles:
    """Return the cosine of a query (d,) with each of the vectors (n, d), or with one vector (d,), as (n,) or (1,).

    A zero vector has cosine 0 with everything. Raises InvalidVector for NaN, infinity or a value that float32 cannot
    hold, DimensionMismatch for shapes that do not belong together.
    """
    one = _vectors(query, "the query")
    many = _vectors(vectors, "the vectors")
    if one.shape[0] != 1 or np.ndim(query) != 1:
        raise DimensionMismatch(f"the query must be one vector, not an array of shape {np.shape(query)}")
    if many.shape[0] == 0:
        return np.zeros(0)
    if one.shape[1] != many.shape[1]:
        raise DimensionMismatch(f"the query has dimension {one.shape[1]}, the vectors have {many.shape[1]}")
    return _core.cosine(one[0], many)


def recency(age: npt.ArrayLike, half_life: npt.ArrayLike) -> Doubles:
    """Return 0.5 ** (age / half_life), both in seconds; an age below 0 counts as 0.

    Raises ValueError for a half-life that is not above 0, and for NaN.
    """
    ages = _numbers(age, "age")
    lives = _numbers(half_life, "half_life")
    if not (lives > 0).all():
        raise ValueError("half_life must be above 0 seconds")
    return np.asarray(np.exp2(-np.maximum(ages, 0) / lives), np.float64)


def usage(use_count: npt.ArrayLike, saturation: float = 99) -> Doubles:
    """Return min(1, ln(1 + use_count) / ln(1 + saturation)); raises ValueError for a count below 0."""
    counts = _numbers(use_count, "use_count")
    if not (counts >= 0).all():
        raise ValueError("use_count must be 0 or more")
    if not 0 < checked_number(saturation, "saturation") < float("inf"):
        raise ValueError(f"saturation must be a finite number above 0, not {saturation!r}")
    return np.asarray(np.minimum(1, np.log1p(counts) / np.log1p(saturation)), np.float64)


def fused_score(
    relevance: npt.ArrayLike,
    recency: npt.ArrayLike,
    importance: npt.ArrayLike,
    usage: npt.ArrayLike,
    *,
    ranking: Ranking | None = None,
) -> Doubles:
    """Return the weighted sum of four signals, added in this order in double precision.

    Shapes are broadcast as numpy does, so a number stands for the same signal everywhere. The weights are those of
    `ranking`, its defaults when None. Raises ValueError for NaN or shapes that do not broadcast.
    """
    names = ("relevance", "recency", "importance", "usage")
    given = [
        _numbers(signal, name) for signal, name in zip((relevance, recency, importance, usage), names, strict=True)
    ]
    signals = np.broadcast_arrays(*given)
    first, second, third, fourth = (np.ascontiguousarray(signal).reshape(-1) for signal in signals)
    weights = tuple(map(float, _checked_ranking(ranking).weights))
    return _core.fused_score(first, second, third, fourth, weights).reshape(signals[0].shape)


def rank(
    query: npt.ArrayLike,
    vectors: npt.ArrayLike,
    *,
    recency: npt.ArrayLike = 0.0,
    importance: npt.ArrayLike = 0.0,
    usage: npt.ArrayLike = 0.0,
    ranking: Ranking | None = None,
    limit: int = 20,
) -> Ranked:
    """Return the best `limit` of the vectors (n, d) by fused score, the earlier first among equals.

    Relevance is max(0, cosine) with the query (d,); the other signals are arrays (n,) or one number. Raises what
    `cosine` and `fused_score` raise, and ValueError for a negative limit.
    """
    count = checked_count(limit, "limit")
    relevance = np.maximum(cosine(query, vectors), 0)
    given = {"recency": recency, "importance": importance, "usage": usage}
    signals = [np.broadcast_to(_numbers(signal, name), relevance.shape) for name, signal in given.items()]
    scores = fused_score(relevance, *signals, ranking=ranking)
    positions = _core.best(scores, min(count, len(scores))).astype(np.int64)
    return Ranked(positions, scores[positions])


def pack(scores: npt.ArrayLike, tokens: npt.ArrayLike, budget: int, *, strategy: Strategy = "score") -> Positions:
    """Return the positions that fit into a budget of tokens, in the order of score.

    Greedy: what is too large for the rest of the budget is skipped, not the end. "score" takes in the order of score,
    "density" in that of score / tokens, "best" is whichever of the two has the larger sum of scores. Raises ValueError
    for scores that are not finite, negative tokens or budget, lengths that differ, or another strategy.
    """
    values = _numbers(scores, "scores").reshape(-1)
    costs = np.asarray(tokens).reshape(-1)
    if len(values) != len(costs):
        raise ValueError(f"there are {len(values)} scores but {len(costs)} token counts")
    if not np.isfinite(values).all():
        raise ValueError("scores must be finite")
    if costs.size and (costs.dtype.kind not in "iu" or costs.min() < 0 or costs.max() > _LARGEST_COUNT):
        raise ValueError(f"tokens must be whole numbers from 0 to {_LARGEST_COUNT}")
    chosen = checked_choice(strategy, "strategy", STRATEGIES)
    room = min(checked_count(budget, "budget"), _LARGEST_BUDGET)
    return _core.pack(values, costs.astype(np.uint32), room, _STRATEGIES[chosen]).astype(np.int64)


def _checked_ranking(ranking: Ranking | None) -> Ranking:
    if ranking is not None and not isinstance(ranking, Ranking):
        raise TypeError(f"ranking must be a Ranking, not {type(ranking).__name__}")
    return Ranking() if ranking is None else ranking


def _numbers(value: npt.ArrayLike, name: str) -> Doubles:
    array = np.asarray(value)
    if array.size and array.dtype.kind not in "fiub":
        raise TypeError(f"{name} must hold real numbers, not {array.dtype.type.__name__.rstrip('_')}")
    numbers = np.ascontiguousarray(array, np.float64).reshape(array.shape)
    if np.isnan(numbers).any():
        raise ValueError(f"{name} holds NaN")
    return numbers


def _vectors(value: npt.ArrayLike, name: str) -> npt.NDArray[np.float32]:
    """Return rows (n, d) of finite float32, one vector as one row."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise DimensionMismatch(f"there are rows of different lengths in {name}") from None
    if (array.ndim == 2 and array.shape[0] == 0) or array.shape == (0,):
        return np.zeros((0, 0), np.float32)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} must hold real numbers, not {array.dtype.type.__name__.rstrip('_')}")
    if array.ndim not in (1, 2) or array.shape[-1] == 0:
        raise DimensionMismatch(f"{name} must be rows of numbers, not an array of shape {array.shape}")
    with np.errstate(over="ignore", under="ignore"):
        rows = np.ascontiguousarray(np.atleast_2d(array), np.float32)
    if not np.isfinite(rows).all():
        raise InvalidVector(f"there is NaN, infinity or a value beyond float32's largest in {name}")
    vanished = ~rows.any(axis=1)
    if vanished.any() and np.atleast_2d(array)[vanished].any():
        raise InvalidVector(f"there is a vector in {name} that is not zero but would be in float32: scale it up")
    return rows
