"""hnswlib: M = 16, ef_construction = 200, built on every core and asked on one thread. A scope is a Python filter."""

from __future__ import annotations

import os
from typing import ClassVar

import hnswlib
import numpy as np

from bench.peers.peer import Found, Peer


class Hnsw(Peer):
    needs: ClassVar[tuple[str, ...]] = ("hnswlib",)
    efforts: ClassVar[tuple[int, ...]] = (1, 2, 4)

    def fill(self) -> None:
        index = hnswlib.Index(space="ip", dim=self.data.dimension)
        index.init_index(self.data.count, M=16, ef_construction=200, random_seed=1)
        index.add_items(self.data.vectors, np.arange(self.data.count), num_threads=len(os.sched_getaffinity(0)))
        index.save_index(str(self.folder / "index.hnsw"))

    def open(self) -> None:
        self.index = hnswlib.Index(space="ip", dim=self.data.dimension)
        self.index.load_index(str(self.folder / "index.hnsw"))
        self.index.set_num_threads(1)

    def set_effort(self, candidates: int) -> None:
        self.index.set_ef(candidates)

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> tuple[np.ndarray, np.ndarray]:
        scopes = self.data.scopes
        given = {} if scope is None else {"filter": lambda label: label % scopes == scope}
        return self.index.knn_query(query, limit, num_threads=1, **given)

    def found(self, answer: tuple[np.ndarray, np.ndarray]) -> Found:
        positions, distances = answer
        return Found(positions[0].astype(np.int64), 1 - distances[0])
