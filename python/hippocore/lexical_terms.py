"""The terms of contents and queries as the lexical leg of recall takes them: numbers, made once at write and at query.

A term's hash is its UTF-8 bytes under BLAKE2b with a digest of 7 bytes, read as little-endian. Hashes are stored, so
neither they nor what a term is (`hippocore.words`) may change between releases, or old memories are no longer found by
their words; `tests/python/policies/test_lexical_terms.py` holds them to fixed values.

A label is the name that a content is said under: "Ada: I agree", "Ada：…", "[Ada] …", one to three words in at most 40
characters. A question that names it asks for what is said under it. Its hash begins with a constant of its own and
takes in the hash of each word: hash * factor + word, modulo 2**56. Its words are terms of the content too.
"""

from __future__ import annotations

import re
from functools import reduce
from hashlib import blake2b
from typing import TYPE_CHECKING, Final
from unicodedata import category

from hippocore.words import read_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BITS: Final = 56
_HASHES: Final = (1 << _BITS) - 1
_ONCE: Final = 1 << _BITS
_ENTRY: Final = 8  # bytes

_LABELS: Final = 0x5F3759DF9E3779  # what the hash of every label begins with
_FACTOR: Final = 0x9E3779B97F4A7D  # odd, so that no bit of a word is lost
_MOST_WORDS: Final = 3
_LABEL: Final = re.compile(r" *(?:\[([^\[\]:：\n]{1,40})\]\s|([^\[\]:：\n]{1,40})(?::\s|：))")
_BEGINNING: Final = 64  # characters of a content among which its label is looked for
_BETWEEN_WORDS: Final = frozenset(" .'’-_@#&")  # what may stand in a label beside letters, digits and marks

_SHORT: Final = 32  # characters of a chunk that is remembered
_MOST_REMEMBERED: Final = 8192

# A chunk is what stands between two spaces. The hashes of its words in order, and of its terms with all repeats; the
# latter as entries too.
_Hashes = tuple[tuple[int, ...], tuple[int, ...], bytes]
# Languages repeat their words: of an ordinary sentence every chunk is looked up. A dict costs half of lru_cache.
_remembered: Final[dict[str, _Hashes]] = {}


def document_terms(content: str) -> bytes:
    """Return a content's terms as the store takes them, in any order: a little-endian u64 for each as it stands there.

    The lower 56 bits are the hash, the upper 8 are 1, of the label 0. The store adds up what repeats, to 255 at most. A
    content without a word has b"".
    """
    remembered = _remembered.get
    terms = b"".join([(remembered(chunk) or _read(chunk))[2] for chunk in content.split()])
    label = _label(content[:_BEGINNING])
    return terms if label is None else terms + _entry(label)


def query_terms(query: str) -> tuple[list[int], list[int]]:
    """Return the hashes of a query's distinct terms, and those of every label that it may name.

    Any one, two or three words that follow each other may be a label.
    """
    terms: list[int] = []
    words: list[int] = []
    for chunk in query.split():
        of_words, of_terms, _ = _remembered.get(chunk) or _read(chunk)
        words += of_words
        terms += of_terms
    return list(dict.fromkeys(terms)), list(dict.fromkeys(_possible_labels(words)))


def _possible_labels(words: Sequence[int]) -> Iterator[int]:
    for start in range(len(words)):
        label = _LABELS
        for word in words[start : start + _MOST_WORDS]:
            label = _joined(label, word)
            yield label


def _label(beginning: str) -> int | None:
    """Return the hash of the label that a content begins with, None without one."""
    if not (":" in beginning or "]" in beginning or "：" in beginning):
        return None  # as the pattern would say, and sooner
    match = _LABEL.match(beginning)
    if match is None:
        return None
    name: str = match[1] or match[2]
    if not (name.isalnum() or all(map(_may_stand_in_label, name))):
        return None
    words = [word for chunk in name.split() for word in _read(chunk)[0]]
    return reduce(_joined, words, _LABELS) if 0 < len(words) <= _MOST_WORDS else None


def _may_stand_in_label(character: str) -> bool:
    return character.isalnum() or character in _BETWEEN_WORDS or category(character)[0] == "M"


def _joined(label: int, word: int) -> int:
    return (label * _FACTOR + word) & _HASHES


def _read(chunk: str) -> _Hashes:
    """Return the hashes of a text without spaces, and remember those of a short one."""
    words, terms = read_words(chunk)
    if words == terms:
        of_words = of_terms = tuple(map(_hash, terms))
    else:
        hashes = {term: _hash(term) for term in dict.fromkeys(terms)}
        of_words, of_terms = (tuple([hashes[text] for text in texts]) for texts in (words, terms))
    read = of_words, of_terms, b"".join([_entry(term | _ONCE) for term in of_terms])
    if len(chunk) <= _SHORT:
        if len(_remembered) >= _MOST_REMEMBERED:
            _remembered.clear()
        _remembered[chunk] = read
    return read


def _entry(value: int) -> bytes:
    return value.to_bytes(_ENTRY, "little")


def _hash(term: str) -> int:
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=7).digest(), "little")
