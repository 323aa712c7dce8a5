"""`hippocore show`: one memory, whole."""

from __future__ import annotations

from typing import Annotated

import typer

from hippocore.cli.plain import plain, print_json
from hippocore.cli.settings import Settings, settings
from hippocore.cli.tables import print_fields
from hippocore.cli.takes import takes

IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The memory's id, as list shows it.")]


@takes(settings=settings)
def show(id: IdArgument, settings: Settings) -> None:
    """Show everything about one memory.

    Examples:
      hippocore show 01a22c…
      hippocore show 01a22c… --json

    """
    with settings.open() as memory_layer:
        memory = memory_layer.get(id)
    if settings.as_json:
        print_json(memory)
    else:
        known = {name: value for name, value in plain(memory).items() if value not in (None, [], {})}
        print_fields(known, last="content")
