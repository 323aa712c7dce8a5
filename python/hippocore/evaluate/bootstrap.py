"""How sure a difference of two settings is that answered the same questions."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

RESAMPLES: Final = 10_000
_AT_ONCE: Final = 2_000_000  # numbers drawn at once


class Interval(NamedTuple):
    """A mean difference, and between what it lies with a probability of `level` were other such questions asked."""

    difference: float
    low: float
    high: float
    level: float = 0.95


def paired_interval(
    first: npt.ArrayLike, second: npt.ArrayLike, *, seed: int = 0, resamples: int = RESAMPLES, level: float = 0.95
) -> Interval:
    """Return the mean of second - first, question by question, with its percentile bootstrap interval.

    Questions are drawn anew with replacement, both settings' values of a question together. "Bootstrap Methods: Another
    Look at the Jackknife", Annals of Statistics 7(1), 1979. Raises ValueError for lengths that differ, or no question.
    """
    before, after = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if before.shape != after.shape or before.ndim != 1 or not len(before):
        raise ValueError(f"there must be as many values of both, and some: not {before.shape} and {after.shape}")
    differences = after - before
    generator = np.random.default_rng(seed)
    count = len(differences)
    block = max(1, _AT_ONCE // count)
    means = np.empty(resamples)
    for start in range(0, resamples, block):
        drawn = generator.integers(0, count, (min(block, resamples - start), count))
        means[start : start + len(drawn)] = differences[drawn].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(differences.mean()), float(low), float(high), level)
