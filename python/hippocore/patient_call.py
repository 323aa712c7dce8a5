"""A caller's function as it is asked: within a time limit, its answer checked, and done without where it fails."""

from __future__ import annotations

import contextvars
import os
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any, Final, TypeVar

from hippocore.errors import HippocoreWarning, place_of

T = TypeVar("T")
_OURS: Final = os.path.dirname(__file__) + os.sep  # noqa: PTH120  (pathlib is slow to import)


class UnusableAnswerError(Exception):
    """Says what a function did instead of giving an answer to use: in words of ours, with nothing of what it gave."""


class PatientCall:
    """Asks a function, waits up to `seconds`, and warns once when there was no answer to use. Any thread may ask.

    Each call runs on a thread of its own. One that takes too long is given up: it goes on until it ends by itself, and
    until then the function is not asked again, so that there are never more of them than calls that began together.
    `name` says which function a warning is about, `without` what is done without it.
    """

    def __init__(self, function: Callable[..., Any], seconds: float, *, name: str, without: str) -> None:
        self.seconds = seconds
        self._function = function
        self._name = name
        self._without = without
        self._given_up: list[_Call] = []
        self._lock = threading.Lock()
        self._warned = False

    def answer(self, check: Callable[[Any], T], *arguments: Any) -> T | None:
        """Return what `check` makes of the answer; None, and a warning the first time, where there was none to use.

        `check` raises UnusableAnswerError for an answer that is none. What the function raises is neither shown nor
        kept, since it may carry a text; KeyboardInterrupt and the like go through.
        """
        if self._is_late():
            return None
        try:
            return check(self._asked(arguments))
        except UnusableAnswerError as reason:
            self._warn_once(str(reason))
            return None

    def _is_late(self) -> bool:
        with self._lock:
            self._given_up = [call for call in self._given_up if not call.ended.is_set()]
            return bool(self._given_up)

    def _asked(self, arguments: tuple[Any, ...]) -> Any:
        try:
            call = _Call(self._function, arguments, f"hippocore-{self._name}")
        except RuntimeError:
            raise UnusableAnswerError("could not be given a thread") from None
        if not call.ended.wait(self.seconds):
            with self._lock:
                self._given_up.append(call)
            raise UnusableAnswerError(f"took longer than {self.seconds:g} seconds")
        if isinstance(call.error, Exception):
            raise UnusableAnswerError(f"raised {type(call.error).__name__}{place_of(call.error)}")
        if call.error is not None:
            raise call.error
        return call.answer

    def _warn_once(self, reason: str) -> None:
        with self._lock:
            first, self._warned = not self._warned, True
        if first:
            message = f"the {self._name} {reason}: {self._without}, here and wherever it fails again"
            warnings.warn(message, HippocoreWarning, stacklevel=_level_of_the_caller())


class _Call:
    """One call on a daemon thread, which no exit of the process waits for."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...], name: str) -> None:
        self.ended = threading.Event()
        self.answer: Any = None
        self.error: BaseException | None = None
        run = contextvars.copy_context().run
        threading.Thread(target=run, args=(self._run, function, arguments), name=name, daemon=True).start()

    def _run(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        try:
            self.answer = function(*arguments)
        except BaseException as error:
            self.error = error
        finally:
            self.ended.set()


def _level_of_the_caller() -> int:
    """Return the stacklevel, for the function that asks, of the code that called into hippocore."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
        frame, level = frame.f_back, level + 1
    return level
