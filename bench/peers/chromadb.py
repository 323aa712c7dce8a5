"""chromadb: a persistent collection with inner product, telemetry off, vectors handed in; its default HNSW."""

from __future__ import annotations

from typing import Any, ClassVar

import chromadb
import numpy as np
from chromadb.config import Settings

from bench.peers.peer import Found, Peer


class Chroma(Peer):
    needs: ClassVar[tuple[str, ...]] = ("chromadb",)
    keeps: ClassVar[str] = "process: nothing; power: as SQLite's default"

    def _client(self) -> Any:
        return chromadb.PersistentClient(str(self.folder / "chroma"), settings=Settings(anonymized_telemetry=False))

    def new_store(self) -> None:
        self.client = self._client()
        hnsw = {"hnsw": {"space": "ip"}}
        self.collection = self.client.create_collection("memories", embedding_function=None, configuration=hnsw)

    def fill(self) -> None:
        self.new_store()
        most = self.client.get_max_batch_size()
        for first in range(0, self.data.count, most):
            self._add(range(first, min(first + most, self.data.count)))

    def _add(self, positions: range) -> None:
        data = self.data
        self.collection.add(
            ids=[str(i) for i in positions],
            embeddings=np.array(data.vectors[positions.start % data.count :][: len(positions)]),
            documents=[data.content(i) for i in positions],
            metadatas=[{"scope": i % data.scopes} for i in positions],
        )

    def write(self, position: int) -> None:
        self._add(range(position, position + 1))

    def open(self) -> None:
        self.client = self._client()
        self.collection = self.client.get_collection("memories", embedding_function=None)

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> Any:
        where = {} if scope is None else {"where": {"scope": scope}}
        return self.collection.query(query_embeddings=[query], n_results=limit, include=["distances"], **where)

    def found(self, answer: Any) -> Found:
        return Found(np.array(answer["ids"][0], np.int64), 1 - np.array(answer["distances"][0]))
