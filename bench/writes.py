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
from typing import Any

from synthetic import BATCH, Synthetic, items, machine, synthetic

from hippocore import MemoryLayer  # isort: skip  (after `synthetic`, which sets its threads)


def new_store(path: Path, dimension: int) -> MemoryLayer:
    shutil.rmtree(path, ignore_errors=True)
    return MemoryLayer(path, embedder=None, embedder_name="synthetic", dim=dimension, sync="normal")


def one_at_a_time(memory: MemoryLayer, data: Synthetic) -> None:
    for vector in data.vectors:
        memory.remember("a memory of an ordinary length for one", embedding=vector, merge=False)


def in_batches(memory: MemoryLayer, batches: list[list[dict[str, Any]]]) -> None:
    for batch in batches:
        memory.remember_many(batch, merge=False)


def batches_of(data: Synthetic, *, ids: bool) -> list[list[dict[str, Any]]]:
    batches = [list(items(data, first, lambda _: "default")) for first in range(0, len(data.vectors), BATCH)]
    return batches if ids else [[{**item, "id": None} for item in batch] for batch in batches]


def rate(path: Path, data: Synthetic, write: Callable[[MemoryLayer], None]) -> float:
    """Return memories a second, the best of three runs on new stores; each ends with everything acknowledged."""
    best, (count, dimension) = 0.0, data.vectors.shape
    for _ in range(3):
        with new_store(path, dimension) as memory:
            start = time.perf_counter()
            write(memory)
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
        print(f"remember one at a time: {rate(path, data, lambda memory: one_at_a_time(memory, data)):9,.0f} a second")
        for what, ids in ((f"remember_many by {BATCH:,}:", False), ("the same, ids given:", True)):
            batches = batches_of(data, ids=ids)
            print(f"{what:23} {rate(path, data, lambda memory, of=batches: in_batches(memory, of)):9,.0f} a second")


if __name__ == "__main__":
    main()
