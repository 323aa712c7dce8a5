"""`hippocore list`: memories without a question, newest first."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

import typer

from hippocore.cli.plain import print_json
from hippocore.cli.selection import KindsOption, ScopesOption, SubtreeOption, reading_scope
from hippocore.cli.settings import Settings, settings
from hippocore.cli.tables import print_memories, print_quarantined
from hippocore.cli.takes import takes


class Order(str, Enum):
    """Which end of time comes first."""

    NEWEST = "newest"
    OLDEST = "oldest"


@takes(settings=settings)
def list_memories(
    settings: Settings,
    scope: ScopesOption = None,
    subtree: SubtreeOption = False,
    kind: KindsOption = None,
    archived: Annotated[bool, typer.Option("--archived", help="Those that were archived instead.")] = False,
    quarantined: Annotated[bool, typer.Option("--quarantined", help="Those in quarantine instead, and why.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="At most so many.")] = 50,
    after: Annotated[str | None, typer.Option(metavar="ID", help="Go on after this memory: the next page.")] = None,
    order: Annotated[Order, typer.Option(help="Which end comes first.")] = Order.NEWEST,
) -> None:
    """List the memories of every scope, or of the scopes named.

    Examples:
      hippocore list
      hippocore list --scope user:ada --subtree --kind procedure
      hippocore list --quarantined
      hippocore list -n 100 --after 01a22c… --json

    """
    wanted: dict[str, Any] = {"subtree": subtree, "kinds": kind or None, "after": after, "order": order.value}
    chosen = reading_scope(scope, everywhere=not scope)
    with settings.open() as memory_layer:
        memories = memory_layer.list(scope=chosen, archived=archived, quarantined=quarantined, limit=limit, **wanted)
    if settings.as_json:
        print_json(memories)
    elif quarantined:
        print_quarantined(memories)
    else:
        print_memories(memories)
