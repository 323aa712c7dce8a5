"""Where the secrets of a text are, by all patterns; linear in its length."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from hippocore.secret_assignments import ASSIGNMENTS
from hippocore.secret_mentions import IN_LONG_RUNS, MENTIONS
from hippocore.secret_patterns import SecretPattern
from hippocore.secret_structures import STRUCTURED_KEYS
from hippocore.secret_vendors import SHORTEST_VENDOR_KEY, VENDOR_KEYS

_IN_LONG_RUNS: Final = VENDOR_KEYS + IN_LONG_RUNS
_IN_ANY_TEXT: Final = STRUCTURED_KEYS + ASSIGNMENTS + MENTIONS
_RUN: Final = re.compile(r"[^\s'\"`,;]*")
# A text without any of these words and without a long run of characters holds no secret.
_WORDS: Final = (
    "pass",
    "pw",
    "key",
    "token",
    "secret",
    "credential",
    "authorization",
    "bearer",
    "://",
    "kennwort",
    "senha",
    "curl",
    "login",
    "mysql",
    "identified",
)
_WORDS_BEYOND_ASCII: Final = ("contraseña", "парол", "密码", "密碼", "パスワード", "비밀번호")
# Groups that hold the secret itself; those of which no more than a beginning of bounded length is judged.
_JUDGED: Final = ("quoted", "bare")
_VALUES: Final = ("secret", *_JUDGED)


class Secret(NamedTuple):
    """Where a secret is in its text, and of what kind."""

    start: int
    end: int
    kind: str


def find_secrets(text: str) -> list[Secret]:
    """Return the secrets of a text in their order; they do not overlap."""
    return _all_secrets(text) if _may_hold_secret(text) else []


def redacted(text: str, found: Iterable[Secret]) -> str:
    """Return the text with "[redacted: kind]" for each of its secrets."""
    pieces, position = [], 0
    for secret in found:
        pieces += [text[position : secret.start], f"[redacted: {secret.kind}]"]
        position = secret.end
    return "".join([*pieces, text[position:]])


def _may_hold_secret(text: str) -> bool:
    """Tell in a few microseconds that a short text without a secret's traces needs no closer look."""
    lowered = text.lower()
    for word in _WORDS:
        if word in lowered:
            return True
    if not text.isascii() and any(word in lowered for word in _WORDS_BEYOND_ASCII):
        return True
    return len(text) >= SHORTEST_VENDOR_KEY and max(map(len, text.split()), default=0) >= SHORTEST_VENDOR_KEY


def _all_secrets(text: str) -> list[Secret]:
    lowered = text.replace("İ", "I").lower()  # the one letter whose lower case is longer
    found = [secret for start, end in _long_runs(text) for secret in _secrets(_IN_LONG_RUNS, text, lowered, start, end)]
    found.extend(_secrets(_IN_ANY_TEXT, text, lowered, 0, len(text)))
    return _without_overlaps(found)


def _long_runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the runs of characters other than white space are that are long enough for a vendor's key."""
    end = 0
    for run in text.split():
        if len(run) >= SHORTEST_VENDOR_KEY:
            start = text.index(run, end)
            end = start + len(run)
            yield start, end


def _secrets(patterns: Iterable[SecretPattern], text: str, lowered: str, start: int, end: int) -> Iterator[Secret]:
    part = lowered if end - start == len(lowered) else lowered[start:end]
    for pattern in patterns:
        for hint in pattern.hints:
            if hint in part:
                yield from _matches(pattern, text, lowered, start, end)
                break


def _matches(pattern: SecretPattern, text: str, lowered: str, start: int, end: int) -> Iterator[Secret]:
    position = start
    for match in pattern.matches(text, lowered, start, end):
        group = match.lastgroup if match.lastgroup in _VALUES else 0
        begins, ends = match.span(group)
        if begins >= position and pattern.accept(match):
            position = _end_of_value(text, ends, match["quote"]) if group in _JUDGED else ends
            yield Secret(begins, position, pattern.kind)


def _end_of_value(text: str, position: int, quote: str | None) -> int:
    """Return where a value ends of which no more than its beginning was judged: at its quote, or at a space or mark."""
    if quote is None:
        return _RUN.match(text, position).end()  # type: ignore[union-attr]  # it matches anything
    # The quote first: looking for the line's end first would read the rest of a long line for every value in it.
    end = text.find(quote, position)
    line_end = text.find("\n", position, end if end >= 0 else None)
    if line_end >= 0:
        return line_end
    if end < 0:
        return len(text)
    return end - 1 if end > position and text[end - 1] == "\\" else end


def _without_overlaps(found: Iterable[Secret]) -> list[Secret]:
    """Merge secrets that overlap, under the kind of the one that starts first."""
    merged: list[Secret] = []
    for secret in sorted(found):
        if merged and secret.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(secret.end, merged[-1].end))
        else:
            merged.append(secret)
    return merged
