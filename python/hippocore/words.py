"""Words of a text, and the terms that each is found by.

Words end where Unicode's word segmentation (UAX #29) ends them, with two exceptions. Letters of scripts that set no
spaces between words (Han, kana, Thai, Lao, Khmer, Burmese …), and of Hangul, whose words carry their particles, stand
in dense runs, which are cut into all pairs of neighbours: whatever stands inside a sentence is then found without a
dictionary. And characters that are not shown (soft hyphens, joiners, directions) are left out.

A term is a word under NFKC, case folded, without its possessive 's, and stemmed if it is of ASCII letters only: the one
stemmer is English, and leaves alone what other alphabets write. An identifier is found whole and by its parts:
"fetchTool" also as "fetch" and "tool", "a/b.ts" also as "a", "b.ts", "b" and "ts".
"""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from hippocore.word_patterns import Patterns, patterns_for

if TYPE_CHECKING:
    from collections.abc import Callable

# Longer words are no language's, and the stemmer is not asked about them.
_LONGEST_STEMMED: Final = 64
_AROUND_WORDS: Final = ".,;:!?\"'()[]{}*…“”"
_APOSTROPHES: Final = ("'", "’")


class Words(NamedTuple):
    """A text's words in order, and its terms with all repeats; each word is a term too. Its repr shows none of them."""

    words: list[str]
    terms: list[str]

    def __repr__(self) -> str:
        return f"Words({len(self.words)} words, {len(self.terms)} terms)"


def read_words(text: str) -> Words:
    """Return the words and terms of any text, in time linear in its length; raises for none."""
    # As the patterns would say, and sooner: most words are of these sorts.
    if (word := text.strip(_AROUND_WORDS)).isascii() and (word.isdecimal() or (word.isalpha() and _is_whole(word))):
        term = [_term(word)]
        return Words(term, term)
    patterns, found = patterns_for(text), Words([], [])
    if not text.isascii():
        text = unicodedata.normalize("NFKC", patterns.unseen.sub("", text))
    for match in patterns.chain.finditer(text):
        if match.lastgroup == "dense":
            _add_run(patterns.cluster.findall(match[0]), found)
        else:
            _add_chain(match[0], patterns, found)
    return found


def _add_run(clusters: list[str], found: Words) -> None:
    """Add a dense run: pairs of neighbours as its words, and what may be a whole word alone as terms."""
    if len(clusters) == 1:
        found.words.extend(clusters)
        found.terms.extend(clusters)
        return
    pairs = [first + second for first, second in pairwise(clusters)]
    found.words.extend(pairs)
    found.terms.extend(pairs)
    found.terms.extend(filter(_may_stand_alone, clusters))
    if _is_hangul(clusters[0]):  # particles follow a word, so one of a single syllable comes first
        found.terms.append(clusters[0])


def _may_stand_alone(cluster: str) -> bool:
    """Tell whether a letter of a dense run is likely to be a word: an ideograph, or a letter with a vowel's mark."""
    return len(cluster) > 1 or "\u3400" <= cluster <= "\u9fff" or cluster >= "\U00017000"


def _is_hangul(cluster: str) -> bool:
    return "\uac00" <= cluster <= "\ud7a3"


def _add_chain(chain: str, patterns: Patterns, found: Words) -> None:
    words = patterns.word.findall(chain)
    if words[0] != chain:
        found.terms.append(_folded(_without_possessive(chain)))
    for word in words:
        _add_word(_without_possessive(word), patterns, found)


def _add_word(word: str, patterns: Patterns, found: Words) -> None:
    whole = word.isalpha() and _is_whole(word)
    parts = [word] if whole else [part for part in patterns.border.split(word) if part]
    if not parts:
        return  # nothing but underscores
    term = _term(word)
    found.words.append(term)
    found.terms.append(term)
    if len(parts) > 1:
        found.terms.extend(map(_term, parts))


def _is_whole(letters: str) -> bool:
    """Tell whether no case changes within the letters, so that they are no identifier of several parts."""
    return letters.islower() or letters.istitle() or letters.isupper()


def _without_possessive(word: str) -> str:
    return word[:-2] if word[-1] in "sS" and word[-2:-1] in _APOSTROPHES else word


def _term(word: str) -> str:
    folded = _folded(word)
    return _stem()(folded) if len(folded) <= _LONGEST_STEMMED and folded.isascii() and folded.isalpha() else folded


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    # Folding can leave marks out of order; ’ is what many keyboards write for an apostrophe.
    return unicodedata.normalize("NFKC", word.casefold()).replace("’", "'")


@cache
def _stem() -> Callable[[str], str]:
    import Stemmer

    # Its own memory of words is not asked for: chunks of text are remembered in `lexical_terms`.
    stem: Callable[[str], str] = Stemmer.Stemmer("english", 0).stemWord
    return stem
