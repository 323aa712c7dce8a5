"""memd-engine: asked by text; without a model of its own it ranks by BM25, entities and time (`embedder: hash`)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from memd import Memory

from bench.data import batches
from bench.peers.peer import Found, NotOfferedError, Peer


class Memd(Peer):
    needs: ClassVar[tuple[str, ...]] = ("memd-engine",)
    ranks: ClassVar[str] = "its own"
    keeps: ClassVar[str] = "process and power: nothing (one fsync a write)"

    def _open(self) -> None:
        self.memory = Memory(str(self.folder / "memd"), config={"embedder": "hash"}, forwarding="off")

    def fill(self) -> None:
        if self.data.texts is None:
            raise NotOfferedError("takes no vectors: it embeds texts itself")
        self._open()
        ids = []
        for part in batches(self.data.count):
            ids += self.memory.add_events([{"content": self.data.content(i), "user_id": "user"} for i in part])
        self.keep_ids(ids)
        self.memory.close()

    def open(self) -> None:
        self.places = self.kept_positions()
        self._open()

    def new_store(self) -> None:
        self._open()

    def write(self, position: int) -> None:
        self.memory.add(self.data.content(position), user_id="user")

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> Any:
        raise NotOfferedError("takes no vectors: it embeds texts itself")

    def ask_text(self, text: str, query: np.ndarray, limit: int) -> Any:
        return self.memory.search(text, user_id="user")

    def found(self, answer: Any) -> Found:
        return Found(np.array([self.places.get(item.id, -1) for item in answer.items], np.int64))

    def close(self) -> None:
        self.memory.close()
