"""Signs of life on stderr while long work runs, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int], None]


@contextmanager
def bar(what: str, total: int) -> Iterator[Advance]:
    """Show a progress bar; what it yields moves the bar on by a number of steps."""
    if not sys.stderr.isatty():
        yield _nothing
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda steps: progress.advance(task, steps)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show that work without a known length goes on."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def _nothing(steps: int) -> None:
    """Move no bar."""
