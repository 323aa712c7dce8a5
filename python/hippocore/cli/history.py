"""`hippocore history`: every version of one memory."""

from __future__ import annotations

from hippocore.cli.plain import print_json
from hippocore.cli.rows import Side, print_rows
from hippocore.cli.settings import Settings, settings
from hippocore.cli.show import IdArgument
from hippocore.cli.tables import CONTENT_LENGTH
from hippocore.cli.takes import takes
from hippocore.cli.terminal import shorten


@takes(settings=settings)
def history(id: IdArgument, settings: Settings) -> None:
    """Show every version of one memory.

    What it superseded comes first.

    Examples:
      hippocore history 01a22c…
      hippocore history 01a22c… --json

    """
    with settings.open() as memory_layer:
        versions = memory_layer.history(id)
    if settings.as_json:
        print_json(versions)
        return
    columns: list[tuple[str, Side]] = [
        ("id", "left"),
        ("version", "right"),
        ("from", "left"),
        ("until", "left"),
        ("content", "left"),
    ]
    print_rows(
        columns,
        (
            (v.id, v.version, _moment(v.valid_from), _moment(v.valid_until), shorten(v.content, CONTENT_LENGTH))
            for v in versions
        ),
    )


def _moment(moment: object) -> str:
    """Return a moment in UTC to the second; a version without an end still holds."""
    from datetime import datetime

    return f"{moment:%Y-%m-%d %H:%M:%SZ}" if isinstance(moment, datetime) else "now"
