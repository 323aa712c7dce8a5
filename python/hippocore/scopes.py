r"""Scopes: paths of labels that say whose memory it is.

A scope has one text form: its labels joined by `/`. Inside a label `/` is written `\/`, and a backslash is written `\\`
where it would otherwise be read as an escape: before `/`, before another backslash, and at the label's end. So the text
of a scope plus `/` starts exactly the texts of what lies below it, and every other backslash stays as it was given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from hippocore.arguments import refuse_surrogates

_TO_ESCAPE: Final = re.compile(r"/|\\(?=[/\\]|\Z)")
_PIECES: Final = re.compile(r"(?:\\[/\\]|[^/])+|/", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\([/\\])")


class _All:
    """The one value that means every scope there is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ALL"

    def __reduce__(self) -> str:
        return "ALL"


ALL: Final = _All()
"""Every scope, for the verbs that read or forget several; it must be said."""

Scope = str | tuple[str, ...]
Scopes = Scope | list[Scope] | _All


def scope_text(scope: Scope) -> str:
    """Return the text form of one scope, a string of labels joined by `/` or a tuple of labels.

    Raises ValueError for an empty label or a lone surrogate, TypeError for anything else.
    """
    if isinstance(scope, str):
        return _text_of_string(scope)
    if isinstance(scope, tuple):
        return "/".join(map(_escaped, scope)) if scope else _refuse_empty()
    if isinstance(scope, list):
        raise TypeError("scope must be one scope here, a string or a tuple of labels; a list is several, for reading")
    raise TypeError(f"scope must be a string or a tuple of labels, not {type(scope).__name__}")


def scope_texts(scopes: Scopes) -> list[str] | None:
    """Return the text forms of one scope, of a list of them, or None for ALL; an empty list stays empty."""
    if scopes is ALL:
        return None
    if isinstance(scopes, list):
        return list(dict.fromkeys(map(scope_text, scopes)))
    return [scope_text(scopes)]  # type: ignore[arg-type]  # _All has one instance


@lru_cache(maxsize=4096)
def _text_of_string(scope: str) -> str:
    return "/".join(map(_escaped, scope_labels(scope)))


def scope_labels(text: str) -> tuple[str, ...]:
    """Return the labels of a scope's text, as they were before they were written as one."""
    labels = [""]
    for piece in _pieces(text):
        if piece == "/":
            labels.append("")
        else:
            labels[-1] = _ESCAPED.sub(r"\1", piece)
    return tuple(labels)


def _pieces(text: str) -> Iterable[str]:
    return _PIECES.findall(text)


def _escaped(label: str) -> str:
    if not isinstance(label, str):
        raise TypeError(f"a scope's labels must be strings, not {type(label).__name__}")
    if not label:
        _refuse_empty()
    refuse_surrogates(label, "scope")
    return _TO_ESCAPE.sub(r"\\\g<0>", label)


def _refuse_empty() -> str:
    raise ValueError('a scope needs at least one label, and no label may be empty: "user:alice/agent:coder"')
