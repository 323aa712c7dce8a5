"""Builds the C++ tests and finds them by name.

`python -m tests.native --sanitize address,undefined --build build/asan` builds them with sanitizers and runs them all.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Checks that slow every instruction find as much in one drawing as in many (tests/cpp/iterations.h).
DRAWN_ONCE = {"HIPPOCORE_ITERATIONS": "1"}
_TEST = re.compile(r"^TEST\((\w+)\)", re.MULTILINE)


class BuildError(Exception):
    """cmake or the compiler said no; the message is what they printed."""


def program(name: str) -> str:
    """Return the path of cmake or ninja: the one installed beside this Python, else the system's."""
    beside = [str(Path(sys.executable).parent), sysconfig.get_path("scripts"), os.environ.get("PATH", "")]
    found = shutil.which(name, path=os.pathsep.join(beside))
    if found is None:
        raise BuildError(f'{name} is missing: pip install ".[test]" brings it')
    return found


def run_tool(*command: str | Path) -> None:
    """Run a tool; raises BuildError with its output."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(map(str, command))}\n{done.stdout}")


def build(folder: Path, *options: str, source: Path = ROOT) -> Path:
    """Build the C++ tests in a folder that is kept from run to run, and return the executable."""
    folder.mkdir(parents=True, exist_ok=True)
    with _alone_in(folder):
        configure = [program("cmake"), "-G", "Ninja", "-S", source, "-B", folder, "-DHIPPOCORE_PYTHON=OFF"]
        configure += ["-DHIPPOCORE_TESTS=ON", f"-DCMAKE_MAKE_PROGRAM={program('ninja')}", *options]
        try:
            run_tool(*configure)
        except BuildError:  # the folder may remember another place, or tools that are gone
            run_tool(*configure, "--fresh")
        run_tool(program("ninja"), "-C", folder)
    return folder / "tests" / "cpp" / "hippocore_tests"


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    with (folder / "in-use").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def names_of_tests(source: Path = ROOT) -> list[tuple[str, str]]:
    """Return (file, test) of every C++ test, as the sources say, so that listing them needs no build."""
    files = sorted((source / "tests" / "cpp").glob("*_test.cpp"))
    return [(file.stem, name) for file in files for name in _TEST.findall(file.read_text(encoding="utf-8"))]


def beginnings(*prefixes: str) -> list[str]:
    """Return the first two words of the names of the C++ tests that begin with one of the prefixes."""
    names = [name.split("_") for _, name in names_of_tests() if name.startswith(prefixes)]
    return sorted({"_".join(words[:2]) + "_" * (len(words) > 2) for words in names})


def run_side_by_side(executable: Path, names: list[str], environment: dict[str, str] | None = None) -> bool:
    """Run the tests whose names begin so, a process for each on as many cores as there are; returns whether all pass.

    One line is printed for each that passes, and everything that it said for one that does not.
    """

    def passes(beginning: str) -> bool:
        done = subprocess.run(
            [executable, beginning],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            env={**(environment or {}), **os.environ},
        )
        said = done.stdout.splitlines()[-1] if done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout}"
        print(f"{beginning}: {said}", flush=True)
        return done.returncode == 0

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return all(list(threads.map(passes, names)))


def main() -> int:
    """Build the tests as the arguments say and run them; returns their exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.native", description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "native-tests", help="the folder to build in")
    parser.add_argument("--sanitize", default="", help="what goes to -fsanitize=")
    parser.add_argument("prefix", nargs="?", default="", help="run only the tests whose name begins so")
    arguments = parser.parse_args()
    try:
        # Sanitized code is built for its checks, not for speed.
        flags = ["-DCMAKE_CXX_FLAGS_RELEASE=-O1"] if arguments.sanitize else []
        executable = build(arguments.build, f"-DHIPPOCORE_SANITIZE={arguments.sanitize}", *flags)
    except BuildError as failure:
        print(failure, file=sys.stderr)
        return 1
    environment = DRAWN_ONCE if arguments.sanitize else {}
    return 0 if run_side_by_side(executable, beginnings(arguments.prefix), environment) else 1


if __name__ == "__main__":
    sys.exit(main())
