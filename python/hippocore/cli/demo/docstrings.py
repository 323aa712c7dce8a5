"""The docstrings of the standard library, read from its source files; no module is imported."""

from __future__ import annotations

import ast
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

LONGEST = 400  # characters of one text: a paragraph or two, about 100 tokens
SKIPPED = frozenset({"test", "tests", "idle_test", "site-packages", "dist-packages", "_bundled", "__pycache__"})

_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Docstring:
    """A docstring, or one part of a long one, under the name of what it documents."""

    module: str  # dotted
    name: str  # of the module, class or function; dotted, from the module on
    text: str
    source: str  # file, from the library's folder on, and line

    @property
    def scope(self) -> tuple[str, ...]:
        """A scope a module, and a module below its package: ("python", "json", "decoder")."""
        return ("python", *self.module.split("."))


def source_files(library: Path | None = None) -> list[Path]:
    """Return the library's source files, sorted, without its tests and what was installed beside it."""
    root = library or Path(sysconfig.get_path("stdlib"))
    return [path for path in sorted(root.rglob("*.py")) if SKIPPED.isdisjoint(path.relative_to(root).parts)]


def collect(
    library: Path | None = None, *, limit: int | None = None, read: Callable[[int], None] = lambda files: None
) -> list[Docstring]:
    """Return the library's docstrings, at most `limit` texts; calls `read(1)` after each file."""
    root = library or Path(sysconfig.get_path("stdlib"))

    def all_of_them() -> Iterator[Docstring]:
        for path in source_files(root):
            yield from _of_file(path, root)
            read(1)

    return list(islice(all_of_them(), limit))


def _of_file(path: Path, root: Path) -> Iterator[Docstring]:
    relative = path.relative_to(root)
    module = ".".join(relative.with_suffix("").parts).removesuffix(".__init__")
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return  # templates and examples that are no Python
    for name, node in _documented(tree, module):
        for part in paragraphs(ast.get_docstring(node) or ""):
            line = getattr(node, "lineno", 1)
            yield Docstring(module, name, f"{name}: {part}", f"{relative.as_posix()}:{line}")


def _documented(node: ast.AST, name: str) -> Iterator[tuple[str, _Documented]]:
    """Yield the node and the classes and functions in it, with their dotted names."""
    if isinstance(node, _Documented):
        yield name, node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _documented(child, f"{name}.{child.name}")
        elif isinstance(child, (ast.If, ast.Try)):
            yield from (found for found in _documented(child, name))


def paragraphs(text: str, longest: int = LONGEST) -> list[str]:
    """Return the text in parts of at most `longest` characters: whole paragraphs while they fit, else whole lines."""
    parts: list[str] = []
    for block in text.split("\n\n"):
        for piece in _pieces(block.strip("\n"), longest):
            if parts and len(parts[-1]) + 2 + len(piece) <= longest:
                parts[-1] += "\n\n" + piece
            else:
                parts.append(piece)
    return [part for part in parts if part.strip()]


def _pieces(block: str, longest: int) -> Iterator[str]:
    """Yield a paragraph whole, or in runs of lines; a line that is itself too long is cut."""
    piece = ""
    for line in block.splitlines():
        for start in range(0, max(1, len(line)), longest):
            cut = line[start : start + longest]
            if piece and len(piece) + 1 + len(cut) > longest:
                yield piece
                piece = ""
            piece = f"{piece}\n{cut}" if piece else cut
    if piece:
        yield piece
