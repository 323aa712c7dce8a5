"""The clauses of a sentence that can stand alone: "I am Ada and live in Paris" states two things. Pure, of English.

Only what plainly begins anew is parted: behind a comma, a semicolon, "and" or "but", where the next words are a subject
and each side has a verb. Of what "I" does next ("and live in Paris") the "I" is said again; nothing else is added.
Sentences that begin with a condition or a reason hold as a whole.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

_WHOLE: Final = re.compile(
    r"(?:if|when|whenever|while|before|after|until|unless|because|since|as|although|though|once|every|each"
    r"|where|even)\b",
    re.IGNORECASE,
)
_PLACES: Final = r"(?:at|in|for|as|to|on|near|with|a|an|the|my|our|two|three|four|five|\d+|(?-i:[A-Z])\w*)\b"
_AGAIN: Final = re.compile(
    rf"(?:,| and|, and) (?=(?:live|work|study|teach|speak|own|have|prefer|am|come from|lead|manage|run) {_PLACES})",
    re.IGNORECASE,
)
_ANEW: Final = re.compile(
    r"[,;] (?=I\b)|(?:[,;] (?:and|but|so)| and| but) (?=(?:I|my \w+)\b(?! (?:of|and|or)\b))", re.IGNORECASE
)
_VERB: Final = re.compile(
    r"'(?:s|m|re|ve|d|ll)\b|n't\b|\b(?:am|is|are|was|were|be|has|have|had|do|does|did|will|would|can|could|must|should"
    r"|may|want|wants|prefer|prefers|live|lives|work|works|like|likes|love|loves|hate|hates|use|uses|need|needs"
    r"|run|runs"
    r"|study|studies|own|owns|cost|costs|moved|changed|switched|speak|speaks|teach|teaches|manage|manages|lead"
    r"|leads)\b",
    re.IGNORECASE,
)
_FEWEST_WORDS: Final = 3


def clauses_of(sentence: str) -> list[str]:
    """Return the clauses of a sentence, each with a full stop of its own; the sentence alone where it is one."""
    if _WHOLE.match(sentence) or sentence.endswith("?"):
        return [sentence]
    parts = [part for anew in _parted(sentence) for part in _said_again(anew)]
    return [_as_sentence(part) for part in parts] if len(parts) > 1 else [sentence]


def _parted(sentence: str) -> list[str]:
    """Return what is between subjects; what has no verb belongs to what is before it, or is what is behind it about."""
    parts: list[str] = []
    begun = 0
    verbs = [match.start() for match in _VERB.finditer(sentence)]
    for match in _ANEW.finditer(sentence):
        end, again = match.span()
        parted = _is_verb_in(verbs, begun, end) and _is_verb_in(verbs, again, len(sentence))
        if parted and _has_words(sentence[begun:end]) and _has_words(sentence[again:]):
            parts.append(sentence[begun:end])
            begun = again
    return [*parts, sentence[begun:]]


def _is_verb_in(verbs: list[int], begin: int, end: int) -> bool:
    place = bisect_left(verbs, begin)
    return place < len(verbs) and verbs[place] < end


def _said_again(clause: str) -> list[str]:
    """Return what "I" does, one by one."""
    match = _AGAIN.search(clause)
    if not re.match(r"I\b", clause) or match is None or not _is_clause(clause[: match.start()]):
        return [clause]
    return [clause[: match.start()], f"I {clause[match.end() :]}"]


def _is_clause(text: str) -> bool:
    return _has_words(text) and _VERB.search(text) is not None


def _has_words(text: str) -> bool:
    return len(text.split(None, _FEWEST_WORDS)) >= _FEWEST_WORDS


def _as_sentence(clause: str) -> str:
    text = clause.strip(" ,;")
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!")) else ".")
