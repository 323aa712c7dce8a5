"""plugmem: BM25, vectors and recency, fused by rank; a scope is a tag. Its fact ids count up from 0 in a new file."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import plugmem

from bench.data import batches
from bench.peers.peer import Found, Peer


class Plugmem(Peer):
    needs: ClassVar[tuple[str, ...]] = ("plugmem",)
    ranks: ClassVar[str] = "its own"
    keeps: ClassVar[str] = "process and power: nothing (one fsync a write)"

    def _open(self) -> None:
        self.memory = plugmem.Plugmem.open(str(self.folder / "memories.plugmem"), dim=self.data.dimension)

    def _fact(self, position: int) -> dict[str, Any]:
        data = self.data
        fact = {"text": data.content(position), "vector": data.vector(position).tolist()}
        return {**fact, "tags": [data.scope(position)]} if data.scopes > 1 else fact

    def fill(self) -> None:
        self._open()
        for part in batches(self.data.count):
            said = self.memory.remember_many([self._fact(i) for i in part])
            if [outcome.id for outcome in said] != list(part):
                raise RuntimeError("its ids do not count up")
        self.memory.checkpoint()
        self.memory.close()

    def open(self) -> None:
        self._open()

    def new_store(self) -> None:
        self._open()

    def write(self, position: int) -> None:
        self.memory.remember(**self._fact(position))

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> Any:
        within = {} if scope is None else {"tags": [self.data.scope(scope)]}
        return self.memory.recall(vector=query.tolist(), k=limit, **within)

    def ask_text(self, text: str, query: np.ndarray, limit: int) -> Any:
        return self.memory.recall(text, vector=query.tolist(), k=limit)

    def found(self, answer: Any) -> Found:
        return Found(np.array([fact.id for fact in answer.facts], np.int64))

    def close(self) -> None:
        self.memory.close()


class PlugmemText(Plugmem):
    """The same asked by text alone."""

    stored_as: ClassVar[str] = "plugmem"

    def ask_text(self, text: str, query: np.ndarray, limit: int) -> Any:
        return self.memory.recall(text, k=limit)
