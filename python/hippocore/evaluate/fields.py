"""Reading the fields of a stranger's JSON. Every error names the place and the field, and none shows a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from typing import Any, Final

from hippocore.times import microseconds

_LONGEST_NAME: Final = 30


def record(value: Any, where: str) -> Mapping[str, Any]:
    """Return a JSON object; raises ValueError."""
    if not isinstance(value, dict):
        raise ValueError(f"{where} must be an object, not {_type(value)}")
    return value


def text(fields: Mapping[str, Any], name: str, where: str) -> str:
    """Return a field that must be there and hold text with more than white space; raises ValueError."""
    value = required(fields, name, where)
    if not isinstance(value, str):
        raise ValueError(f"{where}: field {name!r} must be text that is not blank, not {_type(value)}")
    if not value.strip():
        raise ValueError(f"{where}: field {name!r} must not be blank")
    _refuse_surrogates(value, name, where)
    return value


def optional_text(fields: Mapping[str, Any], name: str, where: str) -> str | None:
    """Return a field of text, None where it is missing or null; raises ValueError."""
    return None if fields.get(name) is None else text(fields, name, where)


def items(fields: Mapping[str, Any], name: str, where: str) -> list[Any]:
    """Return a field that must be there and be a list; raises ValueError."""
    value = required(fields, name, where)
    if not isinstance(value, list):
        raise ValueError(f"{where}: field {name!r} must be a list, not {_type(value)}")
    return value


def texts(fields: Mapping[str, Any], name: str, where: str) -> list[str]:
    """Return a field that must be a list of texts, [] where it is missing; raises ValueError."""
    values = items(fields, name, where) if name in fields else []
    if not all(isinstance(value, str) and value for value in values):
        raise ValueError(f"{where}: field {name!r} must hold texts that are not empty")
    for value in values:
        _refuse_surrogates(value, name, where)
    return values


def fraction(fields: Mapping[str, Any], name: str, where: str) -> float | None:
    """Return a field that is a number from 0 to 1, None where it is missing or null; raises ValueError."""
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ValueError(f"{where}: field {name!r} must be a number from 0 to 1")
    return value


def required(fields: Mapping[str, Any], name: str, where: str) -> Any:
    """Return a field that must be there; raises ValueError."""
    if name not in fields:
        raise ValueError(f"{where}: field {name!r} is missing")
    return fields[name]


def refuse_others(fields: Iterable[str], known: Iterable[str], where: str) -> None:
    """Raise ValueError for a field that is none of those known, named where it looks like a name and not like text."""
    known = list(known)
    for name in fields:
        if name not in known:
            shown = f"field {name!r}" if name.isidentifier() and len(name) <= _LONGEST_NAME else "a field"
            raise ValueError(f"{where}: {shown} is unknown: there are {', '.join(known)}")


def flag(fields: Mapping[str, Any], name: str, where: str) -> bool:
    """Return a field that is true or false, False where it is missing; raises ValueError."""
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise ValueError(f"{where}: field {name!r} must be true or false, not {_type(value)}")
    return value


def moment(fields: Mapping[str, Any], name: str, where: str) -> float | None:
    """Return an ISO date with its zone, or seconds since 1970, in those seconds; None where it is missing or null."""
    value = fields.get(name)
    if value is None:
        return None
    wanted = f"{where}: field {name!r} must be an ISO date with its zone, as 2025-03-01T09:00Z, or seconds since 1970"
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError(wanted)
    try:
        read = _iso(value) if isinstance(value, str) else value
        return microseconds(read, name) / 1e6
    except (ValueError, OverflowError):
        raise ValueError(wanted) from None


def dated(value: Any, form: str, where: str, name: str) -> float:
    """Return the seconds since 1970 of a date in a `strptime` form, taken as UTC; raises ValueError."""
    try:
        return datetime.strptime(value, form).replace(tzinfo=timezone.utc).timestamp()
    except (TypeError, ValueError):
        raise ValueError(f"{where}: field {name!r} must be a date of the form {form}") from None


def _iso(value: str) -> datetime:
    # Python 3.10 does not read "Z".
    return datetime.fromisoformat(value[:-1] + "+00:00" if value[-1:] in "Zz" else value)


def _refuse_surrogates(value: str, name: str, where: str) -> None:
    """Raise ValueError for half a character, which JSON can write and no store can hold."""
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ValueError(f"{where}: field {name!r} holds a lone surrogate, which is no text")


def _type(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
