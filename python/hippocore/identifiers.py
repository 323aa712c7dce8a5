"""Identifiers: 128 bits inside the store, a string outside.

A generated one is 48 bits of milliseconds and 80 random ones, shown as 32 hexadecimal digits, so that ids sort by age.
A caller may give any other string: 32 lower-case hexadecimal digits stand for themselves, everything else for its
BLAKE2b digest, and the string is kept beside the memory. What an agent gives is that agent's own name for the memory
and has a key of its own, so that names of agents that do not see one another never meet (`hippocore.names`).
"""

from __future__ import annotations

import re
from os import urandom
from typing import Any, Final

from hippocore.arguments import checked_text, checked_texts

SIZE: Final = 16
_LITERAL: Final = re.compile(r"[0-9a-f]{32}\Z")
_LATEST_MILLISECOND: Final = (1 << 48) - 1


def new_keys(count: int, now: int) -> list[bytes]:
    """Return that many new keys of a moment (microseconds), rising in the order in which they will be given out."""
    millisecond = min(max(now // 1000, 0), _LATEST_MILLISECOND)
    # The first random bit is dropped, so that counting up never carries into the time.
    first = millisecond << 80 | int.from_bytes(urandom(10), "big") >> 1
    return [(first + i).to_bytes(SIZE, "big") for i in range(count)]


def key_of(identifier: Any) -> bytes:
    """Return the 16 bytes that stand for a public id; raises TypeError or ValueError when it is no non-empty string."""
    text = checked_text(identifier, "an id")
    return bytes.fromhex(text) if is_literal(text) else _digest(text)


def keys_of(identifiers: Any) -> dict[bytes, str]:
    """Return the keys of one id or of several, each with the id as it was given, once, in their order."""
    return {key_of(identifier): identifier for identifier in checked_texts(identifiers, "ids")}


def name_key(*parts: str) -> bytes:
    """Return the key of a name from its parts, the agent that gave it first; the digest of no id is equal to it."""
    said = "".join(f"{len(part)}:{part}" for part in parts)  # lengths make the parts unambiguous
    return _digest(said, b"hippocore name")


def is_literal(identifier: str) -> bool:
    """Return whether an id stands for itself, so that nothing needs to be kept beside the memory."""
    return _LITERAL.match(identifier) is not None


def _digest(text: str, person: bytes = b"") -> bytes:
    from hashlib import blake2b

    return blake2b(text.encode(), digest_size=SIZE, person=person).digest()
