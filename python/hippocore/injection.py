"""Texts that read like instructions to a model, or hide something from the people who read them.

A sieve, no proof: high precision on what is known, blind to what is worded otherwise. Reasons say what kind was found
and never show any of it.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from hippocore.injection_patterns import PATTERNS, SEQUENCES

# A flag of England, Scotland or Wales is spelled in tag characters; nothing else is, but hidden text.
_FLAGS: Final = re.compile("\U0001f3f4(?:{})\U000e007f".format("|".join(
    "".join(chr(0xE0000 + ord(letter)) for letter in region) for region in ("gbeng", "gbsct", "gbwls")
)))  # fmt: skip
_HIDING: Final = (
    ("hides text in tag characters", re.compile("[\U000e0001-\U000e007f]")),
    ("changes the direction of its text against its letters", re.compile("[\u202d\u202e]")),
    ("hides data in variation selectors", re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2}")),
    ("hides data in characters without a glyph", re.compile("[\u200b-\u200d\u2060-\u2064\ufeff\u180e]{4}")),
    ("hides text from a terminal", re.compile("\x1b\\[(?:[0-9]{1,3};){0,8}8m")),
)
_UNSEEN: Final = re.compile(
    "[\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
_LINE_END: Final = re.compile("[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_SPACES: Final = re.compile("[^\\S\n]+")
_SENTENCE: Final = re.compile("[.!?](?=\\s)|[\n。！？]")
# Letters of other scripts that look like Latin ones, in the places of those.
_LOOKALIKES: Final = str.maketrans("аеорсухіјѕԁԛԝһβοαερτυικν", "aeopcyxijsdqwhboaeptuikv")


def find_injection(value: Any) -> str | None:
    """Return what in the strings of a JSON value speaks to a model or hides something; None where nothing does.

    Linear in their length.
    """
    reasons = (reason for text in _texts(value) if (reason := _find_in_text(text)))
    return next(reasons, None)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif isinstance(value, Iterable):
        for inner in value:
            yield from _texts(inner)


def _find_in_text(text: str) -> str | None:
    if not text.isascii() or "\x1b" in text:
        plain = _FLAGS.sub("", text)
        for reason, expression in _HIDING:
            if expression.search(plain):
                return reason
    folded = _folded(text)
    return _find_in_folded(folded) or (None if text.isascii() else _find_disguised(folded))


def _find_disguised(folded: str) -> str | None:
    latin = folded.translate(_LOOKALIKES)
    return _find_in_folded(latin) if latin != folded else None


def _folded(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).replace("’", "'")
    return _SPACES.sub(" ", _LINE_END.sub("\n", text.lower()))


def _find_in_folded(text: str) -> str | None:
    # Also with its lines joined: an instruction may be folded anywhere.
    joined = text.replace("\n", " ")
    for kind, by_line, expression in _patterns():
        if expression.search(text if by_line else joined):
            return kind
    for kind, steps in _sequences():
        if any(_follow(sentence, steps) for sentence in _SENTENCE.split(text)):
            return kind
    return None


def _follow(sentence: str, steps: Iterable[re.Pattern[str]]) -> bool:
    position = 0
    for step in steps:
        match = step.search(sentence, position)
        if match is None:
            return False
        position = match.end()
    return True


@cache
def _patterns() -> tuple[tuple[str, bool, re.Pattern[str]], ...]:
    """Compile at first use: a store of trusted memories never needs them."""
    found = []
    for kind, patterns in PATTERNS:
        for by_line in (True, False):
            alike = [unicodedata.normalize("NFKC", one) for one in patterns if ("\\n" in one) == by_line]
            if alike:
                found.append((kind, by_line, re.compile("|".join(alike))))
    return tuple(found)


@cache
def _sequences() -> tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]:
    return tuple((kind, tuple(map(re.compile, steps))) for kind, steps in SEQUENCES)
