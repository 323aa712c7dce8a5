"""How strong a memory still is. Pure formulas on numpy arrays; ages and half-lives in seconds, the rest 0..1."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]  # numpy.typing takes long to import
Numbers = Array | float

_MIXED = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def recency(age: Numbers, half_life: Numbers) -> Array:
    """Return 0.5 ** (age / half_life), as recall ranks by; 1 for what lies in the future."""
    return np.asarray(np.exp2(-np.maximum(age, 0.0) / half_life))


def usage(uses: Numbers, saturation: float) -> Array:
    """Return ln(1 + uses) / ln(1 + saturation), at most 1, as recall ranks by."""
    return np.asarray(np.minimum(1.0, np.log1p(uses) / math.log1p(saturation)))


def strength(recency: Numbers, importance: Numbers, usage: Numbers) -> Array:
    """Return recency * (0.5 + 0.5 * importance) * (0.5 + 0.5 * usage): each of the others at most halves it."""
    return np.asarray(recency * (0.5 + 0.5 * np.asarray(importance)) * (0.5 + 0.5 * np.asarray(usage)))


def spaced_half_life(half_life: Numbers, stability: Numbers, growth: float) -> Array:
    """Return the half-life after spaced repetition: it grows by `growth` of itself with each spaced use.

    stability is 1 and the spaced uses, those a day or more after the one before. With a growth of 1 it is the S of
    R = exp(-t / S) in MemoryBank (Zhong et al., AAAI 2024), which starts at 1 and grows by 1, here of half-lives.
    """
    return np.asarray(half_life * (1.0 + growth * (np.maximum(stability, 1.0) - 1.0)))


def faded(value: Numbers, kept: Numbers, elapsed: Numbers, every: Numbers) -> Array:
    """Return what is left of a value that is multiplied by `kept` for each whole period of `every` that has passed."""
    return np.asarray(value * np.power(kept, np.floor(np.maximum(elapsed, 0.0) / every)))


def sampling_order(weights: Array, keys: Array, seed: int) -> Array:
    """Return one number a memory, to keep those with the largest: a weighted sample without replacement.

    ln(u) / weight with u uniform in (0, 1] (Efraimidis and Spirakis, Information Processing Letters 97, 2006, whose
    u ** (1 / weight) is in the same order). u comes from the 16 bytes of the memory's key and the seed, so that a
    memory's number does not depend on which others there are.
    """
    uniform = (_mixed(keys, seed) >> np.uint64(11)).astype(np.float64) * 2.0**-53 + 2.0**-54
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(uniform) / weights)


def _mixed(keys: Array, seed: int) -> Array:
    """Return 64 well-mixed bits of each key (n, 16) and the seed: the finalizer of SplitMix64 over both halves."""
    halves = np.ascontiguousarray(keys).view("<u8").reshape(-1, 2)
    with np.errstate(over="ignore"):
        return _finished(_finished(halves[:, 0] + np.uint64(seed)) + halves[:, 1])


def _finished(bits: Array) -> Array:
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(_MIXED[0])
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(_MIXED[1])
    return np.asarray(bits ^ (bits >> np.uint64(31)))
