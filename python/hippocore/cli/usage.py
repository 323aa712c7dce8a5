"""Values that no run of the program can take: they are wrong usage, which names the option and exits with 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

WORDS = ("auto", "local", "minilm")


@contextmanager
def usage_of(option: str) -> Iterator[None]:
    """Turn what a wrong value raises into a usage error of that option."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def fraction(text: str) -> float:
    """Return a number from 0 to 1; raises a usage error, for NaN too."""
    try:
        number = float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no number") from None
    if not 0 <= number <= 1:
        raise typer.BadParameter(f"{text} does not lie between 0 and 1")
    return number


def checked_scope(scope: str) -> str:
    """Return a scope as it was said; raises a usage error where it is none."""
    from hippocore.scopes import scope_text

    with usage_of("--scope"):
        scope_text(scope)
    return scope


def checked_embedder(word: str, option: str = "--embedder") -> str:
    """Return the word for an embedder that needs nothing but its name; raises a usage error for another one."""
    if word not in WORDS:
        raise typer.BadParameter(f"{word!r} is none of {', '.join(WORDS)}", param_hint=option)
    return word
