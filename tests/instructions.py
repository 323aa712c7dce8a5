"""Counts the instructions of a recall under callgrind: the same on any day, whatever else the machine does.

`python -m tests.instructions`. Builds bench/scan.cpp beside the C++ tests and counts what the core's recall alone
takes, top 40 of synthetic clusters at 384 dimensions. Exit code 0 where it takes no more for each memory than `LIMITS`
says for the kernel, and twice the memories take at most 2.1 times as many. A recall that takes more on purpose moves
the limit with it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.native import ROOT, BuildError, build

FEW, MANY = 10_000, 20_000
DIMENSION = 384
QUERIES = 10
TWICE = 2.1
# A quarter above what was counted with gcc 12. The emulator knows no AVX-512, so AVX2 stands for all x86.
LIMITS = {"avx2": 215.0}
_BUILD = ROOT / "build" / "native-tests"  # which holds the core as pytest built it
_RECALL = "hippocore::ranking::recall(std::span*"


def main() -> int:
    """Print what a recall takes and compare it with the limits."""
    try:
        build(_BUILD, "-DHIPPOCORE_BENCH=ON")
    except BuildError as failure:
        print(failure, file=sys.stderr)
        return 1
    kernel, few = counted(FEW)
    _, many = counted(MANY)
    limit = LIMITS.get(kernel, float("inf"))
    print(f"{kernel}: {few / FEW:.1f} instructions a memory of {FEW:,}, at most {limit:g}")
    print(f"{kernel}: {many / few:.2f} times as many for twice the memories, at most {TWICE:g}")
    return 0 if few / FEW <= limit and many <= TWICE * few else 1


def counted(memories: int) -> tuple[str, float]:
    """Return the kernel in use, and how many instructions one recall takes."""
    program = _BUILD / "hippocore_scan"
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={Path(folder) / 'counts'}"]
        command += [f"--toggle-collect={_RECALL}", str(program), str(memories), str(DIMENSION), str(QUERIES)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=_environment())
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None or int(found[1]) == 0:
        raise RuntimeError("callgrind counted nothing: has the recall another name?")
    return done.stdout.split(",")[0], int(found[1]) / QUERIES


def _environment() -> dict[str, str]:
    return {**os.environ, **({"HIPPOCORE_FORCE_KERNEL": "avx2"} if os.uname().machine == "x86_64" else {})}


if __name__ == "__main__":
    sys.exit(main())
