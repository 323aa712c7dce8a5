"""`hippocore remember`: write memories, one from the command line or many from standard input."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Annotated, Any

import typer

from hippocore.cli.failures import fail
from hippocore.cli.plain import print_json
from hippocore.cli.progress import working
from hippocore.cli.selection import links, pairs
from hippocore.cli.settings import Settings, settings
from hippocore.cli.takes import takes
from hippocore.cli.times import future, past
from hippocore.cli.usage import checked_scope, fraction


class Trust(str, Enum):
    """How far the source of a memory is trusted."""

    TRUSTED = "trusted"
    UNVERIFIED = "unverified"
    UNTRUSTED = "untrusted"


def fields(
    scope: Annotated[
        str | None,
        typer.Option("--scope", "-s", metavar="SCOPE", help="Whose memory it is, as in user:ada/agent:coder."),
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", "-k", help="episode, fact, preference, procedure, or your own.")
    ] = None,
    importance: Annotated[float | None, typer.Option("--importance", "-i", parser=fraction, metavar="0..1")] = None,
    source: Annotated[str | None, typer.Option(help="Where it comes from.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", "-t", metavar="TAG", help="Repeatable.")] = None,
    trust: Annotated[Trust | None, typer.Option(help="How far the source is trusted.")] = None,
    event_time: Annotated[
        datetime | None,
        typer.Option(parser=past, metavar="WHEN", help="When it happened: an ISO date with its zone, or 3d."),
    ] = None,
    expires: Annotated[
        datetime | None,
        typer.Option(parser=future, metavar="WHEN", help="When it stops being true: a date, or 30d from now."),
    ] = None,
    metadata: Annotated[
        list[str] | None, typer.Option("--metadata", "-m", metavar="KEY=VALUE", help="A value may be JSON; repeatable.")
    ] = None,
    link: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID", help='A memory it belongs with, or {"id": …, "type": …, "weight": 0..1}; repeatable.'
        ),
    ] = None,
) -> dict[str, Any]:
    """Return the arguments of `MemoryLayer.remember` that were said."""
    said: dict[str, Any] = {
        "scope": scope if scope is None else checked_scope(scope),
        "kind": kind,
        "importance": importance,
        "source": source,
        "tags": tag or None,
        "trust": trust.value if trust else None,
        "event_time": event_time,
        "expires_at": expires,
        "metadata": pairs(metadata) or None,
        "links": links(link) or None,
    }
    return {name: value for name, value in said.items() if value is not None}


@takes(fields=fields, settings=settings)
def remember(
    fields: Mapping[str, Any],
    settings: Settings,
    content: Annotated[str, typer.Argument(metavar="CONTENT", help="The text; - reads it from standard input.")],
    lines: Annotated[bool, typer.Option("--lines", help="With -: every line that is not blank is a memory.")] = False,
    supersedes: Annotated[str | None, typer.Option(metavar="ID", help="The memory that this one corrects.")] = None,
    id: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="An id of your own; makes a retry harmless.")
    ] = None,
    merge: Annotated[bool, typer.Option("--merge/--no-merge", help="Merge with a duplicate.")] = True,
    embedder: Annotated[
        str, typer.Option(help="For a new store: local or minilm; else the one it remembers.")
    ] = "auto",
) -> None:
    """Write a memory; the store is made if it does not exist.

    Examples:
      hippocore remember "Ada deploys on Tuesdays" --kind fact --scope user:ada
      hippocore remember "Never push to main" --kind procedure --importance 0.95
      hippocore remember "We deploy on Mondays now" --supersedes 01a22c…
      hippocore remember - --lines --kind fact < notes.txt

    """
    items = [{**fields, "content": text} for text in _texts(content, lines)]
    if supersedes is not None or id is not None:
        if len(items) != 1:
            raise typer.BadParameter("--id and --supersedes go with one memory", param_hint="--lines")
        items[0].update(
            {key: value for key, value in {"supersedes": supersedes, "id": id}.items() if value is not None}
        )
    with settings.open(write=True, create=True, embedder=embedder) as memory_layer, working("Remembering"):
        if lines:
            outcomes = memory_layer.remember_many(items, merge=merge)
        else:
            outcomes = [memory_layer.remember(**items[0], merge=merge)]
    if settings.as_json:
        print_json(outcomes if lines else outcomes[0])
    _report(outcomes, quiet=settings.as_json)


def _texts(content: str, lines: bool) -> list[str]:
    if content != "-":
        if lines:
            raise typer.BadParameter("--lines reads standard input: say - as CONTENT", param_hint="--lines")
        return [content]
    text = sys.stdin.read()
    return [line for line in text.splitlines() if line.strip()] if lines else [text.rstrip("\n")]


def _report(outcomes: list[Any], *, quiet: bool) -> None:
    """Print what became of each; a memory that was not stored is an error."""
    skipped = [outcome for outcome in outcomes if outcome.action == "skipped"]
    if not quiet:
        for outcome in outcomes:
            if outcome.id is not None:
                print(f"{outcome.action} {outcome.id}" + (f" ({outcome.reason})" if outcome.reason else ""))
    if skipped:
        fail(f"{len(skipped)} of {len(outcomes)} not stored: {skipped[0].reason or 'skipped'}")
