"""The list in a model's answer: an answer is a stranger's text, of which only the JSON that was asked for counts."""

from __future__ import annotations

import json
import re
from typing import Any, Final

_LONGEST_ANSWER: Final = 50_000


def list_named(name: str, answer: str) -> list[Any] | None:
    """Return the list in an answer that holds {"name": [...]}, with or without prose around it; None where it has none.

    What is in the list may be anything that JSON has, NaN and infinities too.
    """
    if len(answer) > _LONGEST_ANSWER:
        return None
    begins = re.search(rf'\{{\s*"{re.escape(name)}"\s*:', answer)
    if begins is None:
        return None
    try:
        given, _ = json.JSONDecoder().raw_decode(answer, begins.start())
    except (ValueError, RecursionError):
        return None
    items = given[name]
    return items if isinstance(items, list) else None
