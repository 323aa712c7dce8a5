"""Kills a writing process at random moments and looks for what is missing or half.

`python -m tests.faults.kill_loop --kills 200 [--sync normal] [--seed 7]`. The same store goes on from kill to kill and
is made anew every 20; the stores take the sync levels by turns unless one is named. Where a check fails, the store is
kept and its path printed.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from hippocore import MemoryLayer, Ranking
from tests.faults.journal import DIM, Effect, Fact, content, name_of, read_journal, vector

ROOT = Path(__file__).parents[2]
KILLS_A_STORE = 20
SYNC_LEVELS = ("normal", "full", "off")
_NEAREST = Ranking(relevance=1.0, recency=0.0, importance=0.0, usage=0.0)


class BrokenPromiseError(AssertionError):
    """A promise was not kept; the message names memories by their number."""


def kill_once(store: Path, journal: Path, seed: str, first_name: int, sync: str) -> None:
    """Start a writer and kill it: at once while it opens, or after it has written for a while."""
    chance = random.Random(f"{seed} kill")
    command = [sys.executable, "-m", "tests.faults.writer", store, journal, seed, str(first_name), sync]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(list(map(str, command)), cwd=ROOT, **pipes) as process:
        in_recovery = chance.random() < 0.15
        process.stdout.readline()
        if not in_recovery:
            process.stdout.readline()
        try:
            process.wait(chance.uniform(0, 0.01) if in_recovery else 10 ** chance.uniform(-2.5, -0.2))
        except subprocess.TimeoutExpired:
            process.kill()
        errors = process.communicate()[1]
    if process.returncode != -9:
        raise BrokenPromiseError(f"the writer ended by itself with {process.returncode}\n{errors}")


class Ledger:
    """What must be in one store, by what its writers were told."""

    def __init__(self) -> None:
        self.facts: dict[int, Fact] = {}
        self.acknowledged = 0
        self.last_name = 0

    def settle(self, layer: MemoryLayer, journal: Path) -> None:
        """Compare the store with the journal of one writer; what was under way may have happened, but only whole."""
        done, under_way = read_journal(journal)
        changed = {name for effect in (*done, under_way) for name in effect}
        for effect in done:
            self._apply(effect)
        self.acknowledged += len(done)
        self.last_name = max([self.last_name, *changed])
        found = _facts_in(layer)
        if under_way and found != self.facts:
            self._apply(under_way)
        _compare(found, self.facts, under_way)
        _check_histories(layer, changed)

    def _apply(self, effect: Effect) -> None:
        for name, fact in effect.items():
            if fact is None:
                self.facts.pop(name, None)
            else:
                self.facts[name] = fact


def _facts_in(layer: MemoryLayer) -> dict[int, Fact]:
    """Return every memory of the store, each compared with the content and the vector that it must have."""
    memories = layer.list()
    vectors = layer.embeddings([memory.id for memory in memories])
    found: dict[int, Fact] = {}
    for memory, stored in zip(memories, vectors, strict=True):
        name, revision = name_of(memory.content)
        if memory.content != content(name, revision) or not np.array_equal(stored, vector(name, revision)):
            raise BrokenPromiseError(f"memory {name} is half: revision {revision} has another content or vector")
        if name in found or memory.version != revision + 1:
            raise BrokenPromiseError(
                f"memory {name} is there twice, or its revision {revision} is version {memory.version}"
            )
        found[name] = Fact(revision, memory.importance)
    return found


def _compare(found: dict[int, Fact], wanted: dict[int, Fact], under_way: Effect) -> None:
    wrong = sorted(name for name in found.keys() | wanted.keys() if not _same(found.get(name), wanted.get(name)))
    if wrong:
        seen = [f"{name}: {found.get(name)}, not {wanted.get(name)}" for name in wrong[:10]]
        raise BrokenPromiseError(f"{len(wrong)} memories differ ({len(under_way)} were under way): {'; '.join(seen)}")


def _same(found: Fact | None, wanted: Fact | None) -> bool:
    if found is None or wanted is None:
        return found is wanted
    return found.revision == wanted.revision and np.float32(found.importance) == np.float32(wanted.importance)


def _check_histories(layer: MemoryLayer, names: set[int]) -> None:
    """Check what was written since the last kill: all its versions, and that recall finds the newest by its vector."""
    for memory in layer.list():
        name, revision = name_of(memory.content)
        if name not in names:
            continue
        versions = [version.content for version in layer.history(memory.id)]
        if versions != [content(name, earlier) for earlier in range(revision + 1)]:
            raise BrokenPromiseError(
                f"memory {name} has {len(versions)} versions that are not its revisions 0 to {revision}"
            )
        (best,) = layer.recall(embedding=vector(name, revision), scope=memory.scope, limit=1, ranking=_NEAREST)
        if best.memory.id != memory.id:
            raise BrokenPromiseError(f"recall by the vector of memory {name} finds another one")


def check(store: Path, journal: Path, ledger: Ledger) -> None:
    """Open the store that the kill left, compare it and read every byte of it."""
    with MemoryLayer(store, embedder=None, dim=DIM) as layer:
        ledger.settle(layer, journal)
        verification = layer.verify()
    if not verification.ok:
        raise BrokenPromiseError(f"verify names damage: {verification.damaged}")


def kill_one_store(folder: Path, kills: int, seed: str, sync: str) -> int:
    """Kill the writers of one store that many times; returns how many operations had been acknowledged."""
    store, ledger = folder / "agent.mem", Ledger()
    for kill in range(kills):
        journal = folder / f"journal-{kill}"
        kill_once(store, journal, f"{seed}.{kill}", ledger.last_name, sync)
        check(store, journal, ledger)
    return ledger.acknowledged


def main(arguments: list[str] | None = None) -> int:
    """Run the loop; returns 0 where every promise was kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.kill_loop", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--sync", choices=SYNC_LEVELS, help="one mode for all stores; else by turns")
    parser.add_argument("--seed", default="1")
    given = parser.parse_args(arguments)
    acknowledged: Counter[str] = Counter()
    kills: Counter[str] = Counter()
    for number, first in enumerate(range(0, given.kills, KILLS_A_STORE)):
        sync = given.sync or SYNC_LEVELS[number % 3]
        kills[sync] += min(KILLS_A_STORE, given.kills - first)
        folder = Path(tempfile.mkdtemp(prefix="hippocore-kill-"))
        try:
            acknowledged[sync] += kill_one_store(
                folder, min(KILLS_A_STORE, given.kills - first), f"{given.seed}.{number}", sync
            )
        except Exception as failure:
            print(f"FAILED: {failure}\n  seed {given.seed}, store {number}, sync={sync}: kept in {folder}")
            raise
        shutil.rmtree(folder)
    levels = ", ".join(f"{sync} {kills[sync]} ({acknowledged[sync]} operations)" for sync in kills)
    print(f"{given.kills} kills, none of the operations acknowledged missing or half: {levels}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
