"""The process of one peer: takes one request at a time from the command, does it alone, and answers.

Nothing here reaches the network: connecting to another machine raises. What a peer prints is thrown away.
"""

from __future__ import annotations

import os
import re
import socket
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bench.data import Data, load
from bench.peers import peer_class
from bench.peers.peer import NotOfferedError, Peer
from bench.rerank import Reranker

import numpy as np  # isort: skip  (after `bench.data`, which sets its threads)


class Desk:
    """What the command may ask of a peer; every answer is plain data."""

    def __init__(self, peer: str, folder: str, data: str) -> None:
        start = time.perf_counter()
        self.kind = peer_class(peer)
        self.import_ms = (time.perf_counter() - start) * 1e3
        self.data: Data = load(Path(data))
        self.folder = Path(folder)
        self.peer: Peer = self.kind(self.folder, self.data)
        self.reranker: Reranker | None = None

    def about(self) -> dict[str, Any]:
        kind = self.kind
        return {
            "version": kind.version(),
            "build": kind.build(),
            "ranks": kind.ranks,
            "keeps": kind.keeps,
            "efforts": kind.efforts,
            "largest": kind.largest,
            "shared_by_processes": kind.shared_by_processes,
        }

    def fill(self) -> float:
        self.folder.mkdir(parents=True, exist_ok=True)
        start = time.perf_counter()
        self.peer.fill()
        return time.perf_counter() - start

    def open(self) -> dict[str, float]:
        opening, _ = _timed(self.peer.open)
        return {"import_ms": self.import_ms, "open_ms": opening}

    def use_rerank(self) -> None:
        self.reranker = Reranker(self.data)

    def ask(
        self, queries: list[int], limit: int, scopes: list[int] | None, pool: int, effort: int, texts: bool
    ) -> tuple[list[float], list[np.ndarray]]:
        """Return milliseconds and positions for each query; with a pool, what is timed includes the rerank."""
        self.peer.set_effort(max(pool, limit) * max(effort, 1))
        times, positions = [], []
        for at, number in enumerate(queries):
            query = np.array(self.data.queries[number])
            scope = None if scopes is None else scopes[at]
            if pool:
                elapsed, best = _timed(self._reranked, query, pool, limit, scope)
            else:
                elapsed, answer = _timed(self._ask, number, query, limit, scope, texts)
                best = self.peer.found(answer).positions
            times.append(elapsed)
            positions.append(np.asarray(best))
        return times, positions

    def _ask(self, number: int, query: np.ndarray, limit: int, scope: int | None, texts: bool) -> Any:
        if texts and self.data.questions is not None:
            return self.peer.ask_text(self.data.questions[number], query, limit)
        return self.peer.ask(query, limit, scope)

    def _reranked(self, query: np.ndarray, pool: int, limit: int, scope: int | None) -> np.ndarray:
        assert self.reranker is not None
        return self.reranker.top(query, self.peer.found(self.peer.ask(query, pool, scope)), limit)

    def memory(self) -> dict[str, float]:
        """Return resident megabytes: all, and those that are no mapped file's."""
        lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
        return {
            "resident_mb": int(lines["VmRSS"].split()[0]) / 1e3,
            "anonymous_mb": int(lines["RssAnon"].split()[0]) / 1e3,
        }

    def new_store(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.peer.new_store()

    def write(self, first: int, count: int, seconds: float) -> list[float]:
        """Commit memories one at a time until either runs out; returns milliseconds each."""
        times: list[float] = []
        until = time.perf_counter() + seconds
        for at in range(first, first + count):
            elapsed, _ = _timed(self.peer.write, at)
            times.append(elapsed)
            if time.perf_counter() > until:
                break
        return times

    def ask_from_threads(self, threads: int, seconds: float, limit: int) -> float:
        """Return answers a second, of that many threads that ask as fast as they can."""
        searchers = [self.peer.thread_searcher() for _ in range(threads)]
        stop, counts, failures = time.perf_counter() + seconds, [0] * threads, []

        def run(thread: int) -> None:
            try:
                while time.perf_counter() < stop:
                    number = (counts[thread] * threads + thread) % len(self.data.queries)
                    searchers[thread].ask(np.array(self.data.queries[number]), limit, None)
                    counts[thread] += 1
            except Exception as error:  # a thread's failure is the scenario's
                failures.append(error)

        start = time.perf_counter()
        _together(run, threads)
        elapsed = time.perf_counter() - start
        if failures:
            raise failures[0]
        return sum(counts) / elapsed

    def ask_while_writing(self, queries: list[int], limit: int, first: int) -> tuple[list[float], int]:
        """Return milliseconds for each query while a thread of this process writes, and how much it wrote."""
        stop, written, failures = threading.Event(), [0], []

        def run(_: int) -> None:
            try:
                while not stop.is_set():
                    self.peer.write(first + written[0])
                    written[0] += 1
            except Exception as error:
                failures.append(error)

        writer = threading.Thread(target=run, args=(0,))
        writer.start()
        try:
            times, _ = self.ask(queries, limit, None, 0, 0, False)
        finally:
            stop.set()
            writer.join()
        if failures:
            raise failures[0]
        return times, written[0]

    def close(self) -> None:
        self.peer.close()


def _together(run: Callable[[int], None], threads: int) -> None:
    workers = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def _timed(work: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work(*arguments)
    return (time.perf_counter() - start) * 1e3, result


def serve(pipe: Connection, peer: str, folder: str, data: str) -> None:
    """Answer requests (verb, arguments) with (result, None) or (None, one line of why not) until the pipe ends."""
    _quiet()
    _stay_on_this_machine()
    desk: Desk | None = None
    while True:
        try:
            verb, arguments = pipe.recv()
        except EOFError:
            return
        try:
            if desk is None:
                desk = Desk(peer, folder, data)
            pipe.send((getattr(desk, verb)(*arguments), None))
        except NotOfferedError as reason:
            pipe.send((None, str(reason)))
        except ModuleNotFoundError as error:
            pipe.send((None, f"not installed (no module {error.name})"))
        except Exception as error:  # whatever a peer does is its row, not the end of the run
            pipe.send((None, f"failed: {_one_line(error)}"))


def _one_line(error: Exception) -> str:
    text = " ".join(f"{type(error).__name__}: {error}".split())
    text = re.sub(r"(/[\w.-]+){2,}", "(a path)", text)
    return text if len(text) <= 160 else text[:157] + "…"


def _quiet() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _stay_on_this_machine() -> None:
    connect = socket.socket.connect

    def local_only(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and str(address[0]) not in ("127.0.0.1", "::1", "localhost"):
            raise OSError("a benchmark reaches no network")
        connect(self, address)

    socket.socket.connect = local_only  # type: ignore[method-assign]
