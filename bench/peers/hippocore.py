"""hippocore: the whole `MemoryLayer.recall(embedding=…)`, its results as Python objects."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from bench.data import FEEDBACK_TIME, batches, first_importance, useful_positions
from bench.peers.peer import Found, NotOfferedError, Peer
from bench.synthetic import KINDS, NOW, Clock
from hippocore import ALL, Guard, MemoryLayer, Scored, _core


class Hippocore(Peer):
    stored_as: ClassVar[str] = "hippocore"
    needs: ClassVar[tuple[str, ...]] = ("hippocore",)
    ranks: ClassVar[str] = "four signals"
    shared_by_processes: ClassVar[bool] = True
    keeps: ClassVar[str] = "process: nothing; power: the last second may go (sync=normal)"

    @classmethod
    def version(cls) -> str:
        return "of this repository"

    @classmethod
    def build(cls) -> str:
        return f"{zlib.crc32(Path(_core.__file__).read_bytes()):08x}"

    def _layer(self, sync: str, guard: Guard | None = None, embedder: Any = None) -> MemoryLayer:
        self.clock = Clock()
        return MemoryLayer(
            self.folder / "store.mem",
            embedder=embedder,
            embedder_name="handed in",
            dim=self.data.dimension,
            sync=sync,
            guard=guard,
            clock=self.clock,
        )

    def fill(self) -> None:
        data, importance = self.data, first_importance(self.data)
        with self._layer("off", Guard(secrets="allow")) as memory:  # a docstring may hold an example of a password
            for part in batches(data.count):
                self.clock.now = float(data.created[part[0]])
                said = memory.remember_many(
                    [
                        {
                            "content": data.content(i),
                            "scope": data.scope(i),
                            "kind": KINDS[data.kind[i]],
                            "importance": float(importance[i]),
                            "embedding": data.vector(i),
                            "id": f"{i:032x}",
                        }
                        for i in part
                    ],
                    merge=False,
                )
                if any(each.action != "stored" for each in said):
                    raise RuntimeError("a memory was not stored")
            self.clock.now = FEEDBACK_TIME
            once, again = useful_positions(data.created)
            for told in (once, again, again):
                memory.feedback([f"{i:032x}" for i in told], useful=True)
            memory.checkpoint()

    def open(self) -> None:
        self.memory = self._layer("normal")
        self.clock.now = NOW

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> list[Scored]:
        of = ALL if scope is None and self.data.scopes > 1 else self.data.scope(scope or 0)
        return self.memory.recall(embedding=query, limit=limit, scope=of)

    def found(self, answer: list[Scored]) -> Found:
        """Ids not given by `fill` are random, and no position."""
        ids = (int(hit.memory.id, 16) for hit in answer)
        return Found(np.array([each if each < 1 << 62 else -1 for each in ids], np.int64))

    def new_store(self) -> None:
        self.memory = self._layer("normal")

    def write(self, position: int) -> None:
        data = self.data
        self.memory.remember(
            data.content(position), scope=data.scope(position), embedding=data.vector(position), merge=False
        )

    def close(self) -> None:
        self.memory.close()


class HippocoreRead(Hippocore):
    """The same with the text of every result read: results are built when they are looked at."""

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> list[Scored]:
        hits = super().ask(query, limit, scope)
        for hit in hits:
            _ = hit.memory.content
        return hits


class HippocoreHybrid(Hippocore):
    """The whole `MemoryLayer.recall(text)`, by similarity and words; the vector is there when it asks for it."""

    stored_as: ClassVar[str] = "hippocore"

    def open(self) -> None:
        self.memory = self._layer("normal", embedder=lambda texts: self.asked)
        self.clock.now = NOW

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> list[Scored]:
        raise NotOfferedError("asks by words, of which this set's questions have none")

    def ask_text(self, text: str, query: np.ndarray, limit: int) -> list[Scored]:
        self.asked = query[np.newaxis]
        return self.memory.recall(text, limit=limit, scope=self.data.scope(0))
