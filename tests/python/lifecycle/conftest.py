"""A store in a folder of its own, a clock that moves when told to, and an embedder that knows words only."""

from __future__ import annotations

import pytest

from tests.stand_ins import Clock, opening


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "agent.mem"


@pytest.fixture
def opened(path, clock):
    """Open a handle on the test's store (or another one); all are closed in the end."""
    with opening(path, clock=clock) as opens:
        yield opens


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
