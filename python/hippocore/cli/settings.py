"""What every command takes: the store, and whether people or machines read the answer."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hippocore.cli.usage import checked_embedder

if TYPE_CHECKING:
    from hippocore import MemoryLayer, Retention

VARIABLE = "HIPPOCORE_STORE"

StoreOption = Annotated[
    str | None, typer.Option("--store", metavar="PATH", help=f"Directory of the store (else ${VARIABLE}).")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, for machines.")]


@dataclass(frozen=True)
class Settings:
    """The choices that hold for one run of the program."""

    store: str | None = None
    as_json: bool = False

    @property
    def path(self) -> str:
        """The store that was named; raises a usage error where none was."""
        path = self.store or os.environ.get(VARIABLE)
        if not path:
            raise typer.BadParameter(f"say --store PATH or set ${VARIABLE}", param_hint="--store")
        return path

    def open(
        self,
        *,
        write: bool = False,
        create: bool = False,
        embedder: str | None = None,
        retention: Retention | None = None,
    ) -> MemoryLayer:
        """Open the store, read-only unless `write`; without an embedder for what needs no vectors.

        Raises a usage error where no store was named, and what `MemoryLayer` raises.
        """
        path = self.path
        if embedder is not None:
            checked_embedder(embedder)
        from hippocore import MemoryLayer

        return MemoryLayer(path, create=create, read_only=not write, embedder=embedder, retention=retention)


def settings(context: typer.Context, store: StoreOption = None, as_json: JsonOption = False) -> Settings:
    """Return the options said after the command, else before it."""
    before: Any = context.obj or Settings()
    return Settings(store=store or before.store, as_json=as_json or before.as_json)
