"""Stores that are large enough for a graph, with the sizes from which one is asked made small."""

from __future__ import annotations

import numpy as np
import pytest

from hippocore import MemoryLayer
from hippocore.stores import approximate

DIM = 16
COUNT = 600
START = 1_750_000_000.0


def vectors_of(count, seed=1):
    return np.random.default_rng(seed).standard_normal((count, DIM)).astype(np.float32)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(approximate, "SMALLEST", 50)
    monkeypatch.setattr(approximate, "FEWEST", 20)
    monkeypatch.setattr(approximate, "TIMES", 2)
    monkeypatch.setattr(approximate, "_FEW", 100)


@pytest.fixture
def opened(tmp_path):
    handles = []

    def opens(name="agent.mem", **options):
        given = {"embedder": None, "dim": DIM, "clock": lambda: START, "busy_timeout": 30.0}
        handles.append(MemoryLayer(tmp_path / name, **{**given, **options}))
        return handles[-1]

    yield opens
    for handle in handles:
        handle.close()


def items_of(vectors, first=0, **fields):
    return [
        {
            "content": f"note {first + i}",
            "embedding": vector,
            "id": f"n{first + i}",
            "kind": ("fact", "episode")[(first + i) % 2],
            "importance": (first + i) % 10 / 10,
            **fields,
        }
        for i, vector in enumerate(vectors)
    ]


@pytest.fixture
def filled(opened):
    memory = opened()
    memory.remember_many(items_of(vectors_of(COUNT)), merge=False)
    return memory


@pytest.fixture
def built(filled):
    filled.build_approximate()
    return filled


def ids(hits):
    return [hit.memory.id for hit in hits]


def graph_files(memory):
    import pathlib

    return sorted(pathlib.Path(memory.path).glob("approximate-*"))
