"""The machine, and what of it a run needs: same rules for every peer, set before anything else is loaded."""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path
from typing import Any

from bench.synthetic import DROPPED

import numpy as np  # isort: skip  (after `synthetic`, which sets its threads)

# One thread where there is a knob, nothing reported to anyone, nothing fetched.
RULES = {
    "NUMEXPR_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "TOKIO_WORKER_THREADS": "1",
    "LANCE_CPU_THREADS": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "MEM0_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
os.environ.update(RULES)


def describe() -> dict[str, Any]:
    """Return what the numbers depend on; nothing that names this machine or its owner."""
    from hippocore import _core

    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    named = {key.strip(): value.strip() for key, value in fields.items()}
    return {
        "cpu": named.get("model name", platform.processor()),
        "cache": named.get("cache size", "unknown"),
        "cores": len(os.sched_getaffinity(0)),
        "kernels": _core.kernel_name(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "blas": _blas(),
        "unset": DROPPED,
    }


def one_line() -> str:
    said = describe()
    unset = f"unset for this run: {', '.join(said['unset'])}" if said["unset"] else "no BLAS setting had to be unset"
    return (
        f"{said['cpu']}, {said['cores']} cores, kernels {said['kernels']}; Python {said['python']}, numpy "
        f"{said['numpy']} with {said['blas']}; one thread each where there is a knob, telemetry off; {unset}"
    )


def _blas() -> str:
    built = np.show_config(mode="dicts").get("Build Dependencies", {}).get("blas", {})
    return f"{built.get('name', 'unknown')} {built.get('version', '')}".strip()


def needs(count: int, dimension: int) -> tuple[float, float]:
    """Return gigabytes of disk and memory for the largest size: the set, hippocore's store, one peer's copy of it."""
    vectors = count * dimension * 4 / 1e9
    store = vectors + count * (dimension / 2 + 300) / 1e9
    return 2 * vectors + store, vectors + count * (dimension / 2 + 100) / 1e9 + 1


def refuse_what_does_not_fit(sizes: list[int], dimension: int, folder: Path) -> None:
    """Print what the largest size needs from 1,000,000 on, and stop when the disk has less."""
    disk, memory = needs(max(sizes), dimension)
    free = shutil.disk_usage(folder).free / 1e9
    installed = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    if max(sizes) >= 1_000_000:
        print(
            f"{max(sizes):,} x {dimension} needs about {disk:.0f} GB of disk ({free:.0f} GB free) and {memory:.0f} GB "
            f"of memory for a peer that holds its vectors ({installed:.0f} GB installed)",
            flush=True,
        )
    if disk > free:
        raise SystemExit(f"not enough disk: {disk:.0f} GB needed, {free:.0f} GB free; give another --folder")
