"""Fuzzes opening a store, reading its log and decoding its records, with clang's libFuzzer, ASan and UBSan.

`python -m tests.fuzz --seconds 300 [--target open_store]` runs the targets side by side for that long. An input that
ends in a fault is kept in build/fuzz/faults, and the exit code is 1. Give such an input a name that says what it was,
and put it into tests/fuzz/corpus/<target>: the C++ tests replay all that is there, with any compiler.

`--seeds` writes the seeds of the corpus anew, `--merge` adds what a run found that reaches more of the code.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.native import ROOT, BuildError, program, run_tool

TARGETS = ("decode_record", "open_store", "read_log")
CORPUS = ROOT / "tests" / "fuzz" / "corpus"
_BUILD = ROOT / "build" / "fuzz"
_FOUND, _FAULTS = _BUILD / "found", _BUILD / "faults"
_LONGEST_INPUT = 16384
# Leaks are looked for by the C++ tests under ASan, which replay the corpus: once at their end, not after each input.
_LIMITS = ("-timeout=30", "-rss_limit_mb=2048", "-malloc_limit_mb=256", "-detect_leaks=0", f"-max_len={_LONGEST_INPUT}")
_REACHED = re.compile(r"^#\d+\s+(?:INITED|NEW|REDUCE|pulse|RELOAD|DONE)\s+cov: (\d+)", re.MULTILINE)
_EXECUTED = re.compile(r"^stat::number_of_executed_units:\s*(\d+)", re.MULTILINE)
_KEPT = re.compile(r"Test unit written to (\S+)")


class Run(NamedTuple):
    """What one target did: executions, edges of the code reached at the start and at the end, the input at fault."""

    target: str
    executions: int
    reached_before: int
    reached: int
    fault: Path | None
    failed: bool


def build() -> Path:
    """Build the targets with clang and return the folder they are in."""
    options = ["-DHIPPOCORE_FUZZ=ON", "-DHIPPOCORE_PYTHON=OFF", "-DHIPPOCORE_SANITIZE=address,undefined"]
    options += [f"-DCMAKE_CXX_COMPILER={program('clang++')}", "-DCMAKE_CXX_FLAGS_RELEASE=-O2"]
    options += [f"-DCMAKE_MAKE_PROGRAM={program('ninja')}"]
    run_tool(program("cmake"), "-G", "Ninja", "-S", ROOT, "-B", _BUILD, *options)
    run_tool(program("ninja"), "-C", _BUILD, "all", "hippocore_fuzz_seeds")
    return _BUILD / "tests" / "fuzz"


def run(folder: Path, target: str, seconds: int, seed: int) -> Run:
    """Fuzz one target for that long; what it finds goes into a folder that the next run begins with."""
    for place in (_FOUND / target, _FAULTS):
        place.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + seconds
    executions, reached, log = 0, [0], ""
    while (left := end - time.monotonic()) > 0:
        code, log = _fuzz_once(folder / f"fuzz_{target}", target, max(1, round(left)), seed)
        executions += sum(map(int, _EXECUTED.findall(log)))
        reached += map(int, _REACHED.findall(log))
        kept = _KEPT.search(log)
        if code != 0 and not (kept and "libFuzzer: timeout" in log and _ends_alone(folder, target, kept.group(1))):
            return Run(
                target,
                executions,
                min(reached[1:], default=0),
                max(reached),
                Path(kept.group(1)) if kept else None,
                True,
            )
        seed += 1
    return Run(target, executions, min(reached[1:], default=0), max(reached), None, False)


def _fuzz_once(executable: Path, target: str, seconds: int, seed: int) -> tuple[int, str]:
    command = [executable, f"-seed={seed}", f"-max_total_time={seconds}", *_LIMITS, "-print_final_stats=1"]
    command += [f"-artifact_prefix={_FAULTS / target}-", _FOUND / target, CORPUS / target]
    with (_BUILD / f"{target}.log").open("w") as log:
        code = subprocess.run(list(map(str, command)), stdout=log, stderr=subprocess.STDOUT, check=False).returncode
    return code, (_BUILD / f"{target}.log").read_text(errors="replace")


def _ends_alone(folder: Path, target: str, kept: str) -> bool:
    """Return whether an input that took too long ends in time by itself: then it was the machine that stood still."""
    done = subprocess.run([folder / f"fuzz_{target}", *_LIMITS, kept], capture_output=True, check=False)
    if done.returncode == 0:
        Path(kept).unlink()
    return done.returncode == 0


def fuzz(targets: tuple[str, ...], seconds: int, seed: int) -> bool:
    """Run the targets side by side and print a table; returns whether none found a fault."""
    folder = build()
    begun = time.monotonic()
    with ThreadPoolExecutor(len(targets)) as threads:
        runs = list(threads.map(lambda target: run(folder, target, seconds, seed), targets))
    print(f"{'target':14} {'executions':>10} {'a second':>8} {'corpus':>6} {'found':>6} {'edges':>6} {'new':>5}  fault")
    passed = time.monotonic() - begun
    for one in runs:
        corpus, found = (len(list((place / one.target).iterdir())) for place in (CORPUS, _FOUND))
        print(
            f"{one.target:14} {one.executions:10} {one.executions / passed:8.0f} {corpus:6} {found:6} {one.reached:6} "
            f"{one.reached - one.reached_before:5}  {one.fault or ('see its log' if one.failed else 'none')}"
        )
        if one.failed:
            print((_BUILD / f"{one.target}.log").read_text(errors="replace")[-6000:], file=sys.stderr)
    return not any(one.failed for one in runs)


def merge(targets: tuple[str, ...]) -> None:
    """Add to the corpus what was found and reaches more of the code than the corpus does."""
    folder = build()
    for target in targets:
        run_tool(folder / f"fuzz_{target}", "-merge=1", *_LIMITS, CORPUS / target, _FOUND / target)
        print(f"{target}: {len(list((CORPUS / target).iterdir()))} inputs")


def main() -> int:
    """Do what the arguments say; returns 1 where a fault was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="how long, in all")
    parser.add_argument("--target", choices=TARGETS, help="only this one")
    parser.add_argument("--seed", type=int, default=1, help="of the mutations")
    parser.add_argument("--seeds", action="store_true", help="write the seeds of the corpus and stop")
    parser.add_argument("--merge", action="store_true", help="add to the corpus what earlier runs found, and stop")
    given = parser.parse_args()
    targets = (given.target,) if given.target else TARGETS
    try:
        if given.seeds:
            run_tool(build() / "hippocore_fuzz_seeds", CORPUS)
        elif given.merge:
            merge(targets)
        else:
            return 0 if fuzz(targets, given.seconds, given.seed) else 1
    except BuildError as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
