"""How soon idle work ends when it is asked to: `python bench/idle.py [count]`.

A worker consolidates one scope of `count` episodes, as of `bench/compression.py`. It is stopped at moments drawn over
that work, and once by a recall, which it must not delay. Milliseconds of a clock on the wall.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

from compression import filled
from synthetic import machine

import numpy as np  # isort: skip  (after `synthetic`, which sets its threads)

from hippocore import MemoryLayer


def stopped_after(memory: MemoryLayer, seconds: float) -> float | None:
    """Return how many milliseconds stopping took; None where the work had ended before."""
    worker = memory.background(idle=0.001, consolidate=0.8)
    time.sleep(seconds)  # the moment that is measured, whatever the work has come to
    working = worker.status == "working"
    start = time.perf_counter()
    worker.stop()
    return 1e3 * (time.perf_counter() - start) if working else None


def recall_after(memory: MemoryLayer, vector: np.ndarray, seconds: float) -> float | None:
    """Return how many milliseconds a recall took beside the work; None where that had ended before."""
    with memory.background(idle=0.001, consolidate=0.8) as worker:
        time.sleep(seconds)  # as above
        working = worker.status == "working"
        start = time.perf_counter()
        memory.recall(embedding=vector)
        return 1e3 * (time.perf_counter() - start) if working else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=20_000)
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--times", type=int, default=20)
    options = parser.parse_args()
    draw = random.Random(7)
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        memory = filled(Path(folder) / "i.mem", options.count, options.dimension)
        vector = np.ones(options.dimension, np.float32)
        moments = [draw.uniform(0.05, options.count / 10_000) for _ in range(options.times)]
        recalls = [took for moment in moments if (took := recall_after(memory, vector, moment)) is not None]
        stops = [took for moment in moments if (took := stopped_after(memory, moment)) is not None]
        memory.close()
    for what, took in (("stop", stops), ("a recall beside it", recalls)):
        print(f"{what:20s} p50 {np.median(took):.1f} ms, at most {max(took):.1f} ms, of {len(took)}")


if __name__ == "__main__":
    main()
