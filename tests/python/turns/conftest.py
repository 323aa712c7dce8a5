"""A store in a folder of its own, an embedder that knows words only, and agents with rights."""

from __future__ import annotations

import pytest

from hippocore import MemoryLayer, Policy
from tests.stand_ins import DIM, START, bag_of_words

POLICY = Policy(
    {
        "coder": {"read": ["agent:coder", "shared"], "write": ["agent:coder", "shared"]},
        "alone": {"read": ["agent:alone", "shared"], "write": ["agent:alone"]},
        "writer": {"write": ["agent:writer"]},
    }
)


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
