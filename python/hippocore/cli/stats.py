"""`hippocore stats`: the store in numbers."""

from __future__ import annotations

from hippocore.cli.plain import plain, print_json
from hippocore.cli.settings import Settings, settings
from hippocore.cli.tables import print_fields
from hippocore.cli.takes import takes


@takes(settings=settings)
def stats(settings: Settings) -> None:
    """Show the store in numbers: memories, versions, sizes, embedder.

    Examples:
      hippocore stats
      hippocore stats --json

    """
    with settings.open() as memory_layer:
        numbers = memory_layer.stats()
    if settings.as_json:
        print_json(numbers)
    else:
        print_fields(plain(numbers))
