"""Processes that take turns, and figures made of their times.

A contest asks two processes in turn, ten queries each, so that whatever else the machine does meets both alike; only
one works at a time. Ratios are of medians of one such run.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.data import Data
from bench.worker import serve

import numpy as np  # isort: skip  (after `bench.data`, which sets its threads)

TURN = 10


class PeerError(Exception):
    """A peer could not; the message is the one line its row shows."""


class Worker:
    """A peer in a process of its own: `worker("open")` asks its desk (`bench.worker.Desk`) to do something."""

    def __init__(self, peer: str, folder: Path, data: Data, patience: float) -> None:
        context = multiprocessing.get_context("spawn")
        self.peer, self.patience = peer, patience
        self.pipe, theirs = context.Pipe()
        arguments = (theirs, peer, str(folder), str(data.folder))
        self.process = context.Process(target=serve, args=arguments, daemon=True)
        self.process.start()
        theirs.close()

    def __call__(self, verb: str, *arguments: Any) -> Any:
        """Return the answer. Raises PeerError when the peer says no, dies, or takes longer than the patience allows."""
        try:
            self.pipe.send((verb, arguments))
            if not self.pipe.poll(self.patience):
                self.process.kill()
                raise PeerError(f"gave up on it: no answer in {self.patience:.0f} s ({verb})")
            result, reason = self.pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self.process.join(10)
            raise PeerError(f"failed: its process ended ({self.process.exitcode})") from None
        if reason is not None:
            raise PeerError(reason)
        return result

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.is_alive():
            self.pipe.close()
            self.process.join(10)
            if self.process.is_alive():
                self.process.kill()
                self.process.join()


class Asked:
    """The times and answers of one row's queries."""

    def __init__(self, turn: int) -> None:
        self.turn = turn
        self.times: list[float] = []
        self.positions: list[np.ndarray] = []

    @property
    def p50(self) -> float:
        return float(np.percentile(self.times, 50))

    def figures(self) -> dict[str, float]:
        firsts = self.times[:: self.turn]
        return {
            "p50_ms": self.p50,
            "p99_ms": float(np.percentile(self.times, 99)),
            "cold_ms": float(np.median(firsts)),
            "queries": len(self.times),
        }


def take_turns(
    askers: list[Callable[[list[int]], tuple[list[float], list[np.ndarray]]]], queries: int, seconds: float
) -> list[Asked]:
    """Ask all in turn, ten queries each, until the queries are done or one of them has used its seconds.

    A first turn of two queries warms each up and is not counted. A slow peer's turn is a single query.
    """
    slowest = max(np.mean(asker([0, 1])[0]) for asker in askers)
    turn = TURN if slowest * TURN < seconds * 1e3 / 4 else 1
    asked = [Asked(turn) for _ in askers]
    for first in range(0, queries, turn):
        for asker, row in zip(askers, asked, strict=True):
            times, positions = asker(list(range(first, min(first + turn, queries))))
            row.times += times
            row.positions += positions
        if max(sum(row.times) for row in asked) > seconds * 1e3:
            break
    return asked


def disk_mb(folder: Path) -> float:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file()) / 1e6


class Progress:
    """Says on a terminal what is being done; silent elsewhere but for what `say` prints."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.start = time.monotonic()

    def doing(self, text: str) -> None:
        if self.stream.isatty():
            self.stream.write(f"\r\x1b[K[{time.monotonic() - self.start:5.0f} s] {text}")
            self.stream.flush()

    def say(self, text: str) -> None:
        if self.stream.isatty():
            self.stream.write("\r\x1b[K")
        print(text, file=self.stream, flush=True)
