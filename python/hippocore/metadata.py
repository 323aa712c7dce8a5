"""Metadata at the door: JSON values under string keys, and nothing else.

Messages name the key where it is a plain name, never the value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hippocore.arguments import refuse_surrogates
from hippocore.extra import json_value

_LONGEST_NAME: Final = 32


def checked_metadata(metadata: Any) -> dict[str, Any]:
    """Return a copy of metadata that holds JSON values only; None is no metadata.

    Raises TypeError for what JSON has no value for, ValueError for NaN, infinity, whole numbers beyond 64 bits, lone
    surrogates and deep nesting.
    """
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        raise TypeError(f"metadata must be a mapping, not {type(metadata).__name__}")
    return {_checked_key(key): _checked_value(key, metadata[key]) for key in metadata}


def checked_conditions(conditions: Any) -> dict[str, Any]:
    """Return what a filter asks metadata to be equal to; raises ValueError for operators, which there are none of."""
    checked = checked_metadata(conditions)
    for key, value in checked.items():
        if isinstance(value, dict) and any(name.startswith("$") for name in value):
            raise ValueError(f"{_shown(key)} asks for an operator: a filter compares for equality only")
    return checked


def _checked_key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"metadata keys must be strings, not {type(key).__name__}")
    refuse_surrogates(key, "a metadata key")
    return str(key)


def _checked_value(key: str, value: Any) -> Any:
    checked = json_value(value, name=_shown(key))
    _refuse_inner_surrogates(checked, _shown(key))
    return checked


def _shown(key: str) -> str:
    """Return how a message names a key: one that is long or has digits may be content, or a secret."""
    plain = len(key) <= _LONGEST_NAME and key.replace("-", "_").isidentifier() and not any(map(str.isdigit, key))
    return f"metadata {key!r}" if plain else "metadata"


def _refuse_inner_surrogates(value: Any, name: str) -> None:
    if isinstance(value, str):
        refuse_surrogates(value, name)
    elif isinstance(value, list):
        for inner in value:
            _refuse_inner_surrogates(inner, name)
    elif isinstance(value, dict):
        for key, inner in value.items():
            refuse_surrogates(key, name)
            _refuse_inner_surrogates(inner, name)
