"""How an exception ends the program: one line on stderr, and the exit code."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from hippocore.cli.terminal import one_line


class Commands(TyperGroup):
    """The group of commands. What a user can cause ends in one line; a defect of hippocore keeps its traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; turn its exception into an exit code."""
        _never_fail_to_print()
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader (`| head`) has what it wanted: that is no error.
            _discard_stdout()
            raise typer.Exit(0) from None
        except _expected() as error:
            fail(message_of(error))
        else:
            return result


def fail(message: str) -> None:
    """Say what was wrong in one line on stderr and exit with 1."""
    print(f"hippocore: {one_line(message)}", file=sys.stderr)
    raise typer.Exit(1)


def message_of(error: BaseException) -> str:
    """Return what the exception says, without Python's own decoration; its class's name where it says nothing."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror if error.filename is None else f"{error.strerror}: {os.fsdecode(error.filename)}"
    return str(error) or type(error).__name__


def _expected() -> tuple[type[BaseException], ...]:
    from hippocore.errors import HippocoreError

    return (HippocoreError, OSError, ValueError, TypeError, ImportError)


def _never_fail_to_print() -> None:
    """Make a letter that the terminal's encoding lacks a question mark instead of an exception."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _discard_stdout() -> None:
    """Send what is still buffered nowhere, so that the interpreter's last flush does not fail."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
