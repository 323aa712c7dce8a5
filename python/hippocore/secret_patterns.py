"""What a kind of secret is to the guard, and how generated keys differ from words.

High precision, and linear in the length of the text: a run is bounded, or cannot start inside itself (a look-behind on
its own characters), or is judged after it matched (`accept`); no look-ahead scans ahead.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

Judge = Callable[[re.Match[str]], bool]
"""Tells whether a match is a secret."""


class SecretPattern(NamedTuple):
    """One kind of secret: the group "secret", or else the whole match, when `accept` agrees to the match.

    `kind` is what reasons and labels show. `hints` are in lower case; a text with none of them holds no such secret.
    `beginnings`, where there is one, is an expression for the text in lower case: a secret's match begins only where
    this one matches, which spares trying every place of a text. What is compiled is compiled at its first use.
    """

    kind: str
    hints: tuple[str, ...]
    source: str
    accept: Judge
    flags: int = 0
    beginnings: str = ""

    def matches(self, text: str, lowered: str, start: int, end: int) -> Iterator[re.Match[str]]:
        """Yield where the expression matches, accepted or not; `lowered` is the text in lower case, of equal length."""
        expression = compiled(self.source, self.flags)
        if not self.beginnings:
            yield from expression.finditer(text, start, end)
            return
        for beginning in compiled(self.beginnings).finditer(lowered, start, end):
            if match := expression.match(text, beginning.start(), end):
                yield match


@cache
def compiled(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return the compiled expression: compiled at its first use, and kept."""
    return re.compile(source, flags)


def entropy(text: str) -> float:
    """Return the entropy of the text's characters in bits for each (Shannon 1948)."""
    counts = Counter(text).values()
    return math.log2(len(text)) - sum(count * math.log2(count) for count in counts) / len(text)


def mixes_letters_and_digits(text: str) -> bool:
    """Tell whether a text has letters and digits: generated keys do, words and numbers do not."""
    return any(map(str.isdigit, text)) and any(map(str.isalpha, text))


def mixes_cases(text: str) -> bool:
    """Tell whether at least a fifth of a text is upper case and a fifth lower case: names have fewer capitals."""
    return 5 * min(sum(map(str.isupper, text)), sum(map(str.islower, text))) >= len(text)


def looks_random(text: str) -> bool:
    """Tell whether upper case, lower case and digits alternate as by chance, which they do in no name.

    Of two neighbours that are drawn from 62 characters 62 % are of two classes, in names like OAuth2TokenFilter 30 %.
    """
    if sum(map(str.isdigit, text)) < 2 or text.lower() == text or text.upper() == text:
        return False
    changes = sum(_class_of(a) != _class_of(b) for a, b in pairwise(text))
    return changes >= 0.42 * len(text) and entropy(text) >= 3.5


def _class_of(character: str) -> int:
    return 0 if character.isdigit() else 1 if character.isupper() else 2


def always(_match: re.Match[str]) -> bool:
    """Judge nothing: the expression says it all."""
    return True


def generated(match: re.Match[str]) -> bool:
    """Judge a whole match: a generated key has letters and digits, or cases that are mixed, and few repetitions."""
    text = match[0]
    return (mixes_letters_and_digits(text) or mixes_cases(text)) and entropy(text) >= 3.0


def opaque(match: re.Match[str]) -> bool:
    """Judge the group "secret", which may be a word: it has a capital inside or digits, and few repetitions."""
    value = match["secret"]
    mixed = value[1:] != value[1:].lower() and value != value.upper()
    return entropy(value) >= 3.0 and (mixed or mixes_letters_and_digits(value))
