"""Remembering one at a time, each committed as the peer's own durable mode says, beside hippocore's sync="normal"."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.data import Data, make
from bench.measure import PeerError, Worker
from bench.peers import WRITERS
from bench.scenarios.run import HIPPOCORE, Row, Run, base_row

import numpy as np  # isort: skip  (after `bench.data`, which sets its threads)

COUNT = 20_000
TURN = 100


def writes(run: Run) -> Iterator[Row]:
    if run.fill_only:
        return
    data = make(run.folder, min(COUNT, max(run.sizes)), run.dimension, queries=run.queries + 20)
    own: list[float] = []
    variants = [WRITERS[peer][0] for peer in run.rivals if peer in WRITERS]
    for peer in [*run.rivals, *variants, HIPPOCORE]:
        if peer == HIPPOCORE and own:
            continue
        run.progress.doing(f"writes: {peer}")
        try:
            yield _beside(run, data, peer, own)
        except PeerError as reason:
            yield base_row("writes", peer, data, why=str(reason))
    if own:
        yield base_row("writes", HIPPOCORE, data, keeps=_kept(run, data), **_figures(own))


def _beside(run: Run, data: Data, peer: str, own: list[float]) -> Row:
    """Let both write in turns, a hundred each, until all is written or a seconds' worth is used by either."""
    base_folder, folder = run.folder / "writes-hippocore", run.folder / "writes-peer"
    for each in (base_folder, folder):
        shutil.rmtree(each, ignore_errors=True)
    with run.worker(HIPPOCORE, base_folder, data) as base, run.worker(peer, folder, data) as worker:
        about = worker("about")
        base("new_store")
        worker("new_store")
        ours, theirs = _turns(run, data, base, worker)
        worker("close")
        base("close")
    _remove(base_folder, folder)
    own += ours
    ratio = {"hippocore_p50_ms": float(np.median(ours)), "times_hippocore": float(np.mean(theirs) / np.mean(ours))}
    return base_row("writes", peer, data, keeps=about["keeps"], **_figures(theirs), **ratio)


def _turns(run: Run, data: Data, base: Worker, worker: Worker) -> tuple[list[float], list[float]]:
    base("write", 0, 10, 1.0)
    worker("write", 0, 10, 1.0)
    ours: list[float] = []
    theirs: list[float] = []
    while min(len(ours), len(theirs)) + 10 < data.count and sum(theirs) + sum(ours) < run.seconds * 1e3:
        ours += base("write", 10 + len(ours), TURN, 1.0)
        theirs += worker("write", 10 + len(theirs), TURN, run.seconds / 4)
    return ours, theirs


def _figures(times: list[float]) -> dict[str, Any]:
    return {
        "p50_ms": float(np.median(times)),
        "p99_ms": float(np.percentile(times, 99)),
        "a_second": float(1e3 / np.mean(times)),
        "writes": len(times),
    }


def _kept(run: Run, data: Data) -> str:
    with run.worker(HIPPOCORE, run.folder, data) as worker:
        return worker("about")["keeps"]


def _remove(*folders: Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
