"""Secrets that only the word before them gives away: `password: hunter2`, `"api_key": "…"`, `TOKEN=…`.

People talk about passwords, keys and tokens all day, so the value is judged: what could be a word of a sentence or an
expression of a program is none.
"""

import re
from typing import Final

from hippocore.secret_patterns import Judge, SecretPattern, entropy, mixes_letters_and_digits
from hippocore.secret_words import (
    LOOSE_KEY,
    NAMED_KEY,
    PASSWORD_HINTS,
    PASSWORD_WORD,
    TOKEN,
    TOKEN_HINTS,
    is_expression,
    is_placeholder,
)

# What joins a word to its value: ":", "=", ":=", "=>", "->", with quotes and spaces around them; or "is", "was".
_QUOTES: Final = r"(?:\\?['\"`])?"
_MARK: Final = (
    rf"(?:{_QUOTES}\]?\s{{0,3}}(?P<sign>[:=：＝]=?>?|->)\s{{0,3}}"
    rf"|{_QUOTES}\s{{1,3}}(?:is|was|ist|es|est|è|é)\s{{1,3}}(?:[:=]\s{{0,3}})?|(?:は|是)\s{{0,3}})"
)
# At most 200 characters are judged; the guard hides the rest of a longer value as well.
_VALUE: Final = (
    r"(?:\\?(?P<quote>['\"`])(?P<quoted>(?:(?!\\?(?P=quote))[^\n]){1,200})|(?P<bare>[^\s'\"`,;，；、。]{1,200}))"
)

_CLAUSE_END: Final = re.compile(r"[.!?)\]]*(?:[\n,;，；、。]|\s*\Z)")
_INNER_SYMBOL: Final = re.compile(r"\w[^\w\s.,'’/-]+\w|[!@#$%^&*][!@#$%^&*]")
_IN_LABEL: Final = re.compile(r"\[redacted: [^\]]*\Z")
_LONGEST_LABEL: Final = 40
_OPAQUE: Final = re.compile(r"[A-Za-z0-9+/=]{20,}")


def _value(match: re.Match[str]) -> str:
    return match["quoted"] or match["bare"].rstrip(".!?)]}>")


def _is_password(match: re.Match[str]) -> bool:
    value = _value(match)
    if len(value) < 4 or _stands_for_something(match, value):
        return False
    if " " in value:
        return "phrase" in match[0].lower() and match["sign"] is not None and value.count(" ") >= 2
    if mixes_letters_and_digits(value):
        return not value[0].isdigit() or match["sign"] is not None or len(value) >= 6
    if _INNER_SYMBOL.search(value):
        return True
    if value.isdigit():
        return match["sign"] is not None or len(value) >= 6
    return _is_lone_word(match, value)


def _is_lone_word(match: re.Match[str], value: str) -> bool:
    """Tell whether a value of letters is all that was said: quoted, or the rest of its clause after a sign."""
    if match["quote"] is not None:
        return True
    if match["sign"] is None or len(value) < 6 or not value.isalpha():
        return False
    return "=" in match["sign"] or _CLAUSE_END.match(match.string, match.end()) is not None


def _is_key(match: re.Match[str]) -> bool:
    value = _value(match)
    shortest = 8 if match["sign"] is not None else 12
    if len(value) < shortest or " " in value or _stands_for_something(match, value):
        return False
    return mixes_letters_and_digits(value) and entropy(value) >= 2.5


def _is_opaque(match: re.Match[str]) -> bool:
    value = _value(match)
    mixed = value != value.lower() and value != value.upper() and mixes_letters_and_digits(value)
    return mixed and _OPAQUE.fullmatch(value) is not None and entropy(value) >= 3.5


def _stands_for_something(match: re.Match[str], value: str) -> bool:
    return is_placeholder(value) or (match["quote"] is None and is_expression(value))


def _assignment(kind: str, words: str, hints: str, is_secret: Judge) -> SecretPattern:
    """Return the pattern of a value after one of the words, unless the word is the guard's own "[redacted: …]"."""

    def accept(match: re.Match[str]) -> bool:
        before = match.string[max(0, match.start() - _LONGEST_LABEL) : match.start()]
        return is_secret(match) and _IN_LABEL.search(before) is None

    return SecretPattern(kind, tuple(hints.split()), words + _MARK + _VALUE, accept, re.IGNORECASE, words)


ASSIGNMENTS: Final = (
    _assignment("password", PASSWORD_WORD, PASSWORD_HINTS, _is_password),
    _assignment("key or token", NAMED_KEY, "key", _is_key),
    _assignment("key or token", TOKEN, TOKEN_HINTS, _is_key),
    _assignment("key or token", LOOSE_KEY, "key auth signature", _is_opaque),
)
