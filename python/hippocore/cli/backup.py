"""`hippocore backup`: a consistent copy of the store, while others go on."""

from __future__ import annotations

from typing import Annotated

import typer

from hippocore.cli.plain import print_json
from hippocore.cli.progress import working
from hippocore.cli.settings import Settings, settings
from hippocore.cli.takes import takes
from hippocore.cli.terminal import clean


@takes(settings=settings)
def backup(
    settings: Settings,
    path: Annotated[str, typer.Argument(metavar="PATH", help="The directory to make, which is a store then.")],
) -> None:
    """Write a consistent copy of the store, while others go on.

    Examples:
      hippocore backup copy.mem
      hippocore backup copy.mem --json

    """
    with settings.open() as memory_layer, working("Backing up"):
        memory_layer.backup(path)
        count = memory_layer.count()
    if settings.as_json:
        print_json({"path": path, "memories": count})
    else:
        print(clean(f"backed up {count} memories to {path}"))
