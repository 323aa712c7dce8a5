"""One store, two agents with a scope in common, and memories that each sees or does not."""

from __future__ import annotations

import numpy as np
import pytest

from hippocore import MemoryLayer, Policy

START = 1_750_000_000.0
POLICY = Policy(
    {
        "ann": {"read": ["ann", "shared", "rules"], "write": ["ann", "shared", "inbox"]},
        "bob": {"read": ["bob", "shared", "inbox"], "write": ["bob", "shared"]},
    }
)


def directions(texts):
    """Vectors (n, 4) by the letters of a text, so that equal texts are alike."""
    return np.array([[text.lower().count(letter) + 0.1 for letter in "aeio"] for text in texts], np.float32)


@pytest.fixture
def clock():
    class Clock:
        time = START

        def __call__(self):
            return self.time

    return Clock()


@pytest.fixture
def opened(tmp_path, clock):
    handles = []

    def opens(name="agent.mem", **options):
        given = {"embedder": directions, "embedder_name": "letters", "dim": 4, "policy": POLICY, "clock": clock}
        handles.append(MemoryLayer(tmp_path / name, **{**given, **options}))
        return handles[-1]

    yield opens
    for handle in handles:
        handle.close()


@pytest.fixture
def owner(opened):
    return opened()


@pytest.fixture
def ann(owner):
    return owner.as_agent("ann")


@pytest.fixture
def bob(owner):
    return owner.as_agent("bob")


@pytest.fixture
def memories(owner):
    """One memory in every kind of scope, by scope."""
    scopes = ("ann", "ann/notes", "annex", "bob", "shared", "rules", "inbox")
    return {scope: owner.remember(f"a note in {scope}", scope=scope).id for scope in scopes}


def fail_alike(*calls):
    """The calls fail alike, the id that they name apart."""
    said = []
    for call, identifier in calls:
        with pytest.raises(Exception) as caught:  # noqa: PT011  (whatever it is, it is compared)
            call(identifier)
        said.append((type(caught.value), str(caught.value).replace(identifier, "ID"), caught.value.__cause__))
    assert all(one == said[0] for one in said), said
    return said[0][0]


@pytest.fixture
def same_error():
    return fail_alike


@pytest.fixture
def embed():
    return directions


@pytest.fixture
def policy():
    return POLICY
