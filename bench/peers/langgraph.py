"""LangGraph's two local stores: `InMemoryStore` and `SqliteStore` (on sqlite-vec). A scope is a namespace."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from langgraph.store.base import PutOp
from langgraph.store.memory import InMemoryStore

from bench.data import batches
from bench.peers.handed_in import HandedIn
from bench.peers.peer import Found, NotOfferedError, Peer


class InMemory(Peer):
    needs: ClassVar[tuple[str, ...]] = ("langgraph",)

    def _index(self) -> dict[str, Any]:
        self.embedder = HandedIn(self.data)
        return {"dims": self.data.dimension, "embed": self.embedder.embed_batch, "fields": ["text"]}

    def _put_all(self, positions: range) -> None:
        self.store.batch(
            [PutOp(self._namespace(i % self.data.scopes), str(i), {"text": self.data.content(i)}) for i in positions]
        )

    def _namespace(self, scope: int | None) -> tuple[str, ...]:
        return ("memories",) if scope is None else ("memories", str(scope))

    def fill(self) -> None:
        """Nothing is kept: opening fills it."""

    def open(self) -> None:
        self.store: Any = InMemoryStore(index=self._index())
        for part in batches(self.data.count):
            self._put_all(part)

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> Any:
        self.embedder.question = query
        return self.store.search(self._namespace(scope), query="the question", limit=limit)

    def found(self, answer: Any) -> Found:
        positions = np.array([int(item.key) for item in answer], np.int64)
        return Found(positions, np.array([item.score for item in answer]))


class Sqlite(InMemory):
    needs: ClassVar[tuple[str, ...]] = ("langgraph-checkpoint-sqlite",)
    shared_by_processes: ClassVar[bool] = True
    keeps: ClassVar[str] = "process and power: nothing (WAL, SQLite's default synchronous=FULL)"

    def _open(self) -> None:
        from langgraph.store.sqlite import SqliteStore

        from bench.peers.sqlite_vec import sqlite_with_extensions

        path = str(self.folder / "store.db")
        self.connection = sqlite_with_extensions().connect(path, check_same_thread=False, isolation_level=None)
        self.store = SqliteStore(self.connection, index=self._index())
        self.store.setup()

    def fill(self) -> None:
        self._open()
        for part in batches(self.data.count):
            self._put_all(part)
        self.connection.close()

    def open(self) -> None:
        self._open()

    def new_store(self) -> None:
        self._open()

    def write(self, position: int) -> None:
        self._put_all(range(position, position + 1))

    def thread_searcher(self) -> Peer:
        raise NotOfferedError("its store takes one caller at a time")

    def close(self) -> None:
        self.connection.close()
