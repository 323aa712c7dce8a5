"""The guard at the door: which contents are refused or redacted, and what untrusted ones are worth.

A reason names the kind of a secret and never shows any of it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from hippocore.arguments import checked_choice, checked_fraction
from hippocore.prompt import check_delimiter
from hippocore.secret_assignments import ASSIGNMENTS
from hippocore.secret_patterns import STRUCTURED_KEYS, VENDOR_KEYS, SecretPattern

_PATTERNS: Final = VENDOR_KEYS + STRUCTURED_KEYS + ASSIGNMENTS
_RUN: Final = re.compile(r"[^\s'\"`,;]*")
# An ASCII text without any of these words holds no secret unless it has a digit and a long run of characters.
_WORDS: Final = (
    "pass",
    "pw",
    "key",
    "token",
    "secret",
    "credential",
    "auth",
    "bearer",
    "://",
    "kennwort",
    "senha",
    "signature",
)
_DIGIT: Final = re.compile(r"[0-9]")
_LONG_RUN: Final = re.compile(r"\S{16}")
# Groups that hold the secret itself; those of bounded length, which are searched again when they are none.
_JUDGED: Final = ("quoted", "bare")
_VALUES: Final = ("secret", *_JUDGED)


class Screened(NamedTuple):
    """What the guard made of a content.

    `content` is what may be stored: as it was given, or with its secrets replaced by "[redacted: kind]". `reason` says
    what was found, None when nothing was. `refused`: nothing may be stored.
    """

    content: Any
    reason: str | None
    refused: bool


class _Secret(NamedTuple):
    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Guard:
    """What may enter a store, and what the prompt block's delimiter is.

    secrets: "refuse" stores nothing of a content that holds a secret, "redact" replaces it, "allow" does not look.
    on_refused: "skip" gives the action "skipped" with the reason, "raise" raises SecretRefused.
    min_importance: what is remembered with less is skipped (0 to 1).
    untrusted_importance: the most that an untrusted memory's importance can be (0 to 1).
    delimiter: of the prompt block; random for each block unless given.
    Raises ValueError or TypeError for other values.
    """

    secrets: Literal["refuse", "redact", "allow"] = "refuse"
    on_refused: Literal["skip", "raise"] = "skip"
    min_importance: float = 0.0
    untrusted_importance: float = 0.3
    delimiter: str | None = None

    def __post_init__(self) -> None:
        checked_choice(self.secrets, "secrets", ("refuse", "redact", "allow"))
        checked_choice(self.on_refused, "on_refused", ("skip", "raise"))
        checked_fraction(self.min_importance, "min_importance")
        checked_fraction(self.untrusted_importance, "untrusted_importance")
        if self.delimiter is not None:
            check_delimiter(self.delimiter)

    def screen(self, content: str) -> Screened:
        """Look for secrets in a text; linear in its length."""
        if self.secrets == "allow" or not _may_hold_secret(content):
            return Screened(content, None, False)
        found = _find_secrets(content)
        if not found:
            return Screened(content, None, False)
        reason = f"holds a secret ({', '.join(dict.fromkeys(secret.kind for secret in found))})"
        if self.secrets == "refuse":
            return Screened(content, reason, True)
        return Screened(_redacted(content, found), reason, False)

    def screen_all(self, value: Any) -> Screened:
        """Look for secrets in every string of a JSON value, keys included; `content` is the value, redacted if asked.

        A string is also read as the value of its key, so that {"password": "hunter2"} is found.
        """
        if self.secrets == "allow":
            return Screened(value, None, False)
        reasons: dict[str, None] = {}
        clean = self._screen_value(value, "", reasons)
        if not reasons:
            return Screened(value, None, False)
        refused = self.secrets == "refuse"
        return Screened(value if refused else clean, "; ".join(reasons), refused)

    def _screen_value(self, value: Any, key: str, reasons: dict[str, None]) -> Any:
        if isinstance(value, str):
            return self._screen_text(value, key, reasons)
        if isinstance(value, Mapping):
            return {
                self._screen_text(name, "", reasons): self._screen_value(inner, name, reasons)
                for name, inner in value.items()
            }
        if isinstance(value, (list, tuple)):
            return [self._screen_value(inner, key, reasons) for inner in value]
        return value

    def _screen_text(self, text: str, key: str, reasons: dict[str, None]) -> str:
        prefix = f"{key}=" if key else ""
        screened = self.screen(prefix + text)
        if screened.reason is None:
            return text
        reasons[screened.reason] = None
        return str(screened.content)[len(prefix) :]


def _may_hold_secret(text: str) -> bool:
    """Tell in about a microsecond that a short text without a secret's traces needs no closer look."""
    if not text.isascii() or (_DIGIT.search(text) and _LONG_RUN.search(text)):
        return True
    lowered = text.lower()
    for word in _WORDS:  # noqa: SIM110  (a generator takes twice the time)
        if word in lowered:
            return True
    return False


def _find_secrets(text: str) -> list[_Secret]:
    lowered = text.lower()
    found: list[_Secret] = []
    for pattern in _PATTERNS:
        if any(hint in lowered for hint in pattern.hints):
            found.extend(_matches(pattern, text))
    return _without_overlaps(found)


def _matches(pattern: SecretPattern, text: str) -> Iterator[_Secret]:
    position = 0
    while match := pattern.expression.search(text, position):
        group = match.lastgroup if match.lastgroup in _VALUES else 0
        start, position = match.span(group)
        if pattern.accept(match):
            if group in _JUDGED:
                position = _end_of_value(text, position, match["quote"])
            yield _Secret(start, position, pattern.kind)
        elif group in _JUDGED:
            # What is no secret may hold one: "the secret is password: …". Linear, for what is judged is bounded.
            position = start


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


def _without_overlaps(found: Iterable[_Secret]) -> list[_Secret]:
    """Merge secrets that overlap, under the kind of the one that starts first."""
    merged: list[_Secret] = []
    for secret in sorted(found):
        if merged and secret.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(secret.end, merged[-1].end))
        else:
            merged.append(secret)
    return merged


def _redacted(text: str, found: Iterable[_Secret]) -> str:
    pieces, position = [], 0
    for secret in found:
        pieces += [text[position : secret.start], f"[redacted: {secret.kind}]"]
        position = secret.end
    return "".join([*pieces, text[position:]])
