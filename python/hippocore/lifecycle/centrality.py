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

_LABEL: Final = re.compile(r"[^\W\d_][\w.'’-]*(?: [\w.'’-]+){0,2}(?:: |：)")  # who says it, in one to three words
_SHARE_OF_BEST: Final = 1 / 2
_SAID_BEFORE: Final = 0.9  # cosine
_FEWEST_WORDS: Final = 4


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


def statements(text: str) -> list[str]:
    """Return the sentences of a text that state something: no question, and four words or more beside a speaker's."""
    return [sentence for sentence in sentences(text) if _states(sentence)]


def central_sentences(texts: Sequence[str], room: int, count_tokens: Callable[[str], int]) -> list[int]:
    """Return which texts to take, in their order, so that they take at most `room` tokens, each counted by itself.

    A term that n of N texts have weighs ln(1 + n) ln((N + 1) / n): it is to be in many of them and not in all. A text
    is worth the sum of its terms' squared weights over the root of (that sum + the mean sum), so that none gains by
    being short (A. Singhal et al., "Pivoted document length normalization", 1996). The next taken has the largest
    worth, less half of it times its largest cosine to one that was taken; from a cosine of 0.9 on it was said before,
    and is passed over. So is one too long for what is left, and one worth less than half of the best. Linear in the
    number of texts, times the number taken.
    """
    vectors = _weighted([set(read_words(text).terms) for text in texts])
    sums = [sum(weight * weight for weight in vector.values()) for vector in vectors]
    mean = sum(sums) / max(len(sums), 1)
    worth = [own / math.sqrt(own + mean) if own else 0.0 for own in sums]
    costs = list(map(count_tokens, texts))
    least = _SHARE_OF_BEST * max(worth, default=0.0)
    likeness, left, taken = [0.0] * len(texts), {i for i in range(len(texts)) if worth[i] >= least > 0}, list[int]()
    while fitting := [i for i in left if costs[i] <= room and likeness[i] < _SAID_BEFORE]:
        best = min(fitting, key=lambda i: (worth[i] * (likeness[i] / 2 - 1), i))
        taken.append(best)
        left = set(fitting) - {best}
        room -= costs[best]
        for i in left:
            likeness[i] = max(likeness[i], _cosine(vectors[i], vectors[best], sums[i] * sums[best]))
    return sorted(taken)


def speaker_of(text: str) -> str:
    """Return the name that a text is said under, with its colon and space, as in "Ada: I agree"; "" where none is."""
    label = _LABEL.match(text)
    return label[0] if label else ""


def _states(sentence: str) -> bool:
    said = sentence.removeprefix(speaker_of(sentence))
    asks = sentence.rstrip("\"'”’) ").endswith(("?", "？"))
    return not asks and len(read_words(said).words) >= _FEWEST_WORDS


def _weighted(counts: list[set[str]]) -> list[dict[str, float]]:
    """Return the terms of each text with their weights."""
    holding = Counter(term for terms in counts for term in terms)
    weights = {term: math.log1p(n) * math.log((len(counts) + 1) / n) for term, n in holding.items()}
    return [{term: weights[term] for term in terms} for terms in counts]


def _cosine(one: dict[str, float], other: dict[str, float], product_of_sums: float) -> float:
    together = sum(weight * weight for term, weight in one.items() if term in other)
    return together / math.sqrt(product_of_sums) if product_of_sums else 0.0
