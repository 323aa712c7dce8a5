"""What a process pays to start: `python bench/start.py [count ...]`.

Each row is the median and the smallest of 21 new processes that take turns, the page cache warm, the modules compiled
before. "open" is `MemoryLayer(path, embedder=None)` on a store of that many memories; the first recall also imports
what a recall needs. Resident memory is what the process holds itself ("own": RssAnon) and the pages of files that are
mapped and in memory ("mapped": RssFile, shared with every process that reads them), beyond what numpy alone has.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from synthetic import fill, machine, synthetic

import numpy as np  # isort: skip  (after `synthetic`, which sets its threads)

STARTS = 21
RECALLS = 100
CHILD = """
import json, sys, time
start = time.perf_counter()
import numpy
with_numpy = time.perf_counter()
def resident():
    lines = (line.split() for line in open("/proc/self/status") if line.startswith("Rss"))
    return {name: int(value) / 1024 for name, value, _ in lines}
before = resident()
queries = numpy.load(sys.argv[2])
measured = time.perf_counter()
from hippocore import MemoryLayer
imported = time.perf_counter()
memory = MemoryLayer(sys.argv[1], embedder=None)
opened = time.perf_counter()
after_open = resident()
again = time.perf_counter()
memory.recall(embedding=queries[0], limit=40)
recalled = time.perf_counter()
hits = [memory.recall(embedding=query, limit=40) for query in queries]
assert all(len(one) == 40 for one in hits)
milliseconds = [with_numpy - start, imported - measured, opened - imported, recalled - again]
print(json.dumps([[1e3 * one for one in milliseconds], before, after_open, resident()]))
"""


def start(path: Path, queries: Path, compiled: Path) -> list[list[float]]:
    """Return milliseconds (numpy, import, open, first recall) and resident MiB (own, mapped; after open, after all)."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(compiled)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", CHILD, str(path), str(queries)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    times, before, *later = json.loads(done.stdout)
    return [times, *([now[name] - before[name] for name in ("RssAnon:", "RssFile:")] for now in later)]


def report(count: int, starts: list[list[list[float]]]) -> None:
    times = np.array([one[0] for one in starts])
    names = ("import numpy", "import hippocore's MemoryLayer", "open", "first recall")
    for name, middle, least in zip(names, np.median(times, axis=0), times.min(axis=0), strict=True):
        print(f"{count:>9,}  {name:31s} ms: p50 {middle:8.2f}   least {least:8.2f}")
    for at, name in ((1, "after opening"), (2, f"after {RECALLS} recalls")):
        own, mapped = np.median(np.array([one[at] for one in starts]), axis=0)
        print(f"{count:>9,}  {name:31s} MiB: own {own:7.1f}   mapped {mapped:7.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="*", default=[1_000, 100_000])
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--folder", type=Path, help="where the stores are made; a temporary directory otherwise")
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for count in options.count:
            data = synthetic(count, options.dimension, RECALLS)
            path, queries, compiled = (Path(folder) / name for name in (f"{count}.mem", "queries.npy", "compiled"))
            fill(path, data).close()
            np.save(queries, data.queries)
            start(path, queries, compiled)  # compiles the modules
            report(count, [start(path, queries, compiled) for _ in range(STARTS)])


if __name__ == "__main__":
    main()
