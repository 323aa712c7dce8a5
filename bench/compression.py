"""What consolidating and summarizing a large scope take: `python bench/compression.py [count]`.

One scope of `count` episodes in random order, five of them a subject and alike. Seconds of this process's CPU, since it
shares the machine, and the most memory that it took beyond the open store.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from synthetic import machine

import numpy as np  # isort: skip  (after `synthetic`, which sets its threads)

from hippocore import Compression, MemoryLayer

SPREAD = 0.35  # of the members around their subject: cosines of about 0.9


def filled(path: Path, count: int, dimension: int) -> MemoryLayer:
    rng = np.random.default_rng(7)
    subjects = rng.permutation(np.arange(count) // 5)
    centres = rng.standard_normal((count // 5 + 1, dimension), dtype=np.float32)
    vectors = centres[subjects] + SPREAD * rng.standard_normal((count, dimension), dtype=np.float32)
    memory = MemoryLayer(path, embedder=None, dim=dimension)
    texts = (f"The meeting of team {subject} took place. Its outcome is in the minutes." for subject in subjects)
    memory.remember_many(
        [{"content": text, "embedding": vector} for text, vector in zip(texts, vectors, strict=True)], merge=False
    )
    return memory


def timed(what: str, work: Callable[[], Compression]) -> None:
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    done = work()
    seconds = time.process_time() - start
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{what:28s} {seconds:7.2f} s, {len(done.archived):,} into {len(done.made):,}, {grown:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=20_000)
    parser.add_argument("--dimension", type=int, default=384)
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder, filled(Path(folder) / "c.mem", **vars(options)) as memory:
        timed("consolidate(dry_run=True)", lambda: memory.consolidate(dry_run=True))
        timed("summarize(dry_run=True)", lambda: memory.summarize(dry_run=True))
        timed("consolidate()", memory.consolidate)
    with tempfile.TemporaryDirectory() as folder, filled(Path(folder) / "s.mem", **vars(options)) as memory:
        timed("summarize()", memory.summarize)


if __name__ == "__main__":
    main()
