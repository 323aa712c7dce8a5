"""What the benchmarks share: clustered vectors, a store full of them, and the machine they ran on."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

# Some machines pin OpenBLAS to another CPU's kernels, which would slow numpy down; both must go before numpy is loaded.
DROPPED = [name for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE") if os.environ.pop(name, None) is not None]
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import numpy as np  # noqa: E402

if TYPE_CHECKING:  # made at the first use: the peers' processes load this file too, and must not hold hippocore
    from hippocore import MemoryLayer

KINDS = ("episode", "fact", "procedure", "preference")
BATCH = 2_000
DAY = 86_400.0
NOW = 1_800_000_000.0
CLUSTERS = 1_000


class Synthetic(NamedTuple):
    """Vectors (n, d) around cluster centres, the importance of each memory, and queries (q, d) of the same clusters."""

    vectors: np.ndarray
    importance: np.ndarray
    queries: np.ndarray


class Clock:
    """The store's clock: set before a write, NOW afterwards."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


def synthetic(count: int, dimension: int, queries: int, seed: int = 7) -> Synthetic:
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((CLUSTERS, dimension), dtype=np.float32)

    def around(size: int) -> np.ndarray:
        vectors = rng.standard_normal((size, dimension), dtype=np.float32)
        vectors *= 0.7
        for first in range(0, size, 10_000):
            part = vectors[first : first + 10_000]
            part += centres[rng.integers(0, CLUSTERS, len(part))]
            part /= np.linalg.norm(part, axis=1, keepdims=True)
        return vectors

    return Synthetic(around(count), rng.random(count), around(queries))


def created(batch: int, batches: int) -> float:
    """Return when a batch is remembered: evenly over the 90 days before NOW."""
    return NOW - 90 * DAY * (batches - batch) / batches


def items(data: Synthetic, first: int, scope: Callable[[int], str]) -> Iterator[dict[str, Any]]:
    for i in range(first, min(first + BATCH, len(data.vectors))):
        yield {
            "content": f"memory {i}",
            "scope": scope(i),
            "kind": KINDS[i % len(KINDS)],
            "importance": float(data.importance[i]),
            "embedding": data.vectors[i],
            "id": f"{i:032x}",
        }


def fill(path: Path, data: Synthetic, scope: Callable[[int], str] = lambda _: "default") -> MemoryLayer:
    """Return a new store with every vector, remembered over 90 days in batches of BATCH, folded by a checkpoint."""
    from hippocore import MemoryLayer

    clock = Clock()
    memory = MemoryLayer(
        path, embedder=None, embedder_name="synthetic", dim=data.vectors.shape[1], sync="off", clock=clock
    )
    batches = -(-len(data.vectors) // BATCH)
    for batch in range(batches):
        clock.now = created(batch, batches)
        memory.remember_many(list(items(data, batch * BATCH, scope)), merge=False)
    memory.checkpoint()
    clock.now = NOW
    return memory


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return milliseconds and the result."""
    start = time.perf_counter()
    result = work()
    return (time.perf_counter() - start) * 1e3, result


def percentiles(times: list[float]) -> str:
    return f"p50 {np.percentile(times, 50):9.3f}   p99 {np.percentile(times, 99):9.3f}"


def machine() -> str:
    """Return the CPU, the kernels in use and what was taken out of the environment, one line."""
    from hippocore import _core

    info = Path("/proc/cpuinfo")
    names = [line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    dropped = f"; unset for this run: {', '.join(DROPPED)}" if DROPPED else ""
    return (
        f"{names[0] if names else platform.processor()}, {len(names)} cores, load {load}; Python "
        f"{platform.python_version()}; kernels {_core.kernel_name()}; one thread each{dropped}"
    )
