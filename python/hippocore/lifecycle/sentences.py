"""The sentences of a message as people and models write them: English prose, lists, some Markdown."""

from __future__ import annotations

import re
from typing import Final

from hippocore.lifecycle.dialogue import LONGEST
from hippocore.visible import visible_line

_SHORTEST: Final = 8
_FENCE: Final = ("```", "~~~")
_ITEM: Final = re.compile(r"(?:[-*+•]|\d{1,2}[.)])\s+")
_TITLE: Final = re.compile(r"#{1,6}\s")
_BETWEEN: Final = re.compile(r"(?<=[.!?])\s+|(?<=[.!?][\"')\]*])\s+")
_ABBREVIATIONS: Final = ("e.g.", "i.e.", "dr.", "mr.", "mrs.", "ms.", "prof.", "st.", "vs.", "approx.", "fig.")


def sentences_of(text: str) -> list[str]:
    """Return the sentences on one visible line each, in order, in time linear in the text's length.

    Code between fences, quotations ("> ") and headings are left out, and so is what is too short or too long to be one
    sentence.
    """
    found = [sentence for paragraph in _paragraphs(text) for sentence in _split(paragraph)]
    return [sentence for sentence in found if _SHORTEST <= len(sentence) <= LONGEST]


def _paragraphs(text: str) -> list[str]:
    """Return what stands together: lines that a sentence runs across, and each item of a list alone."""
    paragraphs: list[list[str]] = [[]]
    fence = ""
    for line in map(str.strip, text.splitlines()):
        if fence or line.startswith(_FENCE):
            fence = line[:3] if not fence else "" if line.startswith(fence) else fence
            paragraphs.append([])
        elif not line or line[0] == ">" or _TITLE.match(line):
            paragraphs.append([])
        elif item := _ITEM.match(line):
            paragraphs.append([line[item.end() :]])
        elif line[0].islower():
            paragraphs[-1].append(line)
        else:
            paragraphs.append([line])
    return [" ".join(lines) for lines in paragraphs if lines]


def _split(paragraph: str) -> list[str]:
    found: list[str] = []
    begun = ""
    for piece in _BETWEEN.split(paragraph):
        begun = f"{begun} {piece}" if begun else piece
        if len(begun) > LONGEST or begun.rsplit(None, 1)[-1:] == [] or not _goes_on(begun):
            found.append(begun)
            begun = ""
    return [visible_line(sentence).strip(" *_") for sentence in [*found, begun] if sentence]


def _goes_on(sentence: str) -> bool:
    """Whether the last full stop is an abbreviation's."""
    return sentence.rsplit(None, 1)[-1].lower().lstrip("(") in _ABBREVIATIONS
