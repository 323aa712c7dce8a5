"""Questions about memory itself: "do you remember what I told you about my infra?" asks for "my infra".

The words around it are in no memory that answers, and take weight from those that are. Only the start of a question is
looked at, in English, and only phrases that ask somebody to remember; whatever is left says what the answer is about.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_LONGEST: Final = 20  # characters of a beginning
_MOST: Final = 3  # phrases, one after another

# What every phrase begins with; most questions begin with none of it.
_BEGINNINGS: Final = (
    *("hey", "hi", "hello", "ok", "so", "well", "please", "um", "oh", "also", "btw", "by the way", "sorry", "thank"),
    *("can you", "could you", "would you", "will you", "do you", "don't you", "did you", "i ", "i'm"),
    *("remind", "tell", "let me", "recall", "remember", "refresh", "help", "search", "check", "look", "go through"),
    *(
        f"what{else_} {verb} {who} "
        for else_ in ("", " else")
        for verb in ("did", "do", "have", "had")
        for who in ("i", "we", "you")
    ),
)
_SOFTLY: Final = (
    r"(?:(?:hey|hi|hello|okay|ok|so|well|please|um+|oh|also|btw|by the way|sorry|thanks|thank you)\b[,.!:;]* ?){0,3}"
)
_ABOUT: Final = r"(?:about|regarding|concerning|on|of)"
_TOLD: Final = (
    r"(?:you (?:still )?(?:know|remember|recall)"
    r"|(?:I|we)(?:'ve| have| had)? (?:already |just )?(?:told|said|mentioned|shared|discussed|talked)"
    r"(?: to| with)?(?: you)?(?: earlier| before)?)"
)
_REMIND: Final = (
    r"(?:remind me|tell me|let me know|recall|remember|refresh my memory|help me (?:remember|recall)"
    r"|(?:search|check|look (?:in|into|through|at)|go through) (?:your|my|our|the) (?:past |previous |earlier )?"
    r"(?:memory|memories|notes|chats?|conversations?)(?: (?:and|to) (?:tell me|find|see|remind me)| for|(?=[:.,?!])))"
    r"(?: again)?"
)
_ASKED: Final = (
    rf"(?:(?:can|could|would|will) you (?:please |kindly )?{_REMIND}|{_REMIND}"
    r"|(?:do|don't|did) you (?:still |happen to |even )?(?:remember|recall|know)"
    r"|I(?:'m| am| was)? (?:just )?(?:trying to (?:remember|recall)|wondering)"
    r"|I (?:can't|cannot|don't) (?:quite )?(?:remember|recall)"
    r"|I forg[oe]t(?= (?:what|where|when|who|which|how|why|if|whether|the name)\b))"
    r"(?: (?:if|whether) you (?:can|could|would) (?:please )?(?:remind|tell) me)?"
)
_OF_WHAT: Final = (
    rf"(?: {_ABOUT}| that| if| whether)?[:,]?"
    rf"(?: (?:everything|anything|something|all|what|whatever)(?: that)? {_TOLD}(?: {_ABOUT}|:))?"
    r"(?: (?:this|it|that)(?=[:.?]))?"
)
_WHAT_WAS_TOLD: Final = (
    r"what(?: else)? (?:did|do|have|had) (?:I|we|you) (?:ever |already |still )?(?:tell|told|say|said|mention|mentioned"
    rf"|share|shared|discuss|discussed|know|remember|recall)(?: to| with)?(?: you)? {_ABOUT}(?: (?:this|it|that)(?=:))?"
)


def subject_of(question: str) -> str:
    """Return what a question about memory itself asks for; any other as it is, and one that names no subject too."""
    rest = question.strip().replace("’", "'")
    if not rest[:_LONGEST].lower().startswith(_BEGINNINGS):
        return question
    said = len(rest)
    for _ in range(_MOST):
        if found := _phrase().match(rest):
            rest = rest[found.end() :]
    return rest if len(rest) < said and _subject().search(rest) else question


@cache
def _phrase() -> re.Pattern[str]:
    return re.compile(rf"{_SOFTLY}(?:{_WHAT_WAS_TOLD}|{_ASKED}{_OF_WHAT})(?:[:.?!]+\s*|\s+|$)", re.IGNORECASE)


@cache
def _subject() -> re.Pattern[str]:
    """Return what matches a text with a word that can be the subject of a memory."""
    return re.compile(
        r"\b(?!(?:me|it|that|this|us|him|her|them|you|about|the|something|anything)\b)[^\W_]{2,}", re.IGNORECASE
    )
