"""How many memories a second are remembered, one at a time and in batches: `python bench/writes.py [count]`.

Vectors are given, merging is off and `sync="normal"`; each figure is the best of three runs on new stores. A given id
is looked up first, so that a retry is harmless: a row of its own.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from synthetic import BATCH, Synthetic, items, machine, synthetic

from hippocore import MemoryLayer  # isort: skip  (after `synthetic`, which sets its threads)


def new_store(path: Path, dimension: int) -> MemoryLayer:
    shutil.rmtree(path, ignore_errors=True)
    return MemoryLayer(path, embedder=None, embedder_name="synthetic", dim=dimension, sync="normal")


def one_at_a_time(memory: MemoryLayer, data: Synthetic, count: int) -> None:
    for i in range(count):
        memory.remember("a memory of an ordinary length for one", embedding=data.vectors[i], merge=False)


def in_batches(memory: MemoryLayer, data: Synthetic, count: int) -> None:
    for first in range(0, count, BATCH):
        plain = ({**item, "id": None} for item in items(data, first, lambda _: "default"))
        memory.remember_many(list(plain), merge=False)


def in_batches_with_ids(memory: MemoryLayer, data: Synthetic, count: int) -> None:
    for first in range(0, count, BATCH):
        memory.remember_many(list(items(data, first, lambda _: "default")), merge=False)


def rate(path: Path, data: Synthetic, count: int, write: Callable[[MemoryLayer, Synthetic, int], None]) -> float:
    """Return memories a second, the best of three runs on new stores; each ends with everything acknowledged."""
    best = 0.0
    for _ in range(3):
        with new_store(path, data.vectors.shape[1]) as memory:
            start = time.perf_counter()
            write(memory, data, count)
            best = max(best, count / (time.perf_counter() - start))
            if memory.count() != count:
                raise AssertionError("memories are missing")
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=50_000)
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--folder", type=Path, help="where the stores are made; a temporary directory otherwise")
    options = parser.parse_args()
    data = synthetic(options.count, options.dimension, 1)
    print(machine())
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder) / "writes.mem"
        print(f"remember one at a time: {rate(path, data, options.count, one_at_a_time):9,.0f} a second")
        print(f"remember_many by {BATCH:,}: {rate(path, data, options.count, in_batches):9,.0f} a second")
        print(f"the same, ids given:    {rate(path, data, options.count, in_batches_with_ids):9,.0f} a second")


if __name__ == "__main__":
    main()
