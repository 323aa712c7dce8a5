"""`hippocore recall`: the memories that a question calls up, ranked."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hippocore.cli.plain import plain_scored, print_json
from hippocore.cli.selection import filters
from hippocore.cli.settings import Settings, settings
from hippocore.cli.tables import print_scored
from hippocore.cli.takes import takes

ExpandLinksOption = Annotated[
    int,
    typer.Option(min=0, max=3, metavar="STEPS", help="Steps along links, from what is found to what belongs with it."),
]
DrillDownOption = Annotated[
    bool, typer.Option("--drill-down", help="Also the archived details below a summary that answer.")
]
IdsOption = Annotated[bool, typer.Option("--ids", help="Show the ids too.")]


@takes(filters=filters, settings=settings)
def recall(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for, in your own words.")],
    filters: dict[str, Any],
    settings: Settings,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="At most so many memories.")] = 20,
    expand_links: ExpandLinksOption = 0,
    drill_down: DrillDownOption = False,
    ids: IdsOption = False,
) -> None:
    """Rank memories for a question; writes nothing.

    The score is the weighted sum of relevance, recency, importance and usage.

    Examples:
      hippocore recall "when do we deploy?"
      hippocore recall "database address" --scope user:ada --subtree --kind fact -n 5
      hippocore recall "release date" --as-of 2025-03-01T12:00Z
      hippocore recall "tests" --weights relevance=1 --json

    """
    with settings.open(embedder="auto") as memory_layer:
        filters |= {"expand_links": expand_links, "drill_down": drill_down}
        found = memory_layer.recall(query, limit=limit, **filters)
    if settings.as_json:
        print_json(plain_scored(found))
    else:
        print_scored(found, ids=ids)
