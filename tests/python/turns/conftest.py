"""A store in a folder of its own, an embedder that knows words only, and agents with rights."""

from __future__ import annotations

import hashlib
import re

import numpy as np
import pytest

from hippocore import MemoryLayer, Policy

DIM = 64
START = 1_750_000_000.0
POLICY = Policy(
    {
        "coder": {"read": ["agent:coder", "shared"], "write": ["agent:coder", "shared"]},
        "alone": {"read": ["agent:alone", "shared"], "write": ["agent:alone"]},
        "writer": {"write": ["agent:writer"]},
    }
)


def word_vector(word):
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).normal(size=DIM)


def bag_of_words(texts):
    """Unit vectors (n, 64): the mean of each word's random direction."""
    sums = np.zeros((len(texts), DIM))
    for row, text in zip(sums, texts, strict=True):
        row += sum((word_vector(word) for word in re.findall(r"\w+", text.lower())), np.full(DIM, 1e-9))
    return (sums / np.linalg.norm(sums, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "agent.mem"


@pytest.fixture
def opened(path):
    """Open a handle on the test's store; all are closed in the end."""
    handles = []

    def opens(**options):
        given = {"embedder": bag_of_words, "embedder_name": "words", "dim": DIM, "clock": lambda: START}
        handles.append(MemoryLayer(path, **{**given, **options}))
        return handles[-1]

    yield opens
    for handle in handles:
        handle.close()


@pytest.fixture
def layer(opened):
    return opened()


@pytest.fixture
def policy():
    return POLICY


@pytest.fixture
def embed():
    return bag_of_words
