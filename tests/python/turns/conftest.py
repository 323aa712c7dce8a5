"""A store in a folder of its own, an embedder that knows words only, and agents with rights."""

from __future__ import annotations

import pytest

from hippocore import Policy
from tests.stand_ins import DIM, START, bag_of_words, opening

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
    with opening(path, clock=lambda: START, embedder_name="words", dim=DIM) as opens:
        yield opens


@pytest.fixture
def layer(opened):
    return opened()


@pytest.fixture
def policy():
    return POLICY


@pytest.fixture
def embed():
    return bag_of_words
