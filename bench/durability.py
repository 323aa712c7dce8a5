"""What `sync="full"` costs beside SQLite with `synchronous=FULL` in WAL mode: `python bench/durability.py`.

Both commit one memory at a time, text and vector, on the same disk in one run. A round gives each engine the same
seconds, turn by turn; the table shows the median of the rounds and the ratios in it. "disk" is what one thread gets out
of the disk by itself: a write of the same size into space that is there already, and fdatasync.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from synthetic import machine

from hippocore import MemoryLayer  # isort: skip  (after `synthetic`, which sets its threads)

TEXT = "Alice moved the nightly build to the new runner and asked to be told when a run takes longer than an hour"
DIMENSION = 384
Commit = Callable[[int], None]  # of a thread's number


@contextmanager
def hippocore_commits(folder: Path, threads: int) -> Iterator[Commit]:
    """One handle that all threads write through, as an agent's process has it."""
    vectors = np.random.default_rng(1).standard_normal((threads, DIMENSION), np.float32)
    with MemoryLayer(
        folder / "store.mem", embedder=None, embedder_name="synthetic", dim=DIMENSION, sync="full"
    ) as memory:
        yield lambda thread: memory.remember(TEXT, embedding=vectors[thread], merge=False)


@contextmanager
def sqlite_commits(folder: Path, threads: int) -> Iterator[Commit]:
    """A connection for each thread, as SQLite's documentation asks for; a busy one waits."""
    vector = np.random.default_rng(1).standard_normal(DIMENSION, np.float32).tobytes()
    connections = [_connection(folder / "store.db") for _ in range(threads)]
    connections[0].execute("CREATE TABLE memory (id INTEGER PRIMARY KEY, content TEXT, vector BLOB, created REAL)")

    def commit(thread: int) -> None:
        row = (TEXT, vector, time.time())
        connections[thread].execute("INSERT INTO memory (content, vector, created) VALUES (?, ?, ?)", row)

    try:
        yield commit
    finally:
        for connection in connections:
            connection.close()


def _connection(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=60.0, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


@contextmanager
def disk_commits(folder: Path) -> Iterator[Commit]:
    size = len(TEXT) + DIMENSION * 4
    descriptor = os.open(folder / "disk", os.O_RDWR | os.O_CREAT)
    room = bytes(1 << 24)
    os.pwrite(descriptor, room, 0)
    os.fsync(descriptor)
    offset = 0

    def commit(_: int) -> None:
        nonlocal offset
        os.pwrite(descriptor, bytes([offset % 251]) * size, offset)
        os.fdatasync(descriptor)
        offset = (offset + size) % (len(room) - size)

    try:
        yield commit
    finally:
        os.close(descriptor)


def rate(commit: Commit, threads: int, seconds: float) -> float:
    """Return commits a second of threads that commit one after another for that long."""
    done = [0] * threads
    start = time.perf_counter()
    end = start + seconds

    def work(thread: int) -> None:
        while time.perf_counter() < end:
            commit(thread)
            done[thread] += 1

    workers = [threading.Thread(target=work, args=(thread,)) for thread in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(done) / (time.perf_counter() - start)


def compare(folder: Path, threads: int, rounds: int, seconds: float) -> dict[str, float]:
    """Return the median commits a second of each engine."""
    rates: dict[str, list[float]] = {"hippocore": [], "sqlite": [], "disk": []}
    with (
        hippocore_commits(folder, threads) as ours,
        sqlite_commits(folder, threads) as sqlite,
        disk_commits(folder) as disk,
    ):
        for _ in range(rounds):
            rates["hippocore"].append(rate(ours, threads, seconds))
            rates["sqlite"].append(rate(sqlite, threads, seconds))
            rates["disk"].append(rate(disk, 1, seconds))
    return {engine: statistics.median(measured) for engine, measured in rates.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each engine in each round")
    parser.add_argument("--folder", type=Path, help="on the disk to measure; a temporary directory otherwise")
    options = parser.parse_args()
    print(machine())
    print(f"SQLite {sqlite3.sqlite_version}, journal_mode=WAL, synchronous=FULL; commits a second")
    print(f"{'threads':>7} {'hippocore':>10} {'SQLite':>10} {'ratio':>6} {'disk, one thread':>17}")
    for threads in (1, 8):
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            found = compare(Path(folder), threads, options.rounds, options.seconds)
        ratio = found["hippocore"] / found["sqlite"]
        print(f"{threads:7} {found['hippocore']:10,.0f} {found['sqlite']:10,.0f} {ratio:6.2f} {found['disk']:17,.0f}")


if __name__ == "__main__":
    main()
