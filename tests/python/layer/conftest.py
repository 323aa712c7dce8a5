"""A store in a folder of its own, a clock that stands still, and an embedder that knows words only."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.stand_ins import Clock, bag_of_words, opening


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def embed():
    return bag_of_words


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
def vectors_layer(opened):
    """A store of three dimensions whose vectors are handed in."""
    return opened(embedder=None, dim=3)


@pytest.fixture
def contents():
    """The contents of memories or hits, in their order."""
    return lambda found: [getattr(one, "memory", one).content for one in found]


@pytest.fixture
def spawn(path):
    """Start a Python process that runs a script; `store` is the path of the test's store in it."""
    started = []

    def starts(script, *arguments):
        code = f"import sys\nstore = {str(path)!r}\narguments = sys.argv[1:]\n{script}"
        command = [sys.executable, "-c", code, *map(str, arguments)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        started.append(subprocess.Popen(command, text=True, **pipes))
        return started[-1]

    yield starts
    for process in started:
        process.kill()
        process.communicate()
