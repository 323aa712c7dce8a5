"""Measures the branches of cpp/format and cpp/storage that the C++ tests take, by gcov.

`python -m tests.coverage` builds the C++ tests with gcc in build/coverage, runs those of the floors and of what stands
on them, and prints a table and what is left. Exit code 1 where a test fails, or where a branch is left that
tests/coverage_left.py does not explain.

A branch counts when the source has a condition for it. gcov also sees the ones that the compiler adds to destroy
temporaries when an exception passes: on lines without a condition, and behind those of the condition on lines with one.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from tests.coverage_left import LEFT
from tests.native import DRAWN_ONCE, ROOT, BuildError, beginnings, build, run_side_by_side

FLOORS = ("format", "storage")
_USERS = ("storage_", "format_", "memory_", "fuzz_")  # what uses them, by the beginning of the tests' names
_LONG = "storage_crash_"  # plays the other tests' calls again and again, and would take most of the time
_BUILD = ROOT / "build" / "coverage"
# Threads count too; what is not of the floors is not counted, and so not slowed down.
_FLAGS = f"--coverage -O0 -fprofile-update=atomic '-fprofile-filter-files=.*/cpp/({'|'.join(FLOORS)})/.*'"
_OPTIONS = (
    "-DCMAKE_BUILD_TYPE=None",
    f"-DCMAKE_CXX_FLAGS={_FLAGS}",
    "-DCMAKE_EXE_LINKER_FLAGS=-Wl,-u,__gcov_dump",  # for child processes, see tests/cpp/child_process.h
    "-DCMAKE_CXX_COMPILER=g++",
)
_CODE = re.compile(r"//.*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_CONDITION = re.compile(r"\b(?:if(?: constexpr)?|for|while) \(|&&(?! ?\w+ ?[,)>])|\|\||\?")


class Branch(NamedTuple):
    """One outcome of a condition: the `index`-th branch of a line."""

    file: str
    line: int
    index: int


def conditions(line: str) -> int:
    """Return how many conditions a line of C++ decides, comments and texts aside."""
    code = _CODE.sub("", line)
    return len(_CONDITION.findall(code)) + code.count("switch (") * 8


def measure(folder: Path) -> dict[Branch, int]:
    """Return how often each branch of the floors was taken, over all objects that hold it."""
    taken: dict[Branch, int] = defaultdict(int)
    sources = {path: path.read_text(encoding="utf-8").splitlines() for path in _sources()}
    for notes in sorted(folder.rglob("*.gcno")):
        counts = notes.with_suffix(".gcda")
        if not counts.exists():
            continue
        command = ["gcov", "--json-format", "--branch-probabilities", "--stdout", str(counts)]
        done = subprocess.run(command, capture_output=True, check=True, cwd=folder)
        for text in filter(None, done.stdout.decode().splitlines()):
            for file in json.loads(text)["files"]:
                path = Path(os.path.normpath(folder / file["file"]))
                if path in sources:
                    _add(taken, path, sources[path], file["lines"])
    return taken


def _sources() -> list[Path]:
    return [path for floor in FLOORS for path in sorted((ROOT / "cpp" / floor).glob("*.[ch]*"))]


def _add(taken: dict[Branch, int], path: Path, source: list[str], lines: list[dict]) -> None:
    for line in lines:
        number = line["line_number"]
        real = [branch for branch in line["branches"] if not branch["throw"]][: 2 * conditions(source[number - 1])]
        for index, branch in enumerate(real):
            taken[Branch(str(path.relative_to(ROOT)), number, index)] += branch["count"]


def report(taken: dict[Branch, int]) -> bool:
    """Print the table and what is left; returns whether all of that is explained."""
    files: dict[str, list[Branch]] = defaultdict(list)
    for branch in taken:
        files[branch.file].append(branch)
    print(f"{'file':32} {'branches':>8} {'taken':>6} {'%':>6}")
    for floor in FLOORS:
        inside = sorted(file for file in files if file.startswith(f"cpp/{floor}/"))
        for file in inside:
            _print_share(file, files[file], taken)
        _print_share(f"{floor}/ in all", [branch for file in inside for branch in files[file]], taken)
    return _explain(sorted({(branch.file, branch.line) for branch, count in taken.items() if count == 0}))


def _print_share(name: str, branches: list[Branch], taken: dict[Branch, int]) -> None:
    seen = sum(taken[branch] > 0 for branch in branches)
    print(f"{name:32} {len(branches):8} {seen:6} {100 * seen / len(branches):6.1f}")


def _explain(left: list[tuple[str, int]]) -> bool:
    explained = True
    for file, number in left:
        text = (ROOT / file).read_text(encoding="utf-8").splitlines()[number - 1].strip()
        why = LEFT.get((file, text))
        explained &= why is not None
        print(f"left: {file}:{number}: {text}\n      {why or 'NOT EXPLAINED: test it, delete it, or say why it stays'}")
    for file, text in sorted(LEFT):
        if text not in map(str.strip, (ROOT / file).read_text(encoding="utf-8").splitlines()):
            explained = False
            print(f"{file}: {text}\n      is gone: delete its line from tests/coverage_left.py")
    return explained


def main() -> int:
    """Build, run and measure."""
    parser = argparse.ArgumentParser(prog="python -m tests.coverage", description=__doc__)
    parser.add_argument("--build", type=Path, default=_BUILD, help="the folder to build in")
    folder: Path = parser.parse_args().build.resolve()
    try:
        executable = build(folder, *_OPTIONS)
    except BuildError as failure:
        print(failure, file=sys.stderr)
        return 1
    for counts in folder.rglob("*.gcda"):
        counts.unlink()
    names = [name for name in beginnings(*_USERS) if name != _LONG]  # gcc adds up what several processes count
    passed = run_side_by_side(executable, names, DRAWN_ONCE)
    return 0 if passed and report(measure(folder)) else 1


if __name__ == "__main__":
    sys.exit(main())
