"""A killed process loses nothing that it was told is stored, and leaves nothing half: a short run of the kill loop.

And the loop can fail: it sees what is missing, half of a memory and half of a batch.
"""

from __future__ import annotations

import pytest

from hippocore import MemoryLayer
from tests.faults.journal import DIM, Fact, Journal, content, vector
from tests.faults.kill_loop import BrokenPromiseError, Ledger, check, kill_one_store


@pytest.mark.parametrize("sync", ["full", "normal", "off"])
def test_a_killed_writer_loses_nothing_acknowledged_and_leaves_nothing_half(tmp_path, sync):
    assert kill_one_store(tmp_path, kills=7, seed=f"test {sync}", sync=sync) > 0


@pytest.fixture
def store(tmp_path):
    return tmp_path / "agent.mem"


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "journal"


def write(store, *names, vector_of=vector):
    with MemoryLayer(store, embedder=None, dim=DIM) as layer:
        for name in names:
            layer.remember(content(name, 0), embedding=vector_of(name, 0), merge=False)


def note(path, *names, acknowledged):
    journal = Journal(path)
    journal.intend({name: Fact(0, 0.5) for name in names})
    if acknowledged:
        journal.acknowledge()


def test_an_acknowledged_memory_that_is_missing_is_seen(store, journal):
    write(store, 1)
    note(journal, 1, 2, acknowledged=True)
    with pytest.raises(BrokenPromiseError, match="1 memories differ"):
        check(store, journal, Ledger())


@pytest.mark.parametrize("written", [(), (1, 2, 3)])
def test_an_operation_under_way_may_be_there_or_not(store, journal, written):
    write(store, *written)
    note(journal, 1, 2, 3, acknowledged=False)
    ledger = Ledger()
    check(store, journal, ledger)
    assert sorted(ledger.facts) == list(written)


def test_half_of_a_batch_under_way_is_seen(store, journal):
    write(store, 1, 2)
    note(journal, 1, 2, 3, acknowledged=False)
    with pytest.raises(BrokenPromiseError, match="1 memories differ"):
        check(store, journal, Ledger())


def test_a_vector_of_another_memory_is_seen(store, journal):
    write(store, 1, vector_of=lambda name, revision: vector(name + 1, revision))
    note(journal, 1, acknowledged=True)
    with pytest.raises(BrokenPromiseError, match="memory 1 is half"):
        check(store, journal, Ledger())
