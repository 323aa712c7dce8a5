"""Opening a large store in a fresh process, and recall in one small scope of it: `python bench/open.py [count]`.

Opening is timed in new processes after `from hippocore import MemoryLayer`, the page cache warm: open, one dense
recall, five times. The scope holds 100 memories spread evenly among all the others.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from synthetic import fill, machine, percentiles, synthetic, timed

import numpy as np  # isort: skip  (after `synthetic`, which sets its threads)

SMALL_SCOPE = 100
OPEN = """
import json, sys, time
import numpy
from hippocore import MemoryLayer
query = numpy.array(json.loads(sys.argv[2]), numpy.float32)
start = time.perf_counter()
memory = MemoryLayer(sys.argv[1], embedder=None)
opened = time.perf_counter()
hits = memory.recall(embedding=query, limit=40)
print(json.dumps([(opened - start) * 1e3, (time.perf_counter() - opened) * 1e3, len(hits)]))
"""


def fresh_open(path: Path, query: np.ndarray) -> tuple[float, float]:
    """Return milliseconds for opening and for the first recall, in a new process."""
    command = [sys.executable, "-c", OPEN, str(path), json.dumps(query.tolist())]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    if answer[2] != 40:
        raise AssertionError("the recall gave too few memories")
    return answer[0], answer[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--folder", type=Path, help="where the store is made; a temporary directory otherwise")
    options = parser.parse_args()
    data = synthetic(options.count, options.dimension, 200)
    every = max(1, options.count // SMALL_SCOPE)
    print(machine())
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder) / "large.mem"
        filling, memory = timed(lambda: fill(path, data, lambda i: "small" if i % every == 0 else "default"))
        print(f"{options.count:,} memories filled in {filling / 1e3:.1f} s")
        with memory:
            times = []
            for query in data.queries:
                elapsed, hits = timed(lambda query=query: memory.recall(embedding=query, scope="small", limit=40))
                times.append(elapsed)
                if len(hits) != 40:
                    raise AssertionError("the small scope gave too few memories")
            print(f"recall in a scope of {memory.count(scope='small')} us: {percentiles([t * 1e3 for t in times])}")
        opens = [fresh_open(path, data.queries[i]) for i in range(5)]
        for opened, recalled in opens:
            print(f"open {opened:7.2f} ms, first recall {recalled:7.2f} ms, together {opened + recalled:7.2f} ms")


if __name__ == "__main__":
    main()
