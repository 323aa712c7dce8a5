"""Exact recall beside approximate=True: latency, how many of the right answers, and what the graph costs.

`python bench/approximate.py [count …]`. Ranks by four signals and by similarity alone, and looks for the right answers
(the exact recall's) among candidates of several pool sizes. Building takes minutes for each 100,000 memories: with
--folder the store and its graph stay there, and are used again by the next run.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from hippocore import MemoryLayer, Ranking
from hippocore.stores import approximate
from synthetic import NOW, Synthetic, fill, machine, percentiles, synthetic, timed

RANKINGS = {
    "four signals": Ranking(),
    "similarity": Ranking(relevance=1.0, recency=0.0, importance=0.0, usage=0.0),
}
ROUND = 10  # queries in a row on the same path


def found_and_times(memory: MemoryLayer, queries: np.ndarray, pools: list[int], limit: int, **asked: object) -> None:
    """Print one line for the exact recall and one for each pool; what is compared takes turns."""
    ways = [None, *pools]
    times: dict[int | None, list[float]] = {way: [] for way in ways}
    shares: dict[int | None, list[float]] = {way: [] for way in ways}
    for first in range(0, len(queries), ROUND):
        right: dict[int, set[str]] = {}
        for way in ways:
            approximate.FEWEST = way or 0
            for at in range(first, min(first + ROUND, len(queries))):
                elapsed, hits = timed(
                    lambda at=at, way=way: memory.recall(
                        embedding=queries[at], limit=limit, approximate=way is not None, **asked
                    )
                )
                times[way].append(elapsed)
                answer = {hit.memory.id for hit in hits}
                right.setdefault(at, answer)
                shares[way].append(len(answer & right[at]) / max(len(right[at]), 1))
    for way in ways if len(queries) else ():
        name = "exact" if way is None else f"{way:,} candidates"
        print(f"    {name:18s} ms: {percentiles(times[way])}   right {np.mean(shares[way]):.4f}")


def open_or_fill(path: Path, data: Synthetic) -> MemoryLayer:
    if path.exists():
        return MemoryLayer(path, embedder=None, clock=lambda: NOW)
    return fill(path, data)


def run(count: int, options: argparse.Namespace, folder: Path) -> None:
    data = synthetic(count, options.dimension, options.queries)
    path = folder / f"{count}.mem"
    print(f"\n{count:,} memories, d = {options.dimension}, top {options.limit}, {options.queries} queries", flush=True)
    with open_or_fill(path, data) as memory:
        start, cpu = time.perf_counter(), time.process_time()
        memory.build_approximate()
        elapsed, cpu = time.perf_counter() - start, time.process_time() - cpu
        kept = sum(file.stat().st_size for file in path.glob("approximate-*"))
        vectors = count * options.dimension * 4
        print(f"  built in {elapsed:.0f} s ({cpu:.0f} s of one core), {kept / 1e6:.1f} MB kept beside the store")
        resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(f"  at most {resident / 1e6:.0f} MB were resident (the vectors take {vectors / 1e6:.0f})", flush=True)
        approximate.SMALLEST, approximate.TIMES = 1, 1  # whatever it costs
        for name, ranking in RANKINGS.items():
            print(f"  {name}")
            found_and_times(memory, data.queries, options.pools, options.limit, ranking=ranking)
        print("  four signals, half of the memories (two of four kinds)")
        found_and_times(memory, data.queries, options.pools, options.limit, kinds=["episode", "fact"])
    with MemoryLayer(path, embedder=None) as again:
        elapsed, _ = timed(again.build_approximate)
        print(f"  read, checked and ready again in {elapsed / 1e3:.1f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="*", default=[100_000])
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--pools", type=int, nargs="*", default=[100, 200, 400, 1_000, 2_000])
    parser.add_argument(
        "--folder", type=Path, help="where the stores stay; else they are made in a temporary directory"
    )
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        for count in options.count:
            run(count, options, options.folder or Path(folder))


if __name__ == "__main__":
    main()
