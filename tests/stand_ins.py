"""What stands in for the world in tests: a clock that moves when told to, and an embedder that knows words only."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from hippocore import MemoryLayer

DIM = 64
START = 1_750_000_000.0


class Clock:
    """Seconds since 1970 that pass only when told to."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> float:
        return self.time

    def pass_by(self, seconds: float) -> float:
        """Let so many seconds pass; returns what it is then."""
        self.time += seconds
        return self.time


def bag_of_words(texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Unit vectors (n, 64): the mean of each word's random direction, so that the order of words does not count."""
    sums = np.zeros((len(texts), DIM))
    for row, text in zip(sums, texts, strict=True):
        row += sum((_direction(word) for word in re.findall(r"\w+", text.lower())), np.full(DIM, 1e-9))
    return (sums / np.linalg.norm(sums, axis=1, keepdims=True)).astype(np.float32)


@contextmanager
def opening(path: Path, **defaults: Any) -> Iterator[Callable[..., MemoryLayer]]:
    """Give what opens a handle on a store, or another one, with these arguments and more; all are closed in the end."""
    handles: list[MemoryLayer] = []
    embedder = {"embedder": bag_of_words, "embedder_name": "words", "dim": DIM}

    def opens(where: Path = path, **options: Any) -> MemoryLayer:
        given = embedder if "embedder" not in options else {}
        handles.append(MemoryLayer(where, **{**defaults, **given, **options}))
        return handles[-1]

    yield opens
    for handle in handles:
        handle.close()


def _direction(word: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).normal(size=DIM)
