"""Recall beside numpy and faiss, in one run on the same data: `python bench/recall.py [count ...]`.

The contestants take turns of ten queries, so that what else the machine does meets all alike. "cold" is the first query
of a turn, after the others swept the caches. hippocore ranks by four signals; numpy and faiss by similarity only, which
is the smaller job. "whole" is `MemoryLayer.recall(embedding=…)` with its results as Python objects; "core" is the
native call it makes, contents copied out included. `--threads N` adds hippocore with so many threads to a recall, and
`--callers N` shows how many recalls a second that many Python threads get at once, each recall on one thread. At last
comes what a query costs when 1, 4, 16 and 64 of them are asked by one `recall_many`.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from synthetic import BATCH, DAY, KINDS, NOW, Clock, Synthetic, created, fill, machine, percentiles, synthetic, timed

import numpy as np  # isort: skip  (after `synthetic`, which sets its threads)

from hippocore import MemoryLayer, Ranking, _core

Contestant = Callable[[np.ndarray], Any]
TURN = 10
HALF_LIVES = {"episode": 3, "fact": 30, "procedure": 90, "preference": 180}


def open_core(path: Path, threads: int = 1) -> _core.Store:
    """Return a reading handle of the native core."""
    options = {"create": False, "dim": 0, "embedder": "", "tokenizer": "", "sync": "off", "read_only": True}
    return _core.Store.open(str(path), **options, busy_timeout=5.0, threads=threads)


def split(path: Path, limit: int, threads: int) -> tuple[list[Any], dict[str, Contestant]]:
    """Return handles to close and contestants that split each recall over threads."""
    core = open_core(path, threads)
    memory = MemoryLayer(path, embedder=None, clock=Clock(), sync="off", read_only=True, threads=threads)
    weights = Ranking().compiled(_core.Weights)
    return [core, memory], {
        f"core, {threads} threads": lambda q: core.recall(q, _core.Filter(now=int(NOW * 1e6)), weights, limit),
        f"whole, {threads} threads": lambda q: memory.recall(embedding=q, limit=limit),
    }


def show_callers(memory: MemoryLayer, queries: np.ndarray, limit: int, callers: int) -> None:
    """Print the recalls a second that 1, 2 … Python threads get together on one handle."""
    first = 0.0
    for count in range(1, callers + 1):
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(lambda query: memory.recall(embedding=query, limit=limit), queries[:count]))
            work = partial(pool.map, lambda query: memory.recall(embedding=query, limit=limit), queries)
            elapsed, _ = timed(lambda work=work: list(work()))
        rate = len(queries) / elapsed * 1e3
        first = first or rate
        print(f"  {count} callers at once: {rate:10,.0f} whole recalls a second ({rate / first:.2f} x one caller's)")


def show_batches(memory: MemoryLayer, queries: np.ndarray, limit: int, threads: int) -> None:
    """Print what a query of `recall_many` costs beside `recall`; the sizes of a batch take turns."""
    sizes = [size for size in (1, 4, 16, 64) if size <= len(queries)]
    alone: list[float] = []
    times: dict[int, list[float]] = {size: [] for size in sizes}
    for first in range(0, len(queries), sizes[-1]):
        turn = queries[first : first + sizes[-1]]
        alone += [timed(partial(memory.recall, embedding=query, limit=limit))[0] for query in turn]
        for size in sizes:
            for start in range(0, len(turn) - size + 1, size):
                batch = turn[start : start + size]
                times[size].append(timed(partial(memory.recall_many, embeddings=batch, limit=limit))[0] / size)
    base = np.median(alone)
    each = "  ".join(f"{size}: {np.median(t):.3f} ({base / np.median(t):.2f} x)" for size, t in times.items())
    print(f"  recall_many, {threads} threads, ms a query by size of batch: {each}  (recall: {base:.3f})")


def contestants(memory: MemoryLayer, core: _core.Store, data: Synthetic, limit: int) -> dict[str, Contestant]:
    import faiss

    faiss.omp_set_num_threads(1)
    dimension = data.vectors.shape[1]
    flat = faiss.IndexFlatIP(dimension)
    eight_bit = faiss.IndexScalarQuantizer(dimension, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
    eight_bit.train(data.vectors[:20_000])
    for index in (flat, eight_bit):
        index.add(data.vectors)
    weights = Ranking().compiled(_core.Weights)

    def numpy_top(query: np.ndarray) -> np.ndarray:
        scores = data.vectors @ query
        best = np.argpartition(-scores, limit)[:limit]
        return best[np.argsort(-scores[best])]

    return {
        "hippocore core": lambda q: core.recall(q, _core.Filter(now=int(NOW * 1e6)), weights, limit),
        "hippocore whole": lambda q: memory.recall(embedding=q, limit=limit),
        "numpy X @ q": numpy_top,
        "faiss FlatIP": lambda q: flat.search(q[None], limit),
        "faiss SQ8": lambda q: eight_bit.search(q[None], limit),
    }


def fused_scores(data: Synthetic, query: np.ndarray) -> np.ndarray:
    """Return every memory's score in double precision by numpy alone."""
    count = len(data.vectors)
    batches = -(-count // BATCH)
    ages = NOW - np.array([created(batch, batches) for batch in range(batches)])[np.arange(count) // BATCH]
    half_lives = np.array([HALF_LIVES[kind] * DAY for kind in KINDS])[np.arange(count) % len(KINDS)]
    similarity = np.empty(count)
    for first in range(0, count, 100_000):
        part = data.vectors[first : first + 100_000].astype(np.float64)
        similarity[first : first + 100_000] = part @ query / np.linalg.norm(part, axis=1)
    similarity /= np.linalg.norm(query.astype(np.float64))
    return 0.5 * np.maximum(similarity, 0) + 0.25 * 0.5 ** (ages / half_lives) + 0.15 * data.importance


def check_answers(memory: MemoryLayer, data: Synthetic, queries: np.ndarray, limit: int) -> None:
    """Raise unless recall gives numpy's answer: the same ids, others only where scores differ by less than 1e-6."""
    for query in queries:
        scores = fused_scores(data, query)
        expected = np.sort(scores)[::-1][:limit]
        hits = memory.recall(embedding=query, limit=limit)
        positions = [int(hit.memory.id, 16) for hit in hits]
        if len(set(positions)) != min(limit, len(scores)):
            raise AssertionError("recall gave too few memories, or one of them twice")
        given = np.array([hit.score for hit in hits])
        if np.abs(given - expected).max() > 1e-6 or np.abs(given - scores[positions]).max() > 1e-6:
            raise AssertionError("recall's answer is not that of double-precision numpy")


def report(times: dict[str, list[float]], exact: list[int], count: int) -> None:
    base = np.median(times["faiss FlatIP"])
    for name, values in times.items():
        cold = f"cold {np.median(values[::TURN]):9.3f}"
        print(f"  {name:16s} ms: {percentiles(values)}   {cold}   faiss FlatIP / this {base / np.median(values):6.2f}")
    shares = " ".join(
        f"{label} {np.percentile(exact, at):.0f}" for label, at in (("p50", 50), ("p99", 99), ("max", 100))
    )
    print(f"  scored from f32, of {count:,}: {shares} ({np.median(exact) / count:.3%})")


def run(
    count: int, dimension: int, limit: int, queries: int, checks: int, threads: int, callers: int, folder: Path
) -> None:
    data = synthetic(count, dimension, queries)
    path = folder / f"{count}.mem"
    filling, memory = timed(lambda: fill(path, data))
    print(f"\n{count:,} memories, d = {dimension}, top {limit}, {queries} queries (filled in {filling / 1e3:.1f} s)")
    core = open_core(path)
    with memory:
        check_answers(memory, data, data.queries[:checks], limit)
        print(f"  answers equal double-precision numpy's for {checks} of {checks} queries")
        rivals = contestants(memory, core, data, limit)
        handles, helped = split(path, limit, threads) if threads > 1 else ([], {})
        rivals.update(helped)
        times: dict[str, list[float]] = {name: [] for name in rivals}
        exact = []
        for first in range(0, queries, TURN):
            for name, answer in rivals.items():
                for query in data.queries[first : first + TURN]:
                    elapsed, result = timed(lambda answer=answer, query=query: answer(query))
                    times[name].append(elapsed)
                    if name == "hippocore core":
                        exact.append(result.scored_exactly)
        report(times, exact, count)
        if callers > 1:
            show_callers(memory, data.queries, limit, callers)
        show_batches(memory, data.queries, limit, 1)
        if handles:
            show_batches(handles[1], data.queries, limit, threads)
    for handle in (core, *handles):
        handle.close()
    shutil.rmtree(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--checks", type=int, default=20, help="queries checked against double-precision numpy")
    parser.add_argument("--threads", type=int, default=1, help="that split one recall, beside one thread alone")
    parser.add_argument("--callers", type=int, default=1, help="Python threads that recall at once, up to so many")
    parser.add_argument("--folder", type=Path, help="where the stores are made; a temporary directory otherwise")
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for count in options.count:
            run(
                count,
                options.dimension,
                options.limit,
                options.queries,
                options.checks,
                options.threads,
                options.callers,
                Path(folder),
            )


if __name__ == "__main__":
    main()
