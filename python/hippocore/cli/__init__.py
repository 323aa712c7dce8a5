"""The command line `hippocore`. Importing this package imports neither typer, rich, numpy nor the core."""

from __future__ import annotations

import sys
from importlib.util import find_spec

HOW_TO_INSTALL = 'hippocore: the command line needs typer and rich: pip install "hippocore[cli]"'


def main() -> None:
    """Run the command line on `sys.argv` and exit: 0 done, 1 an error (one line on stderr), 2 wrong usage."""
    if find_spec("typer") is None or find_spec("rich") is None:
        print(HOW_TO_INSTALL, file=sys.stderr)
        raise SystemExit(1)
    from hippocore.cli.app import app

    app()
