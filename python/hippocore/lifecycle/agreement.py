"""Agreement: whether what a model wrote says only what the texts in front of it say. Pure, and rather too strict.

A model's wording is a stranger's text. Every number, every name (a word with a capital or a digit in it) and a negation
have to stand in the texts, and so has half of what else it says. What does not pass is done without: the words of a
memory itself are always there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from hippocore.lifecycle.centrality import sentences
from hippocore.words import read_words

_CHUNK: Final = re.compile(r"[^\s\"'“”‘’()\[\]{}<>,;:!?…]+(?:['’]\w+)?")
_NEGATIONS: Final = frozenset({"no", "not", "never", "none", "nobody", "nothing", "without", "cannot"})
_SHARE: Final = 0.5
# Words that begin a sentence with a capital and name nothing.
_OPENERS: Final = frozenset(
    {"a", "an", "the", "this", "that", "these", "those", "it", "its", "he", "she", "they", "we", "you", "i", "his"}
    | {"her", "their", "our", "your", "my", "there", "here", "in", "on", "at", "by", "for", "to", "from", "with", "of"}
    | {"as", "after", "before", "when", "while", "since", "until", "during", "and", "but", "or", "if", "all", "both"}
    | {"each", "every", "most", "some", "many", "several", "one", "what", "who", "how", "why", "where"}
)
_QUOTES: Final = "\"'“”‘’`*_ "


def one_sentence(answer: str, longest: int) -> str | None:
    """Return a model's answer as one sentence on one line, without quotation marks around it; None where it is none.

    `longest` is in characters.
    """
    text = " ".join(answer.split()).strip(_QUOTES)
    return text if 0 < len(text) <= longest and len(sentences(text)) == 1 else None


def is_grounded(text: str, sources: Sequence[str]) -> bool:
    """Return whether a text's names, numbers and negations, and half of its other words, stand in the sources."""
    known = {term for source in sources for term in read_words(source).terms}
    said = set(read_words(text).terms)
    if not said or any(not set(read_words(name).terms) <= known for name in names_and_numbers(text)):
        return False
    if denies(text) and not any(map(denies, sources)):
        return False
    return len(said & known) >= _SHARE * len(said)


def names_and_numbers(text: str) -> Iterable[str]:
    """Give what in a text may name something: words with a digit or a capital, but for those that open sentences."""
    for match in _CHUNK.finditer(text):
        word = match[0].strip(".")
        if any(map(str.isdigit, word)) or (any(map(str.isupper, word)) and word.lower() not in _OPENERS):
            yield word


def stance(text: str) -> tuple[frozenset[str], bool]:
    """Return what two texts about one thing must agree in to say the same of it: their numbers, and whether they deny.

    Alike vectors do not tell "port 5432" from "port 6432".
    """
    words = (match[0].strip(".") for match in _CHUNK.finditer(text))
    return frozenset(word for word in words if any(map(str.isdigit, word))), denies(text)


def denies(text: str) -> bool:
    """Return whether a text holds a negation, in English."""
    words = text.lower().replace("’", "'").split()
    return any(word.strip('.,;:!?"()') in _NEGATIONS or "n't" in word for word in words)
