"""An embedder for peers that insist on one: looks up the vector that is already known, so that nothing is embedded."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from bench.data import Data


class HandedIn:
    """Gives a memory's vector for its content, and for any other text that of the question being asked."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.position = {data.content(i): i for i in range(data.count)}
        self.question = np.zeros(data.dimension, np.float32)
        self.config: Any = None  # for who asks an embedder for its settings

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        if text.startswith('{"text"'):
            text = json.loads(text)["text"]
        position = self.position.get(text)
        return (self.question if position is None else self.data.vector(position)).tolist()

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text) for text in texts]
