"""A reranker as it is asked: within a time limit, its answer checked, and done without where it fails.

A reranker is the caller's own function: `reranker(query, texts)` returns one score for each text, higher for better,
finite and of any scale.
"""

from __future__ import annotations

import contextvars
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from hippocore.errors import HippocoreWarning, place_of

Reranker = Callable[[str, list[str]], Any]
"""Takes the query and texts and returns as many numbers."""

_IN_THE_CALLERS_CODE: Final = 6  # frames from the warning to the call of a verb


class PatientReranker:
    """Asks a reranker, waits up to `seconds`, and warns once when there was no answer to use. Any thread may ask.

    Each call runs on a thread of its own. One that takes too long is given up: it goes on until it ends by itself, and
    until then the reranker is not asked again, so that there are never more of them than calls that began together.
    """

    def __init__(self, reranker: Reranker, seconds: float) -> None:
        self._reranker = reranker
        self._seconds = seconds
        self._given_up: list[_Call] = []
        self._lock = threading.Lock()
        self._warned = False

    def scores(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Return a score for each text; None, and a warning the first time, where the reranker gave none to use.

        What it raises is neither shown nor kept, since it may carry a text; KeyboardInterrupt and the like go through.
        """
        if self._is_late():
            return None
        try:
            return _checked(self._answer(query, list(texts)), len(texts))
        except _UnusableError as reason:
            self._warn_once(str(reason))
            return None

    def _is_late(self) -> bool:
        with self._lock:
            self._given_up = [call for call in self._given_up if not call.ended.is_set()]
            return bool(self._given_up)

    def _answer(self, query: str, texts: list[str]) -> Any:
        try:
            call = _Call(self._reranker, query, texts)
        except RuntimeError:
            raise _UnusableError("could not be given a thread") from None
        if not call.ended.wait(self._seconds):
            with self._lock:
                self._given_up.append(call)
            raise _UnusableError(f"took longer than {self._seconds:g} seconds")
        if isinstance(call.error, Exception):
            raise _UnusableError(f"raised {type(call.error).__name__}{place_of(call.error)}")
        if call.error is not None:
            raise call.error
        return call.answer

    def _warn_once(self, reason: str) -> None:
        with self._lock:
            first, self._warned = not self._warned, True
        if first:
            message = f"the reranker {reason}: the ranking is without it, here and wherever it fails again"
            warnings.warn(message, HippocoreWarning, stacklevel=_IN_THE_CALLERS_CODE)


class _UnusableError(Exception):
    """Says what the reranker did instead of giving scores."""


def _checked(answer: Any, count: int) -> list[float]:
    try:
        scores = np.asarray(answer)
    except Exception:  # of whatever the answer is made of
        raise _UnusableError(f"returned {type(answer).__name__}, not numbers") from None
    if scores.ndim == 0 or scores.dtype.kind == "V":
        raise _UnusableError(f"returned {type(answer).__name__}, not numbers")
    if scores.shape != (count,):
        raise _UnusableError(f"returned scores of shape {scores.shape} for {count} texts")
    numbers = [_number(score, type(answer).__name__) for score in scores]
    if not np.isfinite(numbers).all():
        raise _UnusableError("returned a score that is not finite")
    return numbers


def _number(score: Any, of: str) -> float:
    if isinstance(score, (bool, np.bool_)) or not isinstance(score, (int, float, np.integer, np.floating)):
        kind = type(score).__name__.removesuffix("_")
        raise _UnusableError(f"returned a {of} of {kind}, not of numbers")
    try:
        return float(score)
    except OverflowError:
        raise _UnusableError("returned a number that is too large") from None


class _Call:
    """One call on a daemon thread, which no exit of the process waits for."""

    def __init__(self, reranker: Reranker, query: str, texts: list[str]) -> None:
        self.ended = threading.Event()
        self.answer: Any = None
        self.error: BaseException | None = None
        work = (self._run, reranker, query, texts)
        run = contextvars.copy_context().run
        threading.Thread(target=run, args=work, name="hippocore-reranker", daemon=True).start()

    def _run(self, reranker: Reranker, query: str, texts: list[str]) -> None:
        try:
            self.answer = reranker(query, texts)
        except BaseException as error:
            self.error = error
        finally:
            self.ended.set()
