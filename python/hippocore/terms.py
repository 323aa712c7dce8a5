"""Normal forms of a text, by which two memories are told to be the same statement.

`normalise` decides when two texts are equal; `merge_keys` decides when two similar texts may be merged. A merge key is
strict: whatever could change the meaning (numbers, negations, signs, names, pronouns, tenses, prepositions, the order
of words) is part of it, so that a bag-of-words embedder's similarity of 1.0 cannot merge "Alice owes Bob" with "Bob
owes Alice". A duplicate that is missed costs a few tokens; a wrong merge loses a memory.
"""

import unicodedata
from functools import lru_cache
from hashlib import blake2b
from typing import Final

# Ends of sentences, in the form that NFKC and case folding leave them in.
_CLOSING: Final = " .!?…。؟۔।॥։።"
_OPENING_MARKS: Final = "\"'([{“‘«„「『《"
_CLOSING_MARKS: Final = ",;:.!?\"')]}”’»」』》、。؟۔।॥։።"
# After a digit, quotation marks are units: 6' and 6" differ.
_CLOSING_MARKS_OF_NUMBERS: Final = ",;:.!?)]}、。"

# Words that may differ between two wordings of one statement. Articles go; forms of "be" in the present agree with one
# another, since they follow a plural. Nothing else: "is paid" and "paid", "in" and "on", "has been" and "has" differ in
# meaning. Counting words keep their plural: "ten" is a number, "tens" is not that number.
_REPLACED: Final = {
    "a": "",
    "an": "",
    "the": "",
    "am": "is",
    "are": "is",
    **{word: word for word in ("tens", "dozens", "hundreds", "thousands", "millions", "billions", "news")},
}


def normalise(text: str) -> str:
    """Return a text as equality sees it: NFKC, case folded, runs of white space one space, closing punctuation dropped.

    A text of nothing but punctuation keeps it, so that "?" and "!" stay apart. Applying it twice changes nothing.
    """
    folded = text.lower() if text.isascii() else _fold(text)
    spaced = " ".join(folded.split())
    return spaced.rstrip(_CLOSING) or spaced


def merge_keys(scope: str, kind: str, content: str) -> tuple[int, int]:
    """Return unsigned 64-bit (text key, merge key) of a content in its scope (canonical text) and kind.

    Equal text keys: the normalised texts are equal. Equal merge keys: also texts whose sequences of words agree after
    articles, punctuation around words, the present forms of "be" and a plain English -s are set aside. Equal normalised
    texts always have equal merge keys; a text with no word left has its text key as merge key.
    """
    text = normalise(content)
    # Lengths in front make the parts unambiguous whatever characters they hold.
    prefix = f"{len(scope)}:{len(kind)}:{scope}{kind}"
    text_key = _hash(prefix + text)
    words = content_words(text)
    return text_key, _hash(f"{prefix}\0{' '.join(words)}") if words else text_key


def content_words(normalised: str) -> list[str]:
    """Return the words of a normalised text that a merge must agree on, in order."""
    word = _remembered_word if len(normalised) <= _SHORT else _word
    return list(filter(None, map(word, normalised.split(" "))))


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", folded)  # folding can leave marks out of order


def _word(chunk: str) -> str:
    """Strip a chunk between spaces of the punctuation around it and of a plain plural -s.

    Signs, symbols and everything inside the chunk stay: "-5", "$5", "5%", "2.14.1", "c++", ".env", "isn't".
    """
    word = chunk.replace("’", "'").lstrip(_OPENING_MARKS)
    stripped = word.rstrip(_CLOSING_MARKS)
    if not stripped.isalpha():
        return word.rstrip(_CLOSING_MARKS_OF_NUMBERS) if _ends_in_digit(stripped) else stripped
    replaced = _REPLACED.get(stripped)
    return _singular(stripped) if replaced is None else replaced


# Languages repeat their words. Chunks of short texts only, so that what is kept stays small.
_remembered_word: Final = lru_cache(maxsize=4096)(_word)
_SHORT: Final = 1000


def _ends_in_digit(word: str) -> bool:
    return word[-1:].isdigit()


def _singular(word: str) -> str:
    """Drop a plain -s, of a plural or a third person; "this", "bus" and "less" are no plurals."""
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui'":
        return word[:-1]
    return word


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
