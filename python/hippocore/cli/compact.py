"""`hippocore compact`: rewrite the store without what was forgotten."""

from __future__ import annotations

from hippocore.cli.plain import plain, print_json
from hippocore.cli.progress import working
from hippocore.cli.settings import Settings, settings
from hippocore.cli.tables import print_fields
from hippocore.cli.takes import takes


@takes(settings=settings)
def compact(settings: Settings) -> None:
    """Rewrite the store without what was forgotten.

    Examples:
      hippocore compact
      hippocore compact --json

    """
    with settings.open(write=True) as memory_layer:
        with working("Compacting"):
            memory_layer.compact()
        numbers = memory_layer.stats()
    if settings.as_json:
        print_json(numbers)
    else:
        print_fields(plain(numbers))
