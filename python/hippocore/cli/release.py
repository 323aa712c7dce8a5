"""`hippocore release`: out of quarantine, by id."""

from __future__ import annotations

from typing import Annotated

import typer

from hippocore.cli.plain import print_json
from hippocore.cli.settings import Settings, settings
from hippocore.cli.takes import takes


@takes(settings=settings)
def release(
    settings: Settings,
    ids: Annotated[list[str], typer.Argument(metavar="ID…", help="The memories, by id.")],
) -> None:
    """Let memories out of quarantine after you have read them.

    `hippocore list --quarantined` shows what waits and why. What is released takes part from then on, with the trust
    that it has; what should never take part is dropped with `hippocore forget ID`.

    Examples:
      hippocore release 01a22c…
      hippocore release 01a22c… 01a22d… --json

    """
    with settings.open(write=True) as memory_layer:
        waiting = [one for one in dict.fromkeys(ids) if one in memory_layer and memory_layer.get(one).quarantined]
        memory_layer.release(ids)
    if settings.as_json:
        print_json({"released": waiting})
    else:
        print(f"released {len(waiting)}")
