"""How long a write and a recall wait while checkpoints run beside them: `python bench/checkpoints.py [count]`.

A store of `count` memories is written to, one memory after another, until several checkpoints have run in its
background, while another thread recalls. Printed are the longest waits and how many checkpoints there were.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from pathlib import Path

from synthetic import fill, machine, percentiles, synthetic

import numpy as np  # isort: skip  (after `synthetic`, which sets its threads)

from hippocore import MemoryLayer


def recall_until(stop: threading.Event, memory: MemoryLayer, queries: np.ndarray, times: list[float]) -> None:
    while not stop.is_set():
        start = time.perf_counter()
        memory.recall(embedding=queries[len(times) % len(queries)])
        times.append((time.perf_counter() - start) * 1e3)


def write_through(memory: MemoryLayer, vectors: np.ndarray, checkpoints: int) -> list[float]:
    """Return the milliseconds of each write, until so many checkpoints have run."""
    last = memory.stats().epoch + checkpoints
    times: list[float] = []
    while len(times) % 256 or memory.stats().epoch < last:
        vector = vectors[len(times) % len(vectors)]
        start = time.perf_counter()
        memory.remember(f"a later memory {len(times)}", embedding=vector, merge=False)
        times.append((time.perf_counter() - start) * 1e3)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--checkpoints", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="where the store is made; a temporary directory otherwise")
    options = parser.parse_args()
    data = synthetic(options.count, options.dimension, 64)
    print(machine())
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, fill(Path(folder) / "c.mem", data) as memory:
        stop, recalls = threading.Event(), list[float]()
        reader = threading.Thread(target=recall_until, args=(stop, memory, data.queries, recalls))
        reader.start()
        writes = write_through(memory, data.vectors, options.checkpoints)
        stop.set()
        reader.join()
    print(f"{options.checkpoints} checkpoints beside {len(writes):,} writes and {len(recalls):,} recalls")
    print(f"a write  in ms: {percentiles(writes)}   longest {max(writes):9.3f}")
    print(f"a recall in ms: {percentiles(recalls)}   longest {max(recalls):9.3f}")


if __name__ == "__main__":
    main()
