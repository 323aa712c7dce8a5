"""faiss, one thread: `IndexFlatIP`, and the 8-bit scalar quantizer `SQ8`. A scope is an `IDSelectorBatch`."""

from __future__ import annotations

from typing import Any, ClassVar

import faiss
import numpy as np

from bench.peers.peer import Found, Peer


class Flat(Peer):
    needs: ClassVar[tuple[str, ...]] = ("faiss-cpu",)
    exact: ClassVar[bool] = True

    def empty_index(self) -> Any:
        return faiss.IndexFlatIP(self.data.dimension)

    def fill(self) -> None:
        faiss.omp_set_num_threads(1)
        index = self.empty_index()
        for first in range(0, self.data.count, 50_000):
            index.add(np.ascontiguousarray(self.data.vectors[first : first + 50_000]))
        faiss.write_index(index, str(self.folder / "index.faiss"))

    def open(self) -> None:
        faiss.omp_set_num_threads(1)
        self.index = faiss.read_index(str(self.folder / "index.faiss"))

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> tuple[np.ndarray, np.ndarray]:
        given = {} if scope is None else {"params": self.in_scope(scope)}
        return self.index.search(query[None], limit, **given)

    def found(self, answer: tuple[np.ndarray, np.ndarray]) -> Found:
        similarities, positions = answer
        return Found(positions[0], similarities[0] if self.exact else None)

    def in_scope(self, scope: int) -> Any:
        rows = np.arange(scope, self.data.count, self.data.scopes)
        return faiss.SearchParameters(sel=faiss.IDSelectorBatch(rows))


class EightBit(Flat):
    exact: ClassVar[bool] = False

    def empty_index(self) -> Any:
        quantizer = faiss.ScalarQuantizer.QT_8bit
        index = faiss.IndexScalarQuantizer(self.data.dimension, quantizer, faiss.METRIC_INNER_PRODUCT)
        index.train(np.ascontiguousarray(self.data.vectors[:20_000]))
        return index
