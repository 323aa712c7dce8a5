"""The checks of what callers hand in: texts, numbers and lists. Messages name the argument, never its content."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable
from typing import Any, Final, cast

_LONGEST_WAIT: Final = 1e9  # seconds: 30 years, and threads take no number that is much larger


class Unchanged:
    """The one value that means that an argument was not named."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNCHANGED"


UNCHANGED: Final = Unchanged()


def refuse_surrogates(text: str, name: str) -> None:
    """Raise ValueError where a text cannot be written as UTF-8."""
    if not text.isascii() and not _is_encodable(text):
        raise ValueError(f"{name} holds a lone surrogate, which is no text: decode it properly first")


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # it carries the text, so nothing is raised while it is handled
        return False
    return True


def checked_text(value: Any, name: str) -> str:
    """Return a string that is not empty and can be written as UTF-8; raises TypeError or ValueError."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {type(value).__name__}")
    if not value:
        raise ValueError(f"{name} must not be empty")
    refuse_surrogates(value, name)
    return value


def checked_content(content: Any, name: str = "content") -> str:
    """Return a text with more than white space, of a memory or a query; raises TypeError or ValueError."""
    if not isinstance(content, str):
        raise TypeError(f"{name} must be a string, not {type(content).__name__}")
    if not content or content.isspace():
        raise ValueError(f"{name} must not be empty or blank")
    if not content.isascii():
        refuse_surrogates(content, name)
    return content


def checked_texts(values: Any, name: str) -> list[str]:
    """Return a list of different non-empty strings, in the order given; one string is a list of one."""
    if isinstance(values, str):
        return [checked_text(values, name)]
    if isinstance(values, (bytes, dict)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list of strings, not {type(values).__name__}")
    return list(dict.fromkeys(checked_text(value, f"each of {name}") for value in values))


def checked_fraction(value: Any, name: str) -> float:
    """Return a number from 0 to 1 as a float; raises TypeError or ValueError (NaN too)."""
    number = checked_number(value, name)
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{name} must lie between 0 and 1, not {value!r}")
    return number


def checked_number(value: Any, name: str) -> float:
    """Return a real number as a float; raises TypeError, for True and False too."""
    if type(value) is float:
        return value
    if isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__") or isinstance(value, complex):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} is too large") from None


def checked_wait(timeout: Any) -> float | None:
    """Return how many seconds to wait at most, None for as long as it takes; raises TypeError or ValueError."""
    if timeout is None:
        return None
    if not checked_number(timeout, "timeout") >= 0:
        raise ValueError(f"timeout must be 0 or more seconds, or None, not {timeout!r}")
    return min(float(timeout), _LONGEST_WAIT)


def checked_count(value: Any, name: str) -> int:
    """Return a whole number from 0 on, of any size; raises TypeError or ValueError."""
    if type(value) is not int:
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise TypeError(f"{name} must be a whole number, not {type(value).__name__}")
        value = value.__index__()
    if value < 0:
        raise ValueError(f"{name} must not be negative, and is {value}")
    return int(value)


def checked_choice(value: Any, name: str, choices: Iterable[str]) -> str:
    """Return one of the words that are allowed; raises ValueError naming them."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}")
    return value


def checked_path(value: Any, name: str) -> str:
    """Return a path as a string, with "~" as the home folder; raises TypeError or ValueError."""
    path = value.__fspath__() if isinstance(value, os.PathLike) else value
    if not isinstance(path, str):
        raise TypeError(f"{name} must be a path, as a string or a Path, not {type(value).__name__}")
    if "\0" in path:
        raise ValueError(f"{name} must be a path without NUL")
    if path.startswith("~"):
        path = os.path.expanduser(path)  # noqa: PTH111  (pathlib raises where there is no such user)
        if path.startswith("~"):
            raise ValueError(f"{name} begins with ~ and names no user: say ./~ for a name that begins so")
    return path


def refuse_async(function: Callable[..., Any], name: str) -> None:
    """Raise TypeError for what has to be awaited: nothing here awaits it."""
    if any(map(inspect.iscoroutinefunction, (function, getattr(function, "__call__", None)))):  # noqa: B004
        raise TypeError(f"{name} must be a plain function, not an async one: nothing awaits its answer")


def checked_progress(progress: Any) -> Callable[[int, int], None] | None:
    """Return a plain function of how much is done and of how much, or None; raises TypeError for anything else."""
    if progress is None:
        return None
    if not callable(progress):
        raise TypeError(f"progress must be a callable (done, total), not {type(progress).__name__}")
    refuse_async(progress, "progress")
    return cast("Callable[[int, int], None]", progress)


def checked_flag(value: Any, name: str) -> bool:
    """Return True or False; raises TypeError for everything else, which would hide a mistake."""
    if value is not True and value is not False:
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return bool(value)
