"""How many tokens a text takes in a prompt: an estimate by script, an encoding's exact count, or the caller's."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from hippocore.arguments import refuse_async

# A token each: CJK, Kana, Hangul, Thai and their neighbours, and pictographs.
_DENSE: Final = (
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2600-\u27bf\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U0001f000-\U0003ffff]+"
)
# Two characters a token: everything else that is neither Latin nor general punctuation.
_MIDDLE: Final = "[^\u0000-\u024f\u1e00-\u1eff\u2000-\u206f]+"


def estimate(text: str) -> int:
    """Estimate tokens: 4 characters a token in Latin scripts, 1 in CJK, Kana, Hangul and Thai, 2 in others.

    At least 1 for a text that is not empty. Joining texts never costs more than the sum of their estimates.
    """
    if text.isascii():
        return (len(text) + 3) // 4
    rest, dense = _without(_DENSE, text)
    latin, middle = _without(_MIDDLE, rest)
    return dense + (2 * middle + len(latin) + 3) // 4


def counter(spec: str | Callable[[str], int]) -> tuple[str, Callable[[str], int]]:
    """Return (name, function from a text to its tokens) for "estimate", the name of a tiktoken encoding, or a callable.

    A callable's name is "custom"; a result of it that is not an int of 0 or more raises ValueError when it is counted.
    Raises ValueError with the remedy for an encoding that is unknown, not installed or not on this machine (nothing is
    downloaded), TypeError for anything else.
    """
    if callable(spec):
        refuse_async(spec, "tokens")
        return "custom", _checked(spec)
    if not isinstance(spec, str):
        raise TypeError(f"tokens must be 'estimate', an encoding's name or a callable, not {type(spec).__name__}")
    if spec == "estimate":
        return spec, estimate
    from hippocore.encodings import encoding_counter

    return spec, encoding_counter(spec)


def check_unit(recorded: str, given: str) -> None:
    """Raise ValueError where a store records one encoding and another one is given."""
    if recorded not in (given, "estimate", "custom") and given not in ("estimate", "custom"):
        raise ValueError(
            f"the store counts tokens by {recorded!r}, not {given!r}: open it with tokens={recorded!r}, or export it "
            "and import that into a new store, which counts anew"
        )


def stored_counter(recorded: str, count: Callable[[str], int]) -> Callable[[str], int]:
    """Return what counts the tokens that a store keeps: the estimate where it records that, so that units never mix.

    What else it records is never loaded by that name, which a stranger may have written: the one that was given counts.
    """
    return estimate if recorded == "estimate" else count


def _without(characters: str, text: str) -> tuple[str, int]:
    rest = _compiled(characters).sub("", text)
    return rest, len(text) - len(rest)


@cache
def _compiled(characters: str) -> re.Pattern[str]:
    """Compile at first use: a store of ASCII texts never needs them."""
    return re.compile(characters)


def _checked(function: Callable[[str], int]) -> Callable[[str], int]:
    def count(text: str) -> int:
        tokens = function(text)
        if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
            shown = tokens if isinstance(tokens, (int, float)) else type(tokens).__name__
            raise ValueError(f"the token counter must return an int of 0 or more, not {shown}")
        return tokens

    return count
