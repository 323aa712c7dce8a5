"""`hippocore show`: one memory, whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hippocore.cli.plain import plain, print_json
from hippocore.cli.settings import Settings, settings
from hippocore.cli.tables import print_fields
from hippocore.cli.takes import takes

if TYPE_CHECKING:
    from hippocore import Link

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
        said = {**plain(memory), "links": ", ".join(map(_said, memory.links))}
        print_fields({name: value for name, value in said.items() if value not in (None, [], {}, "")}, last="content")


def _said(link: Link) -> str:
    return f"{link} ({link.type}, {link.weight:.3g})"
