"""What maintaining a large store takes, and what recalls beside it wait: `python bench/maintain.py [count]`.

The memories are of four kinds, written evenly over 90 days, with importances from 0 to 1. `maintain` with its defaults
is asked at the end of those days for the first time (dry, then really, then again), and then a day later, as a store
that is maintained daily is. The last rows are recalls of another thread while a first run works.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from synthetic import DAY, NOW, Synthetic, fill, machine, percentiles, synthetic, timed

from hippocore import Maintenance, MemoryLayer  # isort: skip  (after `synthetic`, which sets its threads)


def measured(name: str, work: Callable[[], Maintenance]) -> None:
    """Print what one run took, by the clock and of the process's own time, which a busy machine stretches less."""
    began = time.process_time()
    elapsed, done = timed(work)
    spent = (time.process_time() - began) * 1e3
    gone = len(done.expired) + len(done.pruned) + len(done.evicted)
    print(f"{name:22} {elapsed:8.1f} ms, CPU {spent:8.1f} ms; looked at {done.looked_at:9,}, gone {gone:7,}")


def recalls_beside(memory: MemoryLayer, data: Synthetic) -> list[float]:
    """Return milliseconds of each recall that another thread got while a first run worked."""
    done, times = threading.Event(), []

    def ask() -> None:
        while not done.is_set():
            query = data.queries[len(times) % len(data.queries)]
            times.append(timed(lambda query=query: memory.recall(embedding=query, limit=40))[0])

    asking = threading.Thread(target=ask)
    asking.start()
    measured("first, beside recalls", lambda: memory.maintain(now=NOW))
    done.set()
    asking.join()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--folder", type=Path, help="where the store is made; a temporary directory otherwise")
    options = parser.parse_args()
    data = synthetic(options.count, options.dimension, 200)
    print(machine())
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path, copy = Path(folder) / "large.mem", Path(folder) / "copy.mem"
        fill(path, data).close()
        shutil.copytree(path, copy)
        with MemoryLayer(path, embedder=None) as memory:
            for name, days, dry_run in (
                ("first, dry", 0, True),
                ("first, dry, again", 0, True),
                ("first", 0, False),
                ("again", 0, False),
                ("a day later, dry", 1, True),
                ("a day later", 1, False),
            ):
                measured(name, lambda d=days, dry=dry_run: memory.maintain(now=NOW + d * DAY, dry_run=dry))
        with MemoryLayer(copy, embedder=None) as memory:
            alone = [timed(lambda q=query: memory.recall(embedding=q, limit=40))[0] for query in data.queries]
            print(f"recall alone, ms       {percentiles(alone)}")
            print(f"recall beside it, ms   {percentiles(recalls_beside(memory, data))}")


if __name__ == "__main__":
    main()
