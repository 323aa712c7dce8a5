"""`hippocore forget`: by id, or all that match."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Annotated, Any

import typer

from hippocore.cli.plain import print_json
from hippocore.cli.selection import (
    EverywhereOption,
    KindsOption,
    ScopesOption,
    SubtreeOption,
    TagsOption,
    reading_scope,
)
from hippocore.cli.settings import Settings, settings
from hippocore.cli.takes import takes
from hippocore.cli.times import past


def matching(
    scope: ScopesOption = None,
    subtree: SubtreeOption = False,
    everywhere: EverywhereOption = False,
    before: Annotated[
        datetime | None,
        typer.Option(parser=past, metavar="WHEN", help="Only older ones: an ISO date with its zone, or 90d."),
    ] = None,
    kind: KindsOption = None,
    source: Annotated[str | None, typer.Option(help="Only from this source.")] = None,
    tag: TagsOption = None,
) -> dict[str, Any]:
    """Return the arguments of `MemoryLayer.forget_where` that were said; empty where none was."""
    said: dict[str, Any] = {
        "scope": reading_scope(scope, everywhere),
        "subtree": subtree or None,
        "before": before,
        "kinds": kind or None,
        "source": source,
        "tags": tag or None,
    }
    return {name: value for name, value in said.items() if value is not None}


@takes(where=matching, settings=settings)
def forget(
    where: dict[str, Any],
    settings: Settings,
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID…", help="The memories, by id.")] = None,
    purge: Annotated[bool, typer.Option("--purge", help="Leave no byte of them in the store's files.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Forget memories by id, or all that match.

    What is forgotten is no longer recalled; --purge leaves no byte of it in the store's files.

    Examples:
      hippocore forget 01a22c… --yes
      hippocore forget --scope user:ada --subtree --purge
      hippocore forget --all --kind episode --before 90d --yes

    """
    if bool(ids) == bool(where):
        raise typer.BadParameter("name ids, or conditions with --scope or --all: one of the two", param_hint="ID")
    if where and "scope" not in where:
        raise typer.BadParameter("say --scope SCOPE, or --all for every scope", param_hint="--scope")
    with settings.open(write=True) as memory_layer:
        if not yes:
            _confirm(
                "every memory that matches" if not ids else f"{len(ids)} memories" if ids[1:] else "this memory", purge
            )
        count = memory_layer.forget(ids, purge=purge) if ids else memory_layer.forget_where(purge=purge, **where)
    if settings.as_json:
        print_json({"forgotten": count, "purged": purge})
    else:
        print(f"{'purged' if purge else 'forgot'} {count}")


def _confirm(what: str, purge: bool) -> None:
    """Ask on a terminal; where nobody can answer, --yes must be said."""
    if not sys.stdin.isatty():
        raise typer.BadParameter("there is no terminal to ask on: say --yes", param_hint="--yes")
    typer.confirm(f"{'Purge' if purge else 'Forget'} {what}?", abort=True, err=True)
