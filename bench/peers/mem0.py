"""mem0 with `infer=False`: no language model, vectors handed in; its default vector store (qdrant) in a folder."""

from __future__ import annotations

import os
from typing import Any, ClassVar

import numpy as np

from bench.data import Data
from bench.peers.handed_in import HandedIn
from bench.peers.peer import Found, Peer


class Mem0(Peer):
    needs: ClassVar[tuple[str, ...]] = ("mem0ai",)
    keeps: ClassVar[str] = "process: nothing; power: as SQLite's default"

    def __init__(self, folder: Any, data: Data) -> None:
        super().__init__(folder, data)
        os.environ["MEM0_DIR"] = str(folder / "settings")
        from mem0 import Memory

        self.layer = Memory

    def _open(self) -> None:
        unused = {"provider": "openai", "config": {"api_key": "none is asked"}}
        place = {"path": str(self.folder / "qdrant"), "on_disk": True, "collection_name": "memories"}
        self.memory = self.layer.from_config(
            {
                "vector_store": {
                    "provider": "qdrant",
                    "config": {**place, "embedding_model_dims": self.data.dimension},
                },
                "llm": unused,
                "embedder": {**unused, "config": {**unused["config"], "embedding_dims": self.data.dimension}},
                "history_db_path": str(self.folder / "history.db"),
            }
        )
        self.embedder = HandedIn(self.data)
        self.embedder.config = self.memory.embedding_model.config
        self.memory.embedding_model = self.embedder

    def fill(self) -> None:
        self._open()
        for position in range(self.data.count):
            self.write(position)
        self.close()

    def write(self, position: int) -> None:
        data = self.data
        user = data.scope(position)
        self.memory.add(data.content(position), user_id=user, infer=False, metadata={"position": position})

    def new_store(self) -> None:
        self._open()

    def open(self) -> None:
        self._open()

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> Any:
        self.embedder.question = query
        user = "default" if scope is None else self.data.scope(scope)
        return self.memory.search("the question", filters={"user_id": user}, top_k=limit, threshold=0.0)

    def found(self, answer: Any) -> Found:
        results = answer["results"]
        positions = np.array([result["metadata"]["position"] for result in results], np.int64)
        return Found(positions, np.array([result["score"] for result in results]))

    def close(self) -> None:
        self.memory.close()
        self.memory.vector_store.client.close()
