"""Recall by vector: against size, in one scope among many, at a wide dimension, on real sentences.

Each peer takes turns with hippocore in one run. A peer that ranks by similarity gets a second row, "rerank": the
smallest pool (and, for an approximate index, the smallest effort) whose rerank by the four signals gives at least 0.99
of the right answers, found with other queries than the ones timed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bench.data import Data, Truth, make, truth_of
from bench.measure import Asked, PeerError, Worker, take_turns
from bench.scenarios.run import HIPPOCORE, Row, Run, base_row
from bench.texts import sentences

import numpy as np  # isort: skip  (after `bench.data`, which sets its threads)

TUNED_WITH = 20
ENOUGH = 0.99
EFFORTS = (1, 2, 4, 8, 16)
LONG_OPENING = 2_000  # milliseconds; what takes longer is opened once
Scopes = dict[int, int]
Asking = Callable[[list[int]], tuple[list[float], list[np.ndarray]]]


def size(run: Run) -> Iterator[Row]:
    for count in run.sizes:
        data = make(run.folder, count, run.dimension, queries=run.queries + TUNED_WITH)
        yield from _contests("size", run, data, None)


def scopes(run: Run) -> Iterator[Row]:
    """One scope of a hundred memories, asked again and again as an agent asks its own, among ever more others."""
    for count in run.sizes:
        if count >= 1_000:
            many = count // 100
            data = make(run.folder, count, run.dimension, scopes=many, queries=run.queries + TUNED_WITH)
            asked_in = dict.fromkeys(range(len(data.queries)), many // 3)
            yield from _contests("scopes", run, data, asked_in)


def wide(run: Run) -> Iterator[Row]:
    count = min(100_000, max(run.sizes))
    yield from _contests("wide", run, make(run.folder, count, 1536, queries=run.queries + TUNED_WITH), None)


def real(run: Run) -> Iterator[Row]:
    data = sentences(run.folder, run.texts, run.queries + TUNED_WITH)
    yield from _contests("real", run, data, None)


def _contests(scenario: str, run: Run, data: Data, asked_in: Scopes | None) -> Iterator[Row]:
    if run.fill_only:
        run.fill_all(scenario, data)
        return
    run.filled(HIPPOCORE, data)
    run.progress.doing(f"{scenario}: right answers of {data.count:,} x {data.dimension}")
    truth = truth_of(data, len(data.queries), run.limit, asked_in)
    own = Asked(1)
    with opened(run, HIPPOCORE, data, asked_in) as (base, opening):
        for peer in run.rivals:
            run.progress.doing(f"{scenario}: {peer}, {data.count:,} x {data.dimension}")
            try:
                yield from _contest(scenario, run, truth, asked_in, base, peer, own)
            except PeerError as reason:
                yield base_row(scenario, peer, data, why=str(reason))
            run.drop(peer, data)
        if not own.times:
            own = take_turns([asker(base, run, asked_in, 0, 0)], run.queries, run.seconds)[0]
        answers = _answers(truth, own)
        yield base_row(scenario, HIPPOCORE, data, row="own", **opening, **own.figures(), **answers, **base("memory"))


@contextmanager
def opened(
    run: Run, peer: str, data: Data, asked_in: Scopes | None, *, texts: bool = False
) -> Iterator[tuple[Worker, dict[str, Any]]]:
    """Give a worker that has opened its filled store and answered once, and how long that took: the best of a few."""
    said = run.filled(peer, data)
    folder = run.store_folder(peer, data)
    tried: list[dict[str, float]] = []
    while True:
        with run.worker(peer, folder, data) as worker:
            times = worker("open")
            times["first_ms"] = asker(worker, run, asked_in, 0, 0, texts=texts)([0])[0][0]
            tried.append(times)
            if len(tried) >= (run.opens if _until_answered(times) < LONG_OPENING else 1):
                yield worker, {**said, **min(tried, key=_until_answered)}
                return


def _until_answered(times: dict[str, float]) -> float:
    return times["open_ms"] + times["first_ms"]


def asker(worker: Worker, run: Run, asked_in: Scopes | None, pool: int, effort: int, *, texts: bool = False) -> Asking:
    """Return what asks a worker about numbered queries, each in its scope where they have one."""

    def ask(queries: list[int]) -> tuple[list[float], list[np.ndarray]]:
        within = None if asked_in is None else [asked_in[query] for query in queries]
        return worker("ask", queries, run.limit, within, pool, effort, texts)

    return ask


def _contest(
    scenario: str, run: Run, truth: Truth, asked_in: Scopes | None, base: Worker, peer: str, own: Asked
) -> Iterator[Row]:
    data = truth.data
    with opened(run, peer, data, asked_in) as (worker, opening):
        about = worker("about")
        similar = about["ranks"] == "similarity"
        effort = _tuned_effort(worker, run, truth, asked_in) if similar and about["efforts"] else 1
        asking = asker(worker, run, asked_in, 0, effort)
        row = base_row(scenario, peer, data, row="own", ranks=about["ranks"], **opening)
        if about["efforts"]:
            row["effort"] = run.limit * effort
        yield {**row, **_beside(run, truth, asker(base, run, asked_in, 0, 0), asking, own), **worker("memory")}
        if similar:
            try:
                yield _rerank_row(scenario, run, truth, asked_in, base, peer, worker, about["efforts"] or (1,), own)
            except PeerError as reason:
                yield base_row(scenario, peer, data, row="rerank", why=str(reason))


def _rerank_row(
    scenario: str,
    run: Run,
    truth: Truth,
    asked_in: Scopes | None,
    base: Worker,
    peer: str,
    worker: Worker,
    efforts: tuple[int, ...],
    own: Asked,
) -> Row:
    worker("use_rerank")
    pool, effort = _tuned_pool(worker, run, truth, asked_in, efforts)
    row = base_row(scenario, peer, truth.data, row="rerank", pool=pool, ranks="four signals, reranked")
    if efforts != (1,):
        row["effort"] = pool * effort
    asking = asker(worker, run, asked_in, pool, effort)
    return {**row, **_beside(run, truth, asker(base, run, asked_in, 0, 0), asking, own), **worker("memory")}


def _beside(run: Run, truth: Truth, base: Asking, asking: Asking, own: Asked) -> dict[str, float]:
    """Return a row's figures and the ratio to hippocore's median in the same turns."""
    ours, theirs = take_turns([base, asking], run.queries, run.seconds)
    own.turn = max(own.turn, ours.turn)
    own.times += ours.times
    own.positions = max(own.positions, ours.positions, key=len)
    figures = {**theirs.figures(), **_answers(truth, theirs)}
    return {**figures, "hippocore_p50_ms": ours.p50, "times_hippocore": theirs.p50 / ours.p50}


def _answers(truth: Truth, asked: Asked) -> dict[str, float]:
    fused = [truth.share(query, found, fused=True) for query, found in enumerate(asked.positions)]
    similar = [truth.share(query, found, fused=False) for query, found in enumerate(asked.positions)]
    return {"right_four_signals": float(np.mean(fused)), "right_similarity": float(np.mean(similar))}


def _tuning_queries(truth: Truth) -> list[int]:
    return list(range(len(truth.data.queries) - TUNED_WITH, len(truth.data.queries)))


def _tuned_effort(worker: Worker, run: Run, truth: Truth, asked_in: Scopes | None) -> int:
    """Return the smallest effort that finds 0.99 of the most similar, or the largest tried."""
    queries = _tuning_queries(truth)
    for effort in EFFORTS:
        _, found = asker(worker, run, asked_in, 0, effort)(queries)
        if _mean_share(truth, queries, found, fused=False) >= ENOUGH:
            return effort
    return EFFORTS[-1]


def _tuned_pool(
    worker: Worker, run: Run, truth: Truth, asked_in: Scopes | None, efforts: tuple[int, ...]
) -> tuple[int, int]:
    """Return the smallest (pool, effort) whose rerank gives 0.99 of the right answers. Raises PeerError without one."""
    queries = _tuning_queries(truth)
    most = truth.data.count // truth.data.scopes
    last = 0.0
    for pool in _pools(run.limit, most):
        for effort in efforts:
            times, found = asker(worker, run, asked_in, pool, effort)(queries)
            last = _mean_share(truth, queries, found, fused=True)
            if last >= ENOUGH:
                return pool, effort
            if sum(times) > run.seconds * 2e3:
                queries = queries[:5]
    raise PeerError(f"no pool tried gives 0.99 of the right answers ({last:.2f} with {pool:,} of {most:,})")


def _pools(limit: int, most: int) -> list[int]:
    """Return pools to try, each a third to a half larger than the one before, up to 16,384 or all there is."""
    pools = [size for power in range(10) for size in (limit << power, 3 * (limit << power) // 2)]
    return [size for size in pools if size < min(most, 16_384)] + [min(most, 16_384)]


def _mean_share(truth: Truth, queries: list[int], found: list[np.ndarray], *, fused: bool) -> float:
    return float(np.mean([truth.share(query, each, fused=fused) for query, each in zip(queries, found, strict=True)]))
