"""The four signals over a pool of candidates: what a user of a similarity index would have to write."""

from __future__ import annotations

import numpy as np

from bench.data import SATURATION, WEIGHTS, Data
from bench.peers.peer import Found
from bench.synthetic import NOW


class Reranker:
    """Holds the metadata in memory; vectors are read only where the index gives no exact similarity."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.last_used = np.array(data.last_used)
        self.half_life = data.half_lives()
        self.importance = np.array(data.importance)
        self.uses = np.array(data.uses)

    def top(self, query: np.ndarray, found: Found, limit: int) -> np.ndarray:
        """Return the positions of the pool's best by the four signals."""
        positions = found.positions[found.positions >= 0]
        similarities = found.similarities
        if similarities is None:
            similarities = self.data.vectors[positions] @ query
        age = NOW - self.last_used[positions]
        scores = (
            WEIGHTS["relevance"] * np.maximum(similarities[: len(positions)], 0)
            + WEIGHTS["recency"] * np.exp2(-age / self.half_life[positions])
            + WEIGHTS["importance"] * self.importance[positions]
            + WEIGHTS["usage"] * np.minimum(1, np.log1p(self.uses[positions]) / np.log1p(SATURATION))
        )
        return positions[np.argsort(-scores)[:limit]]
