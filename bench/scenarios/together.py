"""Recall while others work: beside a writer that runs flat out, and from many Python threads at once."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.data import Data, make
from bench.measure import PeerError, Worker
from bench.scenarios.recall import opened
from bench.scenarios.run import HIPPOCORE, Row, Run, base_row

import numpy as np  # isort: skip  (after `bench.data`, which sets its threads)

COUNT = 100_000
ROUNDS = 4
THREADS = (1, 2, 4, 8)


def busy(run: Run) -> Iterator[Row]:
    """p99 of recall, idle and with a writer, in turns: the writer is a thread of the process, or another process."""
    data = _filled(run)
    for peer in [HIPPOCORE, *run.rivals] if data else []:
        for writer, measured in (("a thread", _beside_a_thread), ("another process", _beside_a_process)):
            run.progress.doing(f"busy: {peer}, the writer is {writer}")
            try:
                yield base_row("busy", peer, data, writer=writer, **_on_a_copy(run, data, peer, measured))
            except PeerError as reason:
                yield base_row("busy", peer, data, writer=writer, row="own", why=str(reason))
        run.drop(peer, data)


def threads(run: Run) -> Iterator[Row]:
    """Answers a second of 1, 2, 4 and 8 threads of one process."""
    data = _filled(run)
    for peer in [HIPPOCORE, *run.rivals] if data else []:
        try:
            with opened(run, peer, data, None) as (worker, _):
                alone = 0.0
                for number in THREADS:
                    run.progress.doing(f"threads: {peer}, {number}")
                    rate = worker("ask_from_threads", number, min(2.0, run.seconds / 4), run.limit)
                    alone = alone or rate
                    yield base_row("threads", peer, data, threads=number, a_second=rate, times_one=rate / alone)
        except PeerError as reason:
            yield base_row("threads", peer, data, why=str(reason))
        run.drop(peer, data)


def _filled(run: Run) -> Data | None:
    """Return the set; None when the stores of all peers are only to be filled."""
    data = make(run.folder, min(COUNT, max(run.sizes)), run.dimension, queries=run.queries + 20)
    if not run.fill_only:
        return data
    run.fill_all("busy", data)
    return None


def _on_a_copy(run: Run, data: Data, peer: str, measured: Callable[[Run, Data, str, Path], Row]) -> Row:
    """Measure on a copy of the filled store: other scenarios ask it as it was filled."""
    run.filled(peer, data)
    copy = run.folder / "busy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(run.store_folder(peer, data), copy)
    try:
        return measured(run, data, peer, copy)
    finally:
        shutil.rmtree(copy)


def _beside_a_thread(run: Run, data: Data, peer: str, copy: Path) -> Row:
    with run.worker(peer, copy, data) as worker:
        worker("open")

        def writing(queries: list[int], first: int) -> tuple[list[float], int]:
            return worker("ask_while_writing", queries, run.limit, first)

        return _compared(run, data, worker, writing)


def _beside_a_process(run: Run, data: Data, peer: str, copy: Path) -> Row:
    with run.worker(peer, copy, data) as worker, run.worker(peer, copy, data) as second:
        if not worker("about")["shared_by_processes"]:
            raise PeerError("one process at a time")
        worker("open")
        second("open")

        def writing(queries: list[int], first: int) -> tuple[list[float], int]:
            return _while_it_writes(second, first, lambda: worker("ask", queries, run.limit, None, 0, 0, False)[0])

        return _compared(run, data, worker, writing)


def _while_it_writes(second: Worker, first: int, asking: Callable[[], list[float]]) -> tuple[list[float], int]:
    written, stop, failures = [0], threading.Event(), []

    def write() -> None:
        try:
            while not stop.is_set():
                written[0] += len(second("write", first + written[0], 1_000_000, 0.05))
        except PeerError as reason:
            failures.append(reason)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        times = asking()
    finally:
        stop.set()
        writer.join()
    if failures:
        raise failures[0]
    return times, written[0]


def _compared(
    run: Run, data: Data, worker: Worker, writing: Callable[[list[int], int], tuple[list[float], int]]
) -> Row:
    """Ask idle and beside the writer in turns; the store grows by what was written meanwhile, which is reported."""
    queries = list(range(min(run.queries, 50)))
    once = float(np.mean(worker("ask", queries[:2], run.limit, None, 0, 0, False)[0]))
    wanted = int(np.clip(run.seconds * 1e3 / ROUNDS / 2 / once, 10, 2_000))
    asked = [queries[at % len(queries)] for at in range(wanted)]
    idle: list[float] = []
    beside: list[float] = []
    written = 0
    for _ in range(ROUNDS):
        idle += worker("ask", asked, run.limit, None, 0, 0, False)[0]
        times, more = writing(asked, data.count + written)
        beside += times
        written += more
    idle_p99, busy_p99 = (float(np.percentile(times, 99)) for times in (idle, beside))
    return {
        "idle_p50_ms": float(np.median(idle)),
        "busy_p50_ms": float(np.median(beside)),
        "idle_p99_ms": idle_p99,
        "busy_p99_ms": busy_p99,
        "p99_ratio": busy_p99 / idle_p99,
        "writes_a_second": written / (sum(beside) / 1e3),
        "queries": len(beside),
    }
