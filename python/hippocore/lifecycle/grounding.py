"""Grounding: whether a sentence that a model wrote says nothing that was not said.

Every word of it has to occur in what was said, by its stem ("prefers", "prefer"), numbers and names included. Free are
only words that frame a sentence ("the user said that …"): articles, prepositions, pronouns, forms of "be", "have" and
"do". A negation is not free: the shortest sentence or clause that has most of the statement's words has to be negated
as often as the statement is, so that none is dropped or put in. What this cannot see is words that change places ("Ada
manages Bob", "Bob manages Ada").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from hippocore.words import read_words

# Whatever their stem: English sentences are framed by these, and they carry no fact.
_FREE: Final = frozenset(
    re.findall(
        r"\S+",
        """
        a an the this that these those and or but so as of in on at to for from by with about into over than then
        i me my mine we us our ours you your yours he him his she her hers it its they them their who which whose
        what when where while because if is are was were be been being am have has had do does did will would can
        should may there here user user's assistant tool say says said tell tells told state states stated want wants
        like person people one also very
        """,
    )
)
_NEGATION: Final = re.compile(r"\b(?:not|no|never|none|nobody|nothing|without|cannot|\w+n['’]t)\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W_](?:[\w.'’+#/@-]*[\w+#])?")


_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_CLAUSE: Final = re.compile(r"[,;:()–—]\s*|\s(?=(?:but|and|because|although)\s)", re.IGNORECASE)


class _Passage(NamedTuple):
    """A sentence or clause of what was said: its words, and how often it is negated."""

    words: frozenset[str]
    negations: int


class Said:
    """What was said, as its words and passages; made once for all statements that are held against it."""

    def __init__(self, texts: Iterable[str]) -> None:
        sentences = [sentence for text in texts for sentence in _SENTENCE.split(text)]
        clauses = [clause for sentence in sentences for clause in _CLAUSE.split(sentence)]
        self._passages = {_Passage(_content_words(one), _negations(one)) for one in (*sentences, *clauses)}
        self._words = frozenset(word for passage in self._passages for word in passage.words)

    def holds(self, statement: str) -> bool:
        """Whether a statement takes all its words from what was said, and is negated as often as that is."""
        words = _content_words(statement)
        if not words or not words <= self._words:
            return False
        ranks = [(len(words & passage.words), -len(passage.words)) for passage in self._passages]
        taken_from = max(ranks)
        pairs = zip(self._passages, ranks, strict=True)
        return _negations(statement) in {passage.negations for passage, rank in pairs if rank == taken_from}


def _negations(text: str) -> int:
    return len(_NEGATION.findall(text))


def _content_words(text: str) -> frozenset[str]:
    found: set[str] = set()
    for word in _WORD.findall(text):
        if word.lower() not in _FREE and not _NEGATION.fullmatch(word):
            found.update(read_words(word).terms)
    return frozenset(found)
