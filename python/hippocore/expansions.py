"""Other wordings of a question that a language model is asked for, and what is made of its answer: nothing, if need be.

An answer is a stranger's text. What of it cannot be a wording is left out, and nothing of it is stored or shown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hippocore.patient_llm import PatientLlm

PARAPHRASES: Final = 3
"""How many other wordings are taken at most."""

_LONGEST_WORDING: Final = 500  # characters; a longer line is no wording of a question
_LONGEST_PASSAGE: Final = 2_000  # characters of a passage that are looked at
_MOST_LINES: Final = 50
_BULLET: Final = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.):])\s+")
_QUOTES: Final = " \t\"'`“”„«»‘’*_"
_NO_WORDING: Final = ("{", "[", "<", "```", "#", "|")

_PARAPHRASE: Final = (
    f"Write {PARAPHRASES} other wordings of the question below, one on each line, in its language. Keep names, dates "
    "and numbers as they are, and say the rest in other words. Write nothing else.\n\nQuestion: "
)
_HYPOTHETICAL: Final = (
    "Write one to three sentences, in the language of the question below, as they could stand in somebody's notes and "
    "would answer it. Make up what you do not know. Write nothing else.\n\nQuestion: "
)


def paraphrases(llm: PatientLlm, query: str) -> list[str]:
    """Return up to PARAPHRASES other wordings of a question; none where the model gives none."""
    answer = llm.answer(_PARAPHRASE + query)
    return [] if answer is None else wordings_in(answer, query)


def passage(llm: PatientLlm, query: str) -> str | None:
    """Return a passage that would answer a question, as a model imagines it; None where it gives none."""
    answer = llm.answer(_HYPOTHETICAL + query)
    return None if answer is None else passage_in(answer)


def wordings_in(answer: str, query: str, most: int = PARAPHRASES) -> list[str]:
    """Return the first different lines of an answer that can be wordings, without bullets and quotes, not the query."""
    found = {_folded(query): ""}
    for line in _said(answer).splitlines()[:_MOST_LINES]:
        wording = _BULLET.sub("", line).strip(_QUOTES)
        if _may_be_wording(line, wording) and len(found) <= most:
            found.setdefault(_folded(wording), wording)
    return [wording for wording in found.values() if wording]


def passage_in(answer: str) -> str | None:
    """Return the text of an answer as a passage; None where it has no letter or digit."""
    text = _said(answer).strip()[:_LONGEST_PASSAGE].strip()
    return text if any(map(str.isalnum, text)) else None


def _said(answer: str) -> str:
    """Return an answer without the reasoning that some models put before it."""
    return answer.rpartition("</think>")[2]


def _may_be_wording(line: str, wording: str) -> bool:
    if line.lstrip().startswith(_NO_WORDING) or wording.endswith(":"):
        return False
    return len(wording) <= _LONGEST_WORDING and any(map(str.isalnum, wording))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" ?!.")
