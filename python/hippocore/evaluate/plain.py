"""The plain methods that recall has to beat: BM25 over English words, and rank fusion. Nothing of hippocore's own.

They are what an independent scorer computes, so that its figures and these can be held against each other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

K1: Final = 1.2
B: Final = 0.75
RRF_K: Final = 60
_STOP_WORDS = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this "
    "to was will with"
)
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
"""Lucene's English stop words."""

_WORD: Final = re.compile(r"\w+")


class Bm25:
    """BM25 as Lucene has it: idf = ln(1 + (N - n + 0.5) / (n + 0.5)), times f / (f + k1 (1 - b + b length / mean)).

    Words are runs of letters and digits, small, without English stop words, stemmed by Snowball's English stemmer. "The
    Probabilistic Relevance Framework: BM25 and Beyond", Foundations and Trends in Information Retrieval 3(4), 2009.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(words(text)) for text in texts]
        lengths = np.array([of.total() for of in counts], np.float64)
        mean = max(float(lengths.mean()), 1.0) if len(lengths) else 1.0
        self._norm = K1 * (1 - B + B * lengths / mean)
        self._holding: dict[str, list[tuple[int, int]]] = {}
        for place, of in enumerate(counts):
            for word, count in of.items():
                self._holding.setdefault(word, []).append((place, count))

    def scores(self, query: str) -> Doubles:
        """Return the score of every text, as (n,); a word that a query says twice counts twice."""
        scores = np.zeros(len(self._norm))
        for word, times in Counter(words(query)).items():
            places, counts = np.array(self._holding.get(word, ()), np.int64).reshape(-1, 2).T
            if len(places):
                idf = np.log1p((len(scores) - len(places) + 0.5) / (len(places) + 0.5))
                scores[places] += times * idf * counts / (counts + self._norm[places])
        return scores


def words(text: str) -> list[str]:
    """Return the words of a text in order, as BM25 here takes them."""
    stem = _stemmer().stemWord
    return [stem(word) for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


def ranked(scores: Doubles) -> Numbers:
    """Return the places with a score above 0, best first, the earlier of equals first."""
    order = np.argsort(-scores, kind="stable")
    return order[scores[order] > 0]


def fused(*rankings: Numbers, count: int) -> Numbers:
    """Return the places of `count` by their sum of 1 / (60 + rank) over rankings that hold them, best first.

    "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods", SIGIR 2009.
    """
    scores = np.zeros(count)
    for ranking in rankings:
        scores[ranking] += 1 / (RRF_K + 1 + np.arange(len(ranking)))
    return ranked(scores)


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
