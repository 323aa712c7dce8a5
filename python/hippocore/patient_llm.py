"""A language model as it is asked: within a time limit, and done without where it fails.

An llm is the caller's own function: `llm(prompt)` returns a text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hippocore.arguments import refuse_surrogates
from hippocore.patient_call import PatientCall, UnusableAnswerError

Llm = Callable[[str], str]
"""Takes a prompt and returns what a model answers."""


class PatientLlm:
    """Asks a model, waits up to `seconds`, and warns once when there was no text. Any thread may ask.

    What it answers is a stranger's text: whoever asks parses it, and stores or ranks nothing by what cannot be parsed.
    """

    def __init__(self, llm: Llm, seconds: float) -> None:
        self._patient = PatientCall(llm, seconds, name="llm", without="what it was asked for is done without it")

    def answer(self, prompt: str) -> str | None:
        """Return the model's text; None, and a warning the first time, where it raised, gave none or took too long.

        Neither the prompt, nor the answer, nor what was raised is shown or kept. A model that took too long is not
        asked again until it has ended.
        """
        return self._patient.answer(_checked, prompt)


def _checked(answer: Any) -> str:
    if not isinstance(answer, str):
        raise UnusableAnswerError(f"returned {type(answer).__name__}, not a string")
    try:
        refuse_surrogates(answer, "it")
    except ValueError:
        raise UnusableAnswerError("returned a lone surrogate, which is no text") from None
    return answer
