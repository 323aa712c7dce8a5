"""Clusters of vectors: groups in which every two are alike. Pure, and the same for the same vectors.

Complete linkage, greedily: whoever has the most others at the similarity or above comes first, the earliest of equals.
It takes of those that are still free, the nearest first, each that is alike with all it has taken before. What comes of
it is a cluster where there are enough of them; the next one goes on with the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from hippocore.stores.protocol import Vectors

MOST_MEMBERS: Final = 256
"""The most members of one cluster, which bounds what has to be kept of each vector's neighbours."""

_ROWS_AT_ONCE: Final = 256  # of products: with 20,000 vectors 20 MB
_ROUNDING: Final = 1e-6  # of a product of float32 unit vectors
_Indices = np.ndarray[Any, np.dtype[np.intp]]


def clusters(
    vectors: Vectors, similarity: float, at_least: int, go_on: Callable[[], None] = lambda: None
) -> list[list[int]]:
    """Return groups of at least `at_least` rows of (n, dim) with a cosine of `similarity` or more between any two.

    Each group rises, has at most 256 rows, and shares none with another; groups come in the order of their first rows.
    The cost is that of n² products. A vector of zeros is like nothing. go_on is called all along, and may raise.
    """
    units = unit_vectors(vectors)
    least = similarity - _ROUNDING
    near = _neighbours(units, least, go_on)
    free = np.ones(len(units), bool)
    found = []
    for seed in sorted(range(len(units)), key=lambda i: -len(near[i])):
        if len(near[seed]) + 1 < at_least:
            break
        go_on()
        group = _alike(units, seed, near[seed][free[near[seed]]], least) if free[seed] else []
        if len(group) >= at_least:
            free[group] = False
            found.append(sorted(group))
    return sorted(found)


def unit_vectors(vectors: Vectors) -> Vectors:
    """Return the vectors (n, dim) at length 1; those of zeros stay what they are."""
    wide = vectors.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    units = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0)
    found: Vectors = units.astype(np.float32)
    return found


def most_central(units: Vectors) -> list[int]:
    """Return the rows of (n, dim) unit vectors, the one with the largest mean cosine to all first; ties as they stand.

    The first one is the medoid.
    """
    mean = units.mean(axis=0, dtype=np.float64)
    return sorted(range(len(units)), key=lambda i: -round(float(units[i] @ mean), 6))


def _neighbours(units: Vectors, least: float, go_on: Callable[[], None]) -> list[_Indices]:
    """Return for each row the others that are near enough, the nearest first, and at most as many as a cluster has."""
    found = []
    for start in range(0, len(units), _ROWS_AT_ONCE):
        go_on()
        products = units[start : start + _ROWS_AT_ONCE] @ units.T
        for i, row in enumerate(products):
            row[start + i] = -np.inf
            found.append(_nearest(row, np.flatnonzero(row >= least)))
    return found


def _nearest(row: Vectors, near: _Indices) -> _Indices:
    if len(near) >= MOST_MEMBERS:
        near = np.sort(near[np.argpartition(-row[near], MOST_MEMBERS - 1)[: MOST_MEMBERS - 1]])
    return near[np.argsort(-row[near], kind="stable")]


def _alike(units: Vectors, seed: int, candidates: _Indices, least: float) -> Sequence[int]:
    pairs = units[candidates] @ units[candidates].T >= least
    allowed = np.ones(len(candidates), bool)
    group = [seed]
    for i, candidate in enumerate(candidates):
        if allowed[i]:
            group.append(int(candidate))
            allowed &= pairs[i]
    return group
