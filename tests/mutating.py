"""Breaks one thing at a time in a copy of the tree, and looks whether the test that should see it does."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pybind11

from tests.native import ROOT, build, program, run_tool

_PARTS = ("cpp", "python/hippocore", "tests", "CMakeLists.txt", "pyproject.toml", "README.md")
_LONGEST = 120.0  # seconds for one process; one that hangs was turned red too


class Mutation(NamedTuple):
    """One thing that is broken: in `file`, `old` (there exactly once) becomes `new`, and `test` must fail.

    A test is a pytest node, or the beginning of the names of C++ tests.
    """

    name: str
    file: str
    old: str
    new: str
    test: str


class MutationError(Exception):
    """A mutation proves nothing: its old text is gone, its test is red without it, or it does not build."""


def broken(mutation: Mutation, text: str) -> str:
    """Return the text of its file with the mutation in it."""
    if (found := text.count(mutation.old)) != 1:
        raise MutationError(f"{mutation.name}: its old text is in {mutation.file} {found} times, not once")
    return text.replace(mutation.old, mutation.new)


@dataclass(frozen=True)
class Verdict:
    """How a test ended."""

    red: bool
    how: str
    output: str


class Workshop:
    """A copy of the tree and one build of it, in a folder that is kept from run to run.

    The C++ is built with few optimisations: what is tested is what the code says.
    """

    def __init__(self, folder: Path) -> None:
        self._tree, self._build = folder / "tree", folder / "build"
        self._copy()
        options = (
            "-DHIPPOCORE_PYTHON=ON",
            f"-DPython_EXECUTABLE={sys.executable}",
            f"-Dpybind11_DIR={pybind11.get_cmake_dir()}",
            "-DCMAKE_CXX_FLAGS_RELEASE=-O1",
            "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF",
        )
        self._tests = build(self._build, *options, source=self._tree)

    def run(self, *tests: str) -> Verdict:
        """Run pytest nodes, or the C++ tests of one beginning, on the tree as it is, after building what changed."""
        if "::" not in tests[0]:
            self._make("hippocore_tests")
            return _verdict([self._tests, *tests], self._tree, {})
        self._make("_core")
        for module in self._build.glob("_core*.so"):
            shutil.copy2(module, self._tree / "python" / "hippocore")
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        # No plugins: pytest would compile all of Hypothesis anew each time, and its tests run without.
        lean = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(self._tree / "python")}
        return _verdict(command, self._tree, lean)

    def try_out(self, mutation: Mutation) -> Verdict:
        """Break what the mutation says, run its test, and mend it again."""
        file = self._tree / mutation.file
        with _as_before(file), self._objects_as_before(mutation.file):
            file.write_text(broken(mutation, file.read_text(encoding="utf-8")), encoding="utf-8")
            return self.run(mutation.test)

    @contextlib.contextmanager
    def _objects_as_before(self, source: str) -> Iterator[None]:
        """Bring back what a source was compiled to, so that it is not compiled again; what is linked of it goes."""
        objects = self._build.rglob(f"*.dir/{source}.o")
        with contextlib.ExitStack() as kept:
            for file in objects:
                kept.enter_context(_as_before(file))
            yield
        if source.endswith(".cpp"):
            for linked in (self._tests, *self._build.glob("*.a"), *self._build.glob("_core*.so")):
                linked.unlink(missing_ok=True)

    def _make(self, target: str) -> None:
        run_tool(program("ninja"), "-C", self._build, target)

    def _copy(self) -> None:
        """Bring the tree up to date, touching only the files that differ, so that little is built again."""
        wanted = {path for part in _PARTS for path in _files(ROOT / part)}
        for path in _files(self._tree):
            if path not in {self._tree / source.relative_to(ROOT) for source in wanted}:
                path.unlink()
        for source in wanted:
            target = self._tree / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_bytes() != source.read_bytes():
                shutil.copyfile(source, target)


@contextlib.contextmanager
def _as_before(file: Path) -> Iterator[None]:
    """Bring back a file's bytes and the time of its last change."""
    content, times = file.read_bytes(), file.stat()
    try:
        yield
    finally:
        file.write_bytes(content)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def _files(part: Path) -> list[Path]:
    if part.is_file():
        return [part]
    return [path for path in part.rglob("*") if path.is_file() and path.suffix not in {".pyc", ".so"}]


def _verdict(command: list[str | Path], folder: Path, environment: dict[str, str]) -> Verdict:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=_LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Verdict(True, "hangs", "")
    code = done.returncode
    if "pytest" in command and code not in {0, 1}:  # 1: tests ran and failed; what else is no verdict
        raise MutationError(f"pytest ended with {code}, which is no failed test\n{done.stdout}")
    return Verdict(code != 0, f"killed by signal {-code}" if code < 0 else f"exit code {code}", done.stdout)
