"""Sentences: a text cut where its sentences end, and which of many say most of what all of them say. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from hippocore.words import read_words

# A sentence ends at a closing mark before white space and a new beginning, at a full-width mark, and at a line's end.
_ENDS: Final = re.compile(
    r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[^\W_a-z])|(?<=[。！？｡।॥])\s*|\s*[\r\n\u2028\u2029]+\s*"
)
_ABBREVIATION: Final = re.compile(r"(?:^|[\s(\"'])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|No|vs|etc|e\.g|i\.e|cf|approx)\.$")

_SHARE_OF_BEST: Final = 1 / 2


def sentences(text: str) -> list[str]:
    """Return the sentences of a text in order, each stripped; together they hold all of its words."""
    pieces, start = [], 0
    for end in _ENDS.finditer(text):
        piece = text[start : end.end()].strip()
        if not _ABBREVIATION.search(piece):
            pieces.append(piece)
            start = end.end()
    pieces.append(text[start:].strip())
    return list(filter(None, pieces))


def clipped(text: str, room: int, count_tokens: Callable[[str], int]) -> str:
    """Return the beginning of a text that takes at most `room` tokens, ended between two words where it can be."""
    if count_tokens(text) <= room:
        return text
    fits, over = 1, len(text)
    while over - fits > 1:
        middle = (fits + over) // 2
        fits, over = (middle, over) if count_tokens(text[:middle]) <= room else (fits, middle)
    return text[:fits].rpartition(" ")[0].rstrip() or text[:fits]


def central_sentences(texts: Sequence[str], room: int, count_tokens: Callable[[str], int]) -> list[int]:
    """Return which texts to take, in their order, so that one space between them they take at most `room` tokens.

    The next taken is the one nearest to the centroid of all (cosine of counts weighted by ln(1 + n / n with the term),
    D. Radev et al., "Centroid-based summarization of multiple documents", 2004), less half its largest cosine to one
    that was taken, so that what is said twice is taken once. One too long for what is left is passed over, and so
    is one with less than half of the best one's cosine. Linear in the number of texts, times the number taken.
    """
    vectors = _weighted([Counter(read_words(text).terms) for text in texts])
    centroid: dict[str, float] = {}
    for vector in vectors:
        for term, weight in vector.items():
            centroid[term] = centroid.get(term, 0.0) + weight
    length = math.sqrt(sum(weight * weight for weight in centroid.values())) or 1.0
    worth = [_product(vector, centroid) / length for vector in vectors]
    costs = list(map(count_tokens, texts))
    least = _SHARE_OF_BEST * max(worth, default=0.0)
    likeness, left, taken = [0.0] * len(texts), {i for i in range(len(texts)) if worth[i] >= least > 0}, list[int]()
    while fitting := [i for i in left if costs[i] <= room]:
        best = min(fitting, key=lambda i: (likeness[i] / 2 - worth[i], i))
        taken.append(best)
        left = set(fitting) - {best}
        room -= costs[best]
        likeness = [max(likeness[i], _product(vectors[i], vectors[best])) for i in range(len(texts))]
    return sorted(taken)


def _weighted(counts: list[Counter[str]]) -> list[dict[str, float]]:
    """Return the terms of each text with their weights, at length 1."""
    holding = Counter(term for count in counts for term in count)
    found = []
    for count in counts:
        weights = {term: n * math.log1p(len(counts) / holding[term]) for term, n in count.items()}
        length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        found.append({term: weight / length for term, weight in weights.items()})
    return found


def _product(one: dict[str, float], other: dict[str, float]) -> float:
    return sum(weight * other.get(term, 0.0) for term, weight in one.items())
