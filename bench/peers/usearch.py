"""usearch, its exact `search` of an array on one thread; it has no filter, so that a scope cannot be asked."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from usearch.index import MetricKind, search

from bench.peers.peer import Found, NotOfferedError, Peer


class Exact(Peer):
    needs: ClassVar[tuple[str, ...]] = ("usearch",)

    def fill(self) -> None:
        np.save(self.folder / "vectors.npy", self.data.vectors)

    def open(self) -> None:
        self.vectors = np.load(self.folder / "vectors.npy")

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> Any:
        if scope is not None:
            raise NotOfferedError("has no filter in Python")
        return search(self.vectors, query, limit, MetricKind.IP, exact=True, threads=1)

    def found(self, answer: Any) -> Found:
        return Found(answer.keys.astype(np.int64), 1 - answer.distances)
