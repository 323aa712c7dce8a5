"""Results as JSON: frozen records become objects, moments ISO text in UTC."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence, Set
from datetime import datetime, timedelta
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hippocore import Context, Scored

SCORED = ("score", "relevance", "recency", "importance", "usage", "similarity", "lexical", "why")


def plain(value: Any) -> Any:
    """Return the value made of what JSON has: objects, lists, text, numbers, true, false, null."""
    if isinstance(value, str):
        return getattr(value, "as_json", value)  # a link has more to say than its id
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (Sequence, Set)):
        return [plain(item) for item in value]
    if isinstance(value, PathLike):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def plain_scored(found: Sequence[Scored]) -> list[dict[str, Any]]:
    """Return recalled memories in their order: rank, score, signals, why, and the memory."""
    return [
        {"rank": rank, **{name: getattr(scored, name) for name in SCORED}, "memory": plain(scored.memory)}
        for rank, scored in enumerate(found, 1)
    ]


def packed_fields(packed: Context, budget: int) -> dict[str, Any]:
    """Return a packed context: the block, its tokens and the budget, what went in, what did not, confidence."""
    return {
        "text": packed.text,
        "tokens": packed.tokens,
        "budget": budget,
        "memories": plain_scored(packed.memories),
        "skipped": plain(packed.skipped),
        "confidence": packed.confidence,
    }


def print_json(value: Any) -> None:
    """Print the value on stdout, in ASCII: it parses under any encoding and commands no terminal."""
    print(json.dumps(plain(value), indent=2))
