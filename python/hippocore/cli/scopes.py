"""`hippocore scopes`: whose memories there are."""

from __future__ import annotations

from hippocore.cli.plain import plain, print_json
from hippocore.cli.rows import print_rows
from hippocore.cli.settings import Settings, settings
from hippocore.cli.takes import takes


@takes(settings=settings)
def scopes(settings: Settings) -> None:
    """List the scopes and how many memories each holds.

    Examples:
      hippocore scopes
      hippocore scopes --json

    """
    with settings.open() as memory_layer:
        found = memory_layer.scopes()
    if settings.as_json:
        print_json(found)
        return
    rows = [plain(scope) for scope in found]
    if rows:
        print_rows([(name, "left") for name in rows[0]], (row.values() for row in rows))
    else:
        print("no scopes")
