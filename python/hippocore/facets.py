r"""Facets: the bytes a filter can ask for, one for each tag, metadata pair and link. Made here for both sides.

A tag is `t` and its text; a pair is `m`, its key, a NUL and its value's canonical JSON, in which no NUL can stand. A
long value is replaced by `#` and its digest, which no JSON starts with. A link is `l` and the 16 bytes of the key that
its id stands for in the store, whatever its type and weight.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from hippocore.identifiers import key_of

_LONGEST_VALUE: Final = 64


def facets_of(tags: Iterable[str], metadata: Mapping[str, Any], links: Iterable[str]) -> list[bytes]:
    """Return the facets of a memory with these tags, this metadata and these links."""
    facets = [*map(tag_facet, tags), *pair_facets(metadata)]
    return [*facets, *dict.fromkeys(map(link_facet, links))] if links else facets


def tag_facet(tag: str) -> bytes:
    """Return the facet of one tag."""
    return b"t" + tag.encode()


def pair_facets(metadata: Mapping[str, Any]) -> list[bytes]:
    """Return the facet of each pair of checked metadata."""
    return [b"m" + key.encode() + b"\0" + _value(value) for key, value in metadata.items()]


def link_facet(identifier: str) -> bytes:
    """Return the facet of what has a link to an id."""
    return b"l" + key_of(identifier)


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value: keys sorted, a whole number the same as int and as float."""
    import json

    return json.dumps(_canonical(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _value(value: Any) -> bytes:
    text = canonical_json(value).encode()
    if len(text) <= _LONGEST_VALUE:
        return text
    from hashlib import blake2b

    return b"#" + blake2b(text, digest_size=16).hexdigest().encode()


def _canonical(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _canonical(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_canonical(inner) for inner in value]
    return value
