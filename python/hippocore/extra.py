"""The part of a version that the core keeps without looking inside: tags, metadata, links, and ids said by the caller.

Encoded as a msgpack map with sorted keys and nothing that is empty, so that equal values have equal bytes. A link of
the usual type and weight is its id, any other a list of id, type and weight.
"""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from hippocore.links import Link

_MAXIMUM_DEPTH: Final = 100
_EMPTY: Final = b"\x80"
_UNREADABLE: Final = "the stored tags and metadata cannot be read"


class Extra(NamedTuple):
    """Tags, metadata (JSON values), links, the id this version supersedes, and the id its caller gave.

    `name` is what an agent gave as id: it leads here for those who see this memory, and is no id of the store.
    """

    tags: tuple[str, ...] = ()
    metadata: dict[str, Any] = {}  # noqa: RUF012  (read-only by convention: unpack makes a new one each time)
    links: tuple[Link, ...] = ()
    supersedes: str | None = None
    id: str | None = None
    name: str | None = None

    def __repr__(self) -> str:
        return f"Extra(tags={len(self.tags)}, metadata={len(self.metadata)}, links={len(self.links)})"


def pack_extra(
    tags: Sequence[str] = (),
    metadata: Mapping[str, Any] | None = None,
    links: Sequence[str] = (),
    supersedes: str | None = None,
    id: str | None = None,
    name: str | None = None,
) -> bytes:
    """Return the canonical bytes of these values.

    Raises TypeError for metadata that is no JSON value, ValueError for numbers, nesting or text that cannot be kept
    (NaN, infinities, integers beyond 64 bits, more than 100 levels, lone surrogates).
    """
    if not (tags or metadata or links or supersedes is not None or id is not None or name is not None):
        return _EMPTY
    fields: dict[str, Any] = {}
    if id is not None:
        fields["id"] = id
    if links:
        fields["links"] = list(map(_kept_link, links))
    if metadata:
        fields["metadata"] = json_value(metadata)
    if name is not None:
        fields["name"] = name
    if supersedes is not None:
        fields["supersedes"] = supersedes
    if tags:
        fields["tags"] = list(tags)
    return _encode(fields)


def unpack_extra(data: bytes) -> Extra:
    """Return the values that `pack_extra` encoded; empty bytes are empty values.

    Raises ValueError for bytes that it would not have made of any values; the bytes may come from a stranger.
    """
    if data == _EMPTY or not data:
        return Extra(metadata={})
    fields = _decode(data)
    if not isinstance(fields, dict):
        raise ValueError(_UNREADABLE)
    extra = Extra(
        tags=_stored_texts(fields.get("tags", [])),
        metadata=fields.get("metadata", {}),
        links=_stored_links(fields.get("links", [])),
        supersedes=fields.get("supersedes"),
        id=fields.get("id"),
        name=fields.get("name"),
    )
    texts = (extra.supersedes, extra.id, extra.name)
    if not (all(map(_is_text_or_none, texts)) and _is_stored_metadata(extra.metadata)):
        raise ValueError(_UNREADABLE)
    return extra


def _stored_texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(_UNREADABLE)
    return tuple(values)


def _kept_link(link: str) -> str | list[Any]:
    return str(link) if not isinstance(link, Link) or link.is_plain else [str(link), link.type, link.weight]


def _stored_links(values: Any) -> tuple[Link, ...]:
    if not isinstance(values, list):
        raise ValueError(_UNREADABLE)
    return tuple(map(_stored_link, values)) if values else ()


def _stored_link(value: Any) -> Link:
    """Return the link; only one that is not of the usual type and weight is a list."""
    said = value if isinstance(value, list) and len(value) == 3 and type(value[2]) is float else [value]
    try:
        link = Link(*said)
    except (TypeError, ValueError):
        raise ValueError(_UNREADABLE) from None
    if link.is_plain and value != str(link):
        raise ValueError(_UNREADABLE)
    return link


def _is_text_or_none(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _is_stored_metadata(value: Any) -> bool:
    return isinstance(value, dict) and _is_stored_json(value, 0)


def _is_stored_json(value: Any, depth: int) -> bool:
    """Return whether `json_value` would have let it pass; bytes, times and other extension types are none."""
    if value is None or isinstance(value, (str, bool, int)):
        return True
    if isinstance(value, float):
        return math.isfinite(value)
    if depth >= _MAXIMUM_DEPTH:
        return False
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_stored_json(inner, depth + 1) for key, inner in value.items())
    return isinstance(value, list) and all(_is_stored_json(inner, depth + 1) for inner in value)


def json_value(value: Any, *, name: str = "metadata", depth: int = 0) -> Any:
    """Return a copy of a JSON value with mappings sorted and tuples made lists; raises as `pack_extra` does."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int):
        return _checked_integer(value, name)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{name} holds a number that is not finite")
        return value
    if depth >= _MAXIMUM_DEPTH:
        raise ValueError(f"{name} is nested more than {_MAXIMUM_DEPTH} levels deep")
    if isinstance(value, Mapping):
        return _checked_mapping(value, name, depth)
    if isinstance(value, (list, tuple)):
        return [json_value(item, name=name, depth=depth + 1) for item in value]
    raise TypeError(f"{name} holds a {type(value).__name__}; only JSON values can be kept")


def _checked_integer(value: int, name: str) -> int:
    if not -(2**63) <= value < 2**64:
        raise ValueError(f"{name} holds an integer beyond 64 bits")
    return int(value)


def _checked_mapping(value: Mapping[Any, Any], name: str, depth: int) -> dict[str, Any]:
    if not all(isinstance(key, str) for key in value):
        raise TypeError(f"{name} holds a key that is not a string; only JSON values can be kept")
    return {key: json_value(value[key], name=name, depth=depth + 1) for key in sorted(value)}


def _encode(fields: dict[str, Any]) -> bytes:
    import msgpack

    with suppress(UnicodeEncodeError):  # and not raised from: the original error carries the text
        return bytes(msgpack.packb(fields))
    raise ValueError("tags, metadata and ids must be text without lone surrogates")


def _decode(data: bytes) -> Any:
    """Return what the bytes encode, None where they encode nothing: msgpack's exceptions carry the bytes."""
    import msgpack

    try:
        return msgpack.unpackb(data)
    except Exception:  # they share no base class
        return None
