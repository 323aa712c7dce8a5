"""`hippocore maintain`: let go of what has expired, faded or is too much, and say what went and why."""

from __future__ import annotations

from dataclasses import fields
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

if TYPE_CHECKING:
    from hippocore import Maintenance, Retention

CONSOLIDATED_FROM = 0.80
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
    archive: Annotated[bool, typer.Option("--archive", help="Archive instead of forgetting.")] = False,
    consolidate: Annotated[
        bool, typer.Option("--consolidate", help="Make one fact of three episodes or more that say the same.")
    ] = False,
) -> dict[str, Any]:
    """Return the arguments of `Retention` that were said; a kind that is not named keeps its default."""
    said: dict[str, Any] = {"max_memories": max_memories, "action": "archive" if archive else "forget"}
    said["consolidate"] = CONSOLIDATED_FROM if consolidate else None
    with usage_of("--ttl"):
        return {**said, "ttl": dict(map(_kind_and_time, ttl or ()))}


def _kind_and_time(text: str) -> tuple[str, str]:
    kind, equals, time = text.partition("=")
    if not equals:
        raise ValueError(f"{text!r} is not KIND=TIME")
    return kind, time


def _checked(said: dict[str, Any]) -> Retention:
    from hippocore import Retention

    with usage_of("--ttl"):
        return Retention(**{**said, "ttl": {**Retention().ttl, **said["ttl"]}})


@takes(settings=settings, retention=retention)
def maintain(
    settings: Settings,
    retention: dict[str, Any],
    scope: ScopesOption = None,
    subtree: SubtreeOption = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")] = False,
) -> None:
    """Forget what has expired or faded, and show what went and why; never what it said.

    Goes through every scope unless --scope says which. Episodes live 30 days and go earlier when their strength falls
    below 0.05; what is important (0.9 or more) stays.

    Examples:
      hippocore maintain --dry-run
      hippocore maintain --ttl episode=14d --ttl fact=52w --max-memories 50000
      hippocore maintain --scope user:ada --subtree --json
      hippocore maintain --consolidate --dry-run

    """
    with settings.open(write=not dry_run, retention=_checked(retention)) as memory_layer, working("Maintaining"):
        places = reading_scope(scope, everywhere=not scope)
        done = memory_layer.maintain(scope=places, subtree=subtree, dry_run=dry_run)
    if settings.as_json:
        print_json(done)
    else:
        _print(done)


def _print(done: Maintenance) -> None:
    values = {field.name: getattr(done, field.name) for field in fields(done)}
    gone = {way: those for way, those in values.items() if isinstance(those, tuple)}
    rows = [(one.id, age(one.age), one.kind, way, one.reason) for way, those in gone.items() for one in those]
    if rows:
        print_rows(COLUMNS, rows)
    counts = ", ".join(f"{len(those)} {way}" for way, those in gone.items() if those)
    would = "would let go of" if done.dry_run else "let go of"
    print(f"{would} {len(rows)} of {done.looked_at} memories{f': {counts}' if counts else ''}")
