"""`hippocore verify`: read every byte and name what is damaged."""

from __future__ import annotations

from hippocore.cli.failures import fail
from hippocore.cli.plain import plain, print_json
from hippocore.cli.progress import working
from hippocore.cli.settings import Settings, settings
from hippocore.cli.tables import print_fields
from hippocore.cli.takes import takes


@takes(settings=settings)
def verify(settings: Settings) -> None:
    """Read every byte of the store and name what is damaged.

    Exits with 1 where something is.

    Examples:
      hippocore verify
      hippocore verify --json

    """
    with settings.open() as memory_layer, working("Verifying"):
        verification = memory_layer.verify()
    if settings.as_json:
        print_json(verification)
    else:
        print_fields(plain(verification))
    if verification.damaged:
        fail(f"{len(verification.damaged)} damaged in {memory_layer.path}")
