"""A store in a folder of its own, a clock that moves when told to, and an embedder that knows words only."""

from __future__ import annotations

import hashlib
import re

import numpy as np
import pytest

from hippocore import MemoryLayer

DIM = 64
START = 1_750_000_000.0


class Clock:
    """Seconds since 1970 that pass only when told to."""

    def __init__(self):
        self.time = START

    def __call__(self):
        return self.time

    def pass_by(self, seconds):
        self.time += seconds
        return self.time


def word_vector(word):
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).normal(size=DIM)


def bag_of_words(texts):
    """Unit vectors (n, 64): the mean of each word's random direction, so that the order of words does not count."""
    sums = np.zeros((len(texts), DIM))
    for row, text in zip(sums, texts, strict=True):
        row += sum((word_vector(word) for word in re.findall(r"\w+", text.lower())), np.full(DIM, 1e-9))
    return (sums / np.linalg.norm(sums, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "agent.mem"


@pytest.fixture
def opened(path, clock):
    """Open a handle on the test's store (or another one); all are closed in the end."""
    handles = []

    def opens(where=path, **options):
        embedder = {"embedder": bag_of_words, "embedder_name": "words", "dim": DIM}
        given = embedder if "embedder" not in options else {}
        handles.append(MemoryLayer(where, **{"clock": clock, **given, **options}))
        return handles[-1]

    yield opens
    for handle in handles:
        handle.close()


@pytest.fixture
def layer(opened):
    return opened()


@pytest.fixture
def contents():
    """The contents of memories or hits, in their order."""
    return lambda found: [getattr(one, "memory", one).content for one in found]


@pytest.fixture
def remember(clock):
    """Write texts one minute apart and return their ids."""

    def writes(layer, texts, **arguments):
        ids = []
        for text in texts:
            clock.pass_by(60)
            ids.append(layer.remember(text, merge=False, **arguments).id)
        return ids

    return writes
