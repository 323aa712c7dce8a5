"""A reranker as it is asked: within a time limit, its answer checked, and done without where it fails.

A reranker is the caller's own function: `reranker(query, texts)` returns one score for each text, higher for better,
finite and of any scale.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hippocore.patient_call import PatientCall, UnusableAnswerError

Reranker = Callable[[str, list[str]], Any]
"""Takes the query and texts and returns as many numbers."""


class PatientReranker:
    """Asks a reranker, waits up to `seconds`, and warns once when there was no answer to use. Any thread may ask."""

    def __init__(self, reranker: Reranker, seconds: float) -> None:
        self._patient = PatientCall(reranker, seconds, name="reranker", without="the ranking is without it")

    def scores(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Return a score for each text; None, and a warning the first time, where the reranker gave none to use."""
        return self._patient.answer(lambda answer: _checked(answer, len(texts)), query, list(texts))


def _checked(answer: Any, count: int) -> list[float]:
    try:
        scores = np.asarray(answer)
    except Exception:  # of whatever the answer is made of
        raise UnusableAnswerError(f"returned {type(answer).__name__}, not numbers") from None
    if scores.ndim == 0 or scores.dtype.kind == "V":
        raise UnusableAnswerError(f"returned {type(answer).__name__}, not numbers")
    if scores.shape != (count,):
        raise UnusableAnswerError(f"returned scores of shape {scores.shape} for {count} texts")
    numbers = [_number(score, type(answer).__name__) for score in scores]
    if not np.isfinite(numbers).all():
        raise UnusableAnswerError("returned a score that is not finite")
    return numbers


def _number(score: Any, of: str) -> float:
    if isinstance(score, (bool, np.bool_)) or not isinstance(score, (int, float, np.integer, np.floating)):
        kind = type(score).__name__.removesuffix("_")
        raise UnusableAnswerError(f"returned a {of} of {kind}, not of numbers")
    try:
        return float(score)
    except OverflowError:
        raise UnusableAnswerError("returned a number that is too large") from None
