"""`hippocore maintain`: let go of what has expired, faded or is too much, and say what went and why."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hippocore.cli.plain import print_json
from hippocore.cli.progress import working
from hippocore.cli.rows import Side, print_rows
from hippocore.cli.selection import ScopesOption, SubtreeOption, reading_scope
from hippocore.cli.settings import Settings, settings
from hippocore.cli.takes import takes
from hippocore.cli.terminal import age
from hippocore.cli.usage import usage_of
from hippocore.cli.watching import gone_by_way, let_go_of, watch

if TYPE_CHECKING:
    from hippocore import Maintenance, MemoryLayer, Retention

CONSOLIDATED_FROM = 0.80
USUAL = {"idle": "30s", "every": "10m"}
COLUMNS: list[tuple[str, Side]] = [
    ("id", "left"),
    ("age", "right"),
    ("kind", "left"),
    ("what", "left"),
    ("why", "left"),
]


def retention(
    ttl: Annotated[
        list[str] | None,
        typer.Option("--ttl", metavar="KIND=TIME", help="How long a kind lives, as in episode=14d; repeatable."),
    ] = None,
    max_memories: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="How many the store may hold; the weakest go first.")
    ] = None,
    history: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="How long old versions, and what was superseded or archived, are kept: 90d."),
    ] = None,
    archive: Annotated[bool, typer.Option("--archive", help="Archive instead of forgetting.")] = False,
    consolidate: Annotated[
        bool, typer.Option("--consolidate", help="Make one fact of three episodes or more that say the same.")
    ] = False,
) -> dict[str, Any]:
    """Return the arguments of `Retention` that were said; a kind that is not named keeps its default."""
    said: dict[str, Any] = {"max_memories": max_memories, "action": "archive" if archive else "forget"}
    said["consolidate"] = CONSOLIDATED_FROM if consolidate else None
    with usage_of("--ttl"):
        return {**said, "history": history, "ttl": dict(map(_kind_and_time, ttl or ()))}


def _kind_and_time(text: str) -> tuple[str, str]:
    kind, equals, time = text.partition("=")
    if not equals:
        raise ValueError(f"{text!r} is not KIND=TIME")
    return kind, time


def _seconds(text: str, option: str) -> float:
    from hippocore.times import seconds

    with usage_of(option):
        return seconds(text, option)


def _checked(said: dict[str, Any]) -> Retention:
    from hippocore import Retention

    with usage_of("--history"):
        Retention(history=said["history"])
    with usage_of("--ttl"):
        return Retention(**{**said, "ttl": {**Retention().ttl, **said["ttl"]}})


def _tell_of_strange_kinds(memory_layer: MemoryLayer, said: dict[str, Any]) -> None:
    """Say on stderr of which kinds nothing lives: they may be misspelt, and then nothing goes by them."""
    from hippocore import Ranking

    for kind in sorted(set(said["ttl"]) - set(Ranking().half_life)):
        if not any(memory_layer.count(kinds=[kind], archived=archived) for archived in (False, True)):
            print(f"hippocore: --ttl: no living memory is of the kind {kind!r}", file=sys.stderr)


def rhythm(
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on until Ctrl-C: again and again while the store is idle.")
    ] = False,
    idle: Annotated[
        str | None, typer.Option("--idle", metavar="TIME", help="How long nobody must have written; 30s.")
    ] = None,
    every: Annotated[
        str | None, typer.Option("--every", metavar="TIME", help="How long to rest after a round; 10m.")
    ] = None,
) -> dict[str, float] | None:
    """Return the arguments of `background`; None where it is to be done once."""
    said = {"idle": idle, "every": every}
    if not watch:
        for name, value in said.items():
            if value is not None:
                raise typer.BadParameter("needs --watch", param_hint=f"--{name}")
        return None
    return {name: _seconds(value or USUAL[name], f"--{name}") for name, value in said.items()}


@takes(settings=settings, retention=retention, rhythm=rhythm)
def maintain(
    settings: Settings,
    retention: dict[str, Any],
    rhythm: dict[str, float] | None,
    scope: ScopesOption = None,
    subtree: SubtreeOption = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")] = False,
) -> None:
    """Forget what has expired or faded; show what went and why.

    What it said is never shown. Goes through every scope unless --scope says which. Episodes live 30 days, or until
    their strength falls below 0.05; what is important (0.9 or more) stays.

    With --watch it goes on in the foreground until Ctrl-C or SIGTERM, which end it at once: each time the store is idle
    and something was written, it does the same, folds the log, and prints a line where something went. Of all processes
    one works on a store; another one waits and takes over.

    Examples:
      hippocore maintain --dry-run
      hippocore maintain --ttl episode=14d --ttl fact=52w --max-memories 50000
      hippocore maintain --history 90d && hippocore compact
      hippocore maintain --scope user:ada --subtree --json
      hippocore maintain --consolidate --dry-run
      hippocore maintain --watch --idle 30s --every 10m --consolidate --json

    """
    places = reading_scope(scope, everywhere=not scope)
    if rhythm is not None:
        if dry_run:
            raise typer.BadParameter("shows what would go now: not with --watch", param_hint="--dry-run")
        with settings.open(write=True, retention=_checked(retention)) as memory_layer:
            _tell_of_strange_kinds(memory_layer, retention)
            watch(memory_layer, as_json=settings.as_json, scope=places, subtree=subtree, **rhythm)
        return
    with settings.open(write=not dry_run, retention=_checked(retention)) as memory_layer:
        _tell_of_strange_kinds(memory_layer, retention)
        with working("Maintaining"):
            done = memory_layer.maintain(scope=places, subtree=subtree, dry_run=dry_run)
    if settings.as_json:
        print_json(done)
    else:
        _print(done)


def _print(done: Maintenance) -> None:
    gone = gone_by_way(done)
    rows = [(one.id, age(one.age), one.kind, way, one.reason) for way, those in gone.items() for one in those]
    if rows:
        print_rows(COLUMNS, rows)
    print(f"{'would ' if done.dry_run else ''}{let_go_of(done)}")
