"""yantrikdb: similarity, decay and importance in a score of its own, vectors handed in; a scope is a namespace."""

from __future__ import annotations

import time
from typing import Any, ClassVar

import numpy as np
import yantrikdb

from bench.peers.peer import Found, Peer

LARGEST_BATCH = 200  # its queue holds 256 and refuses more


class Yantrik(Peer):
    needs: ClassVar[tuple[str, ...]] = ("yantrikdb",)
    ranks: ClassVar[str] = "its own"
    keeps: ClassVar[str] = "process: nothing; power: not said by its documentation"

    def _open(self) -> None:
        self.memory = yantrikdb.YantrikDB(str(self.folder / "memories.db"), embedding_dim=self.data.dimension)

    def _record(self, position: int) -> dict[str, Any]:
        data = self.data
        return {
            "text": data.content(position),
            "embedding": data.vector(position).tolist(),
            "namespace": data.scope(position),
            "importance": float(data.importance[position % data.count]),
            "created_at": float(data.created[position % data.count]),
        }

    def fill(self) -> None:
        self._open()
        ids: list[str] = []
        for first in range(0, self.data.count, LARGEST_BATCH):
            ids += self._batch([self._record(i) for i in range(first, min(first + LARGEST_BATCH, self.data.count))])
        self.keep_ids(ids)
        self.memory.close()

    def _batch(self, records: list[dict[str, Any]]) -> list[str]:
        while True:
            try:
                return self.memory.record_batch(records)
            except yantrikdb.Backpressure:
                time.sleep(0.05)  # as its message asks

    def open(self) -> None:
        self.places = self.kept_positions()
        self._open()

    def new_store(self) -> None:
        self._open()

    def write(self, position: int) -> None:
        self.memory.record(**self._record(position))

    def _recall(self, limit: int, scope: int | None, **asked: Any) -> Any:
        within = "default" if scope is None else self.data.scope(scope)
        return self.memory.recall(top_k=limit, skip_reinforce=True, namespace=within, **asked)

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> Any:
        return self._recall(limit, scope, query_embedding=query.tolist())

    def ask_text(self, text: str, query: np.ndarray, limit: int) -> Any:
        return self._recall(limit, None, query=text, query_embedding=query.tolist())

    def found(self, answer: Any) -> Found:
        return Found(np.array([self.places.get(hit["rid"], -1) for hit in answer], np.int64))

    def close(self) -> None:
        self.memory.close()
