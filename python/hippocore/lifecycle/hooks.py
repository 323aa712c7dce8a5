"""Hooks: functions that are called after a turn, at the end of a session, or at events of the caller's own."""

from __future__ import annotations

import inspect
import logging
import threading
import warnings
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from hippocore.arguments import checked_text, checked_wait
from hippocore.errors import HippocoreWarning
from hippocore.lifecycle.background import Background

if TYPE_CHECKING:
    from hippocore.lifecycle.dialogue import Turn
    from hippocore.types import Remembered

AFTER_TURN: Final = "after_turn"
ON_SESSION_END: Final = "on_session_end"
_FIRED: Final = (AFTER_TURN, ON_SESSION_END)
_MISSPELT: Final = 0.85
"""The ratio of difflib from which a name may be meant for another one; "on_session_start" has 0.73 with the end."""

Hook = Callable[[Any], Any]
"""Takes the event; an async function, or one that returns an awaitable, is awaited."""

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, repr=False)
class TurnTaken:
    """The event of "after_turn": the turn, where it was taken in, and what became of each of its statements."""

    turn: Turn
    scope: str
    session: str | None
    reward: float | None
    remembered: tuple[Remembered, ...]

    def __repr__(self) -> str:
        return f"TurnTaken(remembered={len(self.remembered)})"


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The event of "on_session_end": which session, and whether it succeeded, None where nobody said."""

    session: str
    success: bool | None = None


@dataclass(frozen=True, slots=True)
class HookCounts:
    """How many calls of hooks were asked for, have ended, and of those have failed."""

    asked: int = 0
    ended: int = 0
    failed: int = 0


class Hooks:
    """The hooks of one layer, by the name of what they wait for: "after_turn", "on_session_end", or any name to `fire`.

    They are called in the background, one after the other, so that those of a session see its events in order, with
    one argument: the event. The turn never waits for them and never sees them fail: what one raises is logged to
    `hippocore.lifecycle.hooks` by the hook's and the exception's name, and counted. Nothing is lost: closing the layer
    waits for them, and so does the end of the interpreter. A hook may use the layer, but not wait for itself.

    An agent's layer has hooks of its own, which see its own events; those of the layer that was opened see all.
    """

    def __init__(self, above: Hooks | None = None) -> None:
        self._above = above
        self._background: Background = Background("hippocore-hooks") if above is None else above._background
        self._hooks: dict[str, tuple[Hook, ...]] = {}
        self._lock = threading.Lock()
        self._asked = self._ended = self._failed = 0

    def add(self, name: str, hook: Hook) -> None:
        """Call a function at each event of that name from now on, after those that were added before.

        Any name may be fired. HippocoreWarning for one that is nearly "after_turn" or "on_session_end", and so may be
        misspelt.
        """
        _tell_of_misspelling(checked_text(name, "name"))
        if not callable(hook):
            raise TypeError(f"hook must be a callable that takes the event, not {type(hook).__name__}")
        with self._lock:
            self._hooks[name] = (*self._hooks.get(name, ()), hook)

    def remove(self, name: str, hook: Hook) -> None:
        """Call a function no longer; events that have happened still reach it. Raises ValueError for one not there."""
        with self._lock:
            kept = list(self._hooks.get(checked_text(name, "name"), ()))
            if hook not in kept:
                raise ValueError(f"this function is no hook of {name!r}")
            kept.remove(hook)
            self._hooks[name] = tuple(kept)

    def fire(self, name: str, event: object) -> None:
        """Have the hooks of that name called with an event, in the background; returns at once.

        Raises ForkedHandle in a child of the process that opened the store.
        """
        self._background.require_ours()
        with self._lock:
            hooks = self._hooks.get(checked_text(name, "name"), ())
            self._asked += len(hooks)
        for hook in hooks:
            self._background.add(partial(self._call, name, hook, event))
        if self._above is not None:
            self._above.fire(name, event)

    def drain(self, timeout: float | None = None) -> bool:
        """Wait until the hooks of all events so far have ended, at most so many seconds; returns whether they have.

        Raises RuntimeError in a hook, which would wait for itself.
        """
        return self._background.drain(checked_wait(timeout))

    def counts(self) -> HookCounts:
        """Return how many calls were asked for, have ended and have failed so far."""
        with self._lock:
            return HookCounts(self._asked, self._ended, self._failed)

    def close(self) -> None:
        """Wait for the hooks, unless one of them is asking."""
        if not self._background.works_here:
            self._background.drain()

    def _call(self, name: str, hook: Hook, event: object) -> None:
        failed = 0
        try:
            result = hook(event)
            if inspect.isawaitable(result):
                self._background.wait_for(cast("Awaitable[object]", result))
        except BaseException as error:  # whatever it is, the hooks behind this one are called
            failed = 1
            _log.warning("a hook of %s, %s, raised %s", name, _name_of(hook), type(error).__name__)
        with self._lock:
            self._ended += 1
            self._failed += failed


def _tell_of_misspelling(name: str) -> None:
    if name in _FIRED:
        return
    from difflib import get_close_matches

    for meant in get_close_matches(name, _FIRED, n=1, cutoff=_MISSPELT):
        message = f"nothing here fires an event of the name {name!r}: did you mean {meant!r}?"
        warnings.warn(message, HippocoreWarning, stacklevel=3)


def _name_of(hook: Hook) -> str:
    return str(getattr(hook, "__qualname__", type(hook).__qualname__))
