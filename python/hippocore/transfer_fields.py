"""The fields of an export's lines: what each must be. Errors name the field and never show its value."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from hippocore.arguments import checked_content, checked_fraction, checked_number, checked_text, checked_texts
from hippocore.links import Link, checked_links
from hippocore.metadata import checked_metadata
from hippocore.scopes import scope_text
from hippocore.stores.protocol import ARCHIVED, NEVER, QUARANTINED, SUPERSEDED, TRUST, TRUST_NAMES, UNSET, Vectors
from hippocore.times import as_datetime

FLAGS: Final = {"archived": ARCHIVED, "quarantined": QUARANTINED, "superseded": SUPERSEDED}
_UNSIGNED: Final = 2**32 - 1
_LARGEST_FLOAT: Final = float(np.finfo(np.float32).max)
_Checks = dict[str, Callable[[Any], Any]]


def checked_header(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the header's values; raises ValueError naming the field."""
    return _checked(fields, _HEADER, frozenset(_HEADER))


def checked_version(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a version's values as the store keeps them, those that are set; raises ValueError naming the field."""
    return _checked(fields, _VERSION, _REQUIRED)


def _checked(fields: dict[str, Any], checks: _Checks, required: frozenset[str]) -> dict[str, Any]:
    missing = required - fields.keys()
    if missing:
        raise ValueError(f"field {min(missing)!r} is missing")
    if not fields.keys() <= checks.keys():
        raise ValueError(f"it has a field that is none of {', '.join(sorted(checks))}")
    values = {}
    for name, value in fields.items():
        try:
            values[name] = checks[name](value)
        except (TypeError, ValueError) as error:
            raise ValueError(f"field {name!r}: {error}") from None
    return values


def _text(value: Any) -> str:
    return checked_text(value, "it")


def _name(value: Any) -> str:
    return _text(value) if value != "" else ""


def _scope(value: Any) -> str:
    return scope_text(_text(value))


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("it must be a list of strings")
    return tuple(checked_texts(value, "it"))


def _links(value: Any) -> tuple[Link, ...]:
    if not isinstance(value, list):
        raise TypeError("it must be a list of ids, or of objects with id, type and weight")
    return checked_links(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("it must be true or false")
    return value


def _flags(value: Any) -> int:
    if not isinstance(value, list) or not all(isinstance(name, str) and name in FLAGS for name in value):
        raise ValueError(f"it must be a list of {', '.join(FLAGS)}")
    return sum({FLAGS[name] for name in value})


def _trust(value: Any) -> int:
    if not isinstance(value, str) or value not in TRUST:
        raise ValueError(f"it must be one of {', '.join(TRUST_NAMES)}")
    return TRUST[value]


def _whole(value: Any, smallest: int = 0, largest: int = _UNSIGNED) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("it must be a whole number")
    if not smallest <= value <= largest:
        raise ValueError(f"it must lie between {smallest} and {largest}")
    return value


def _positive(value: Any) -> int:
    return _whole(value, 1)


def _moment(value: Any) -> int:
    moment = _whole(value, UNSET, NEVER)
    try:
        as_datetime(moment)
    except OverflowError:
        raise ValueError("it must lie in the years 1 to 9999, in microseconds since 1970") from None
    return moment


def _fraction(value: Any) -> float:
    return checked_fraction(value, "it")


def _amount(value: Any) -> float:
    number = checked_number(value, "it")
    if not 0.0 <= number <= _LARGEST_FLOAT or math.isnan(number):
        raise ValueError("it must be a finite number of 0 or more")
    return number


def _content(value: Any) -> str:
    return checked_content(value)


def _metadata(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("it must be an object")
    return checked_metadata(value)


def _embedding(value: Any) -> Vectors:
    try:
        data = base64.b64decode(_text(value), validate=True)
    except binascii.Error:
        raise ValueError("it must be base64") from None
    if len(data) % 4:
        raise ValueError("it must be base64 of float32 values")
    vector = np.frombuffer(data, "<f4").astype(np.float32)
    if not np.isfinite(vector).all():
        raise ValueError("it holds NaN or infinity")
    return vector


_HEADER: Final[_Checks] = {
    "dim": _positive,
    "embedder": _name,
    "tokenizer": _name,
    "embeddings": _flag,
    "versions": lambda value: _whole(value, 0, NEVER),
}
_REQUIRED_CHECKS: Final[_Checks] = {
    "id": _text,
    "version": _positive,
    "content": _content,
    "scope": _scope,
    "kind": _text,
    "created_at": _moment,
    "valid_from": _moment,
    "last_used": _moment,
    "use_count": _whole,
    "importance": _fraction,
    "confidence": _fraction,
    "stability": _amount,
    "trust": _trust,
    "tokens": _whole,
}
_REQUIRED: Final = frozenset(_REQUIRED_CHECKS)
_VERSION: Final[_Checks] = {
    **_REQUIRED_CHECKS,
    "name": _text,
    "source": _text,
    "valid_until": _moment,
    "event_time": _moment,
    "expires_at": _moment,
    "archived_at": _moment,
    "flags": _flags,
    "tags": _texts,
    "metadata": _metadata,
    "links": _links,
    "supersedes": _text,
    "embedding": _embedding,
}
