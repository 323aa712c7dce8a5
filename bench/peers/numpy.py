"""Plain numpy: the product with every vector and argpartition, alone and with the four signals written out.

In a scope the rows are looked up in an array made beforehand, as its user would.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from bench.data import SATURATION, WEIGHTS
from bench.peers.peer import Found, Peer
from bench.synthetic import NOW


class Numpy(Peer):
    stored_as: ClassVar[str] = "numpy"
    needs: ClassVar[tuple[str, ...]] = ("numpy",)

    def fill(self) -> None:
        np.save(self.folder / "vectors.npy", self.data.vectors)

    def open(self) -> None:
        self.vectors = np.load(self.folder / "vectors.npy")
        self.rows = np.arange(self.data.count).reshape(-1, self.data.scopes).T if self.data.scopes > 1 else None

    def similarities(self, query: np.ndarray, scope: int | None) -> tuple[np.ndarray | None, np.ndarray]:
        rows = None if scope is None or self.rows is None else self.rows[scope]
        return rows, (self.vectors if rows is None else self.vectors[rows]) @ query

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> Found:
        rows, similarities = self.similarities(query, scope)
        best = top(similarities, limit)
        return Found(best if rows is None else rows[best], similarities[best])

    def found(self, answer: Found) -> Found:
        return answer


class NumpyFourSignals(Numpy):
    ranks: ClassVar[str] = "four signals"

    def open(self) -> None:
        super().open()
        data = self.data
        columns = (data.last_used, data.half_lives(), data.importance, data.uses)
        self.columns = tuple(np.array(column, np.float32) for column in columns)
        self.columns[0][:] = NOW - data.last_used

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> Found:
        rows, similarities = self.similarities(query, scope)
        age, half_life, importance, uses = self.columns if rows is None else (c[rows] for c in self.columns)
        scores = WEIGHTS["relevance"] * np.maximum(similarities, 0)
        scores += WEIGHTS["recency"] * np.exp2(-age / half_life)
        scores += WEIGHTS["importance"] * importance
        scores += WEIGHTS["usage"] * np.minimum(1, np.log1p(uses) / np.float32(np.log1p(SATURATION)))
        best = top(scores, limit)
        return Found(best if rows is None else rows[best])


def top(scores: np.ndarray, limit: int) -> np.ndarray:
    """Return the places of the highest, best first."""
    best = np.argpartition(-scores, limit)[:limit] if limit < len(scores) else np.arange(len(scores))
    return best[np.argsort(-scores[best])]
