"""Stored text and times, made safe and short enough for a terminal."""

from __future__ import annotations

import unicodedata

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# Marks that reorder what a terminal shows; joiners and other format characters stay, since emoji need them.
BIDIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean(text: str) -> str:
    """Return the text without what could command a terminal: control and bidi characters go, lone surrogates show.

    Newlines and tabs stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(filter(None, map(_shown, text)))


def _shown(character: str) -> str:
    if character in "\n\t":
        return character
    category = unicodedata.category(character)
    if category == "Cs":
        return REPLACEMENT
    return "" if category == "Cc" or character in BIDIRECTIONAL else character


def one_line(text: str) -> str:
    """Return the text cleaned, with every run of white space as one space."""
    return clean(" ".join(text.split()))


def shorten(text: str, length: int) -> str:
    """Return the text on one line, at most `length` characters, with an ellipsis where it was cut."""
    # Only the part that can be shown is looked at: a memory may be a megabyte long.
    line = one_line(text[: 4 * length + 100])
    cut = len(text) > 4 * length + 100
    if len(line) <= length and not cut:
        return line
    return line[: length - 1].rstrip() + "…"


def age(seconds: float) -> str:
    """Return a length of time in its largest whole unit: "12 s", "5 min", "3 h", "4 d", "2 y"."""
    for unit, length in (("y", 365.25 * 86400), ("d", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return f"{max(0, int(seconds))} s"


def duration(seconds: float) -> str:
    """Return a measured time with the unit that reads best: "84 µs", "1.2 ms", "3.4 s"."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"
