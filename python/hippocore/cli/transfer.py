"""`hippocore export` and `hippocore import`: a store as JSON Lines, and back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippocore.cli.plain import print_json
from hippocore.cli.progress import working
from hippocore.cli.settings import Settings, settings
from hippocore.cli.takes import takes

if TYPE_CHECKING:
    from hippocore import MemoryLayer

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines.")]


@takes(settings=settings)
def export(
    settings: Settings,
    file: FileArgument,
    embeddings: Annotated[bool, typer.Option("--embeddings/--no-embeddings", help="With the vectors.")] = True,
) -> None:
    """Write every memory and version as JSON Lines.

    Examples:
      hippocore export memories.jsonl
      hippocore export memories.jsonl --no-embeddings

    """
    if str(file) == "-":
        raise typer.BadParameter("an export goes to a file, which appears whole or not at all", param_hint="FILE")
    with settings.open() as memory_layer, working("Exporting"):
        memory_layer.export(file, embeddings=embeddings)
        count = memory_layer.count()
    if settings.as_json:
        print_json({"file": file, "memories": count})
    else:
        print(f"exported {count} memories")


@takes(settings=settings)
def import_(
    settings: Settings,
    file: FileArgument,
    embedder: Annotated[
        str, typer.Option(help="For a new store: local or minilm; else the one it remembers.")
    ] = "auto",
) -> None:
    """Read a file that export wrote.

    The store is made if it does not exist, and not left behind where nothing could be imported.

    Examples:
      hippocore --store copy.mem import memories.jsonl
      hippocore --store copy.mem import memories.jsonl --embedder minilm

    """
    with _imported_into(settings, embedder) as memory_layer, working("Importing"):
        before = memory_layer.count()
        memory_layer.import_(file)
        count = memory_layer.count()
    if settings.as_json:
        print_json({"file": file, "memories": count, "imported": count - before})
    else:
        print(f"imported {count - before} memories")


@contextmanager
def _imported_into(settings: Settings, embedder: str) -> Iterator[MemoryLayer]:
    """Open the store for writing; one that was made for this and holds nothing when it fails is taken away again."""
    was_there = os.path.lexists(os.path.expanduser(settings.path))  # noqa: PTH111  (as the store finds it)
    with settings.open(write=True, create=True, embedder=embedder) as memory_layer:
        try:
            yield memory_layer
        except BaseException:
            if not was_there and not memory_layer.stats().versions:
                memory_layer.close()
                shutil.rmtree(memory_layer.path)
            raise
