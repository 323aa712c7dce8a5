"""From a file to a data set: which format it has, and its errors with the file's name before them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from hippocore.evaluate import locomo, longmemeval, own_lines
from hippocore.evaluate.dataset import DataSet

FORMATS: Final = ("locomo", "longmemeval", "jsonl")
_READ: Final[dict[str, Callable[[Any], DataSet]]] = {"locomo": locomo.read, "longmemeval": longmemeval.read}


def read_file(path: Path, format: str | None = None) -> DataSet:
    """Return the data set of a file, in the format said, else guessed from its beginning.

    Raises OSError where it cannot be read, ValueError naming the file, the place and the field for what is wrong in it;
    never with content.
    """
    if format is not None and format not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, not {format!r}")
    try:
        data = _read(path.read_bytes(), format)
    except ValueError as error:
        message = f"{path}: {error}"
    else:
        if not data.questions:
            raise ValueError(f"{path}: it has no question whose evidence exists: there is nothing to measure")
        return data
    raise ValueError(message)  # outside of the handler: a parser's exception carries the text


def _read(data: bytes, format: str | None) -> DataSet:
    text = _decoded(data)
    if format == "jsonl" or (format is None and _is_lines(text)):
        return own_lines.read(text.split("\n"))
    whole = _parsed(text)
    if not isinstance(whole, (list, dict)) or not whole:
        raise ValueError("it must hold a list of objects that is not empty")
    chosen = format or _guessed(whole)
    if chosen == "jsonl":
        raise ValueError("it is one list of all: JSON Lines have an object on each line, and nothing around them")
    return _READ[chosen](whole)


def _is_lines(text: str) -> bool:
    """Return whether a text is JSON Lines: no list, and not one object of another format."""
    if text.lstrip()[:1] == "[":
        return False
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return True
    return _guessed(whole) == "jsonl"


def _guessed(whole: Any) -> str:
    first = whole[0] if isinstance(whole, list) else whole
    if isinstance(first, dict):
        if "conversation" in first and "qa" in first:
            return "locomo"
        if "haystack_sessions" in first:
            return "longmemeval"
        if "memory" in first or "question" in first:
            return "jsonl"
    raise ValueError(f"its format cannot be told: say --format {', '.join(FORMATS)}")


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"byte {error.start} is not UTF-8: save the file as UTF-8"
    raise ValueError(message)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message = f"line {error.lineno}, column {error.colno} is not JSON"
    except (ValueError, RecursionError):
        message = "it is not JSON that can be read: a number or a nesting in it is too large"
    raise ValueError(message)
