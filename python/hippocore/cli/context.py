"""`hippocore context`: the block for a prompt, packed into a token budget."""

from __future__ import annotations

import sys
from enum import Enum
from typing import Annotated, Any

import typer

from hippocore.cli.plain import packed_fields, print_json
from hippocore.cli.recall import DrillDownOption, ExpandLinksOption, IdsOption
from hippocore.cli.selection import filters
from hippocore.cli.settings import Settings, settings
from hippocore.cli.tables import print_scored
from hippocore.cli.takes import takes
from hippocore.cli.terminal import clean


class Strategy(str, Enum):
    """How the budget is filled."""

    SCORE = "score"
    DENSITY = "density"
    BEST = "best"


@takes(filters=filters, settings=settings)
def context(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What the next model call is about.")],
    filters: dict[str, Any],
    settings: Settings,
    budget: Annotated[
        int, typer.Option("--budget", "-b", min=0, help="Tokens the block may take, headings included.")
    ] = 800,
    max_per_memory: Annotated[int, typer.Option(min=0, help="Tokens one memory may take.")] = 400,
    pool: Annotated[int, typer.Option(min=0, help="Memories that are ranked before packing.")] = 200,
    strategy: Annotated[Strategy, typer.Option(help="How the budget is filled.")] = Strategy.SCORE,
    expand_links: ExpandLinksOption = 0,
    drill_down: DrillDownOption = False,
    touch: Annotated[bool, typer.Option("--touch/--no-touch", help="Count this as a use of what went in.")] = True,
    text: Annotated[bool, typer.Option("--text", help="Print the block alone, to pipe it on.")] = False,
    ids: IdsOption = False,
) -> None:
    """Pack the best memories for a question into a token budget.

    What went in counts as used, unless --no-touch is said.

    Examples:
      hippocore context "when do we deploy?" --budget 300
      hippocore context "fix the login test" --scope user:ada --subtree --text > block.txt
      hippocore context "release date" --no-touch --json

    """
    with settings.open(write=touch, embedder="auto") as memory_layer:
        packed = memory_layer.context(
            query,
            budget=budget,
            max_per_memory=max_per_memory,
            pool=pool,
            strategy=strategy.value,
            touch=touch,
            expand_links=expand_links,
            drill_down=drill_down,
            **filters,
        )
    if settings.as_json:
        print_json(packed_fields(packed, budget))
        return
    if packed.text:
        print(clean(packed.text) if sys.stdout.isatty() or not text else packed.text)
    if text:
        return
    print(f"\n{packed.tokens} of {budget} tokens, {len(packed.memories)} memories, {len(packed.skipped)} skipped\n")
    if packed.memories:
        print_scored(packed.memories, ids=ids)
