"""The lines of an export: a header, then one version a line, as JSON with sorted keys. Pure: lines <-> records.

Times are whole microseconds since 1970 (UTC), embeddings base64 of little-endian float32, ids as their callers know
them. What is not set is left out, so that equal versions have equal lines. Errors name a field, never its value.
"""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass
from typing import Any, Final

from hippocore.extra import Extra
from hippocore.identifiers import is_literal, key_of
from hippocore.records import Record
from hippocore.stores.protocol import NEVER, TRUST_NAMES, UNSET, WRITTEN, State, Vectors
from hippocore.transfer_fields import FLAGS, checked_header, checked_version

FORMAT: Final = "hippocore export"
FORMAT_VERSION: Final = 1
_COLUMNS: Final = ("content", "scope", "kind", "created_at", "valid_from", "tokens", "version")


@dataclass(frozen=True)
class Header:
    """What an export says about the store it came from, and how many lines follow."""

    dim: int
    embedder: str
    tokenizer: str
    embeddings: bool
    versions: int


def header_line(header: Header) -> bytes:
    """Return the first line of an export, its line end included."""
    return _line({"format": FORMAT, "version": FORMAT_VERSION, **asdict(header)})


def read_header(line: bytes) -> Header:
    """Return the header that a line holds; raises ValueError saying what is wrong."""
    fields = _object(line)
    if fields.get("format") != FORMAT:
        raise ValueError(f"field 'format' must be {FORMAT!r}: this is no export of hippocore")
    if fields.get("version") != FORMAT_VERSION:
        raise ValueError(f"field 'version' must be {FORMAT_VERSION}: the export was made by another release")
    del fields["format"], fields["version"]
    return Header(**checked_header(fields))


def version_line(record: Record, vector: Vectors | None) -> bytes:
    """Return a version's line, its line end included; without the vector when there is none."""
    state = record.state
    fields = {
        "id": record.public_id,
        "name": record.extra.name,
        "version": record.version,
        "content": record.content,
        "scope": record.scope,
        "kind": record.kind,
        "source": record.source or None,
        "created_at": record.created_at,
        "valid_from": record.valid_from,
        "valid_until": _set(state.valid_until),
        "event_time": _set(record.event_time),
        "expires_at": _set(state.expires_at),
        "archived_at": _set(state.archived_at),
        "last_used": state.last_used,
        "use_count": state.use_count,
        "importance": state.importance,
        "confidence": state.confidence,
        "stability": state.stability,
        "trust": TRUST_NAMES[state.trust],
        "flags": [name for name, flag in FLAGS.items() if state.flags & flag] or None,
        "tokens": record.tokens,
        "tags": list(record.extra.tags) or None,
        "metadata": record.extra.metadata or None,
        "links": [link.as_json for link in record.extra.links] or None,
        "supersedes": record.extra.supersedes,
        "embedding": None if vector is None else base64.b64encode(vector.astype("<f4").tobytes()).decode(),
    }
    return _line({name: value for name, value in fields.items() if value is not None})


def read_version(line: bytes, dim: int | None) -> tuple[Record, Vectors | None]:
    """Return the version that a line holds, and its vector where it has one; raises ValueError naming the field.

    `dim` is the dimension of the export's vectors, None where its header says that it has none.
    """
    fields = checked_version(_object(line))
    vector = fields.get("embedding")
    if vector is not None and dim is None:
        raise ValueError("field 'embedding' is there, and the header says that there are none")
    if vector is not None and vector.shape != (dim,):
        raise ValueError(f"field 'embedding' has dimension {vector.shape[0]}, the header says {dim}")
    identifier = fields["id"]
    if "name" in fields and not is_literal(identifier):
        raise ValueError("field 'name' stands beside an id of 32 digits only")
    extra = Extra(
        tags=fields.get("tags", ()),
        metadata=fields.get("metadata", {}),
        links=fields.get("links", ()),
        supersedes=fields.get("supersedes"),
        id=None if is_literal(identifier) else identifier,
        name=fields.get("name"),
    )
    state = State(
        importance=fields["importance"],
        confidence=fields["confidence"],
        stability=fields["stability"],
        use_count=fields["use_count"],
        flags=WRITTEN | fields.get("flags", 0),
        trust=fields["trust"],
        last_used=fields["last_used"],
        expires_at=fields.get("expires_at", NEVER),
        valid_until=fields.get("valid_until", NEVER),
        archived_at=fields.get("archived_at", UNSET),
    )
    record = Record(
        key=key_of(identifier),
        extra=extra,
        source=fields.get("source", ""),
        event_time=fields.get("event_time", UNSET),
        state=state,
        **{name: fields[name] for name in _COLUMNS},
    )
    return record, vector


def _line(fields: dict[str, Any]) -> bytes:
    text = json.dumps(fields, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode() + b"\n"


def _object(line: bytes) -> dict[str, Any]:
    fields, reason = _decoded(line)
    if reason:
        raise ValueError(reason)
    if not isinstance(fields, dict):
        raise ValueError("it is no JSON object")
    return fields


def _decoded(line: bytes) -> tuple[Any, str]:
    """Return the JSON value, and why there is none: the decoder's exceptions carry the line."""
    try:
        return json.loads(line.decode(), object_pairs_hook=_without_repeats, parse_constant=_refuse_constant), ""
    except _RepeatedNameError as error:
        return None, str(error)
    except (ValueError, RecursionError):
        return None, "it is no JSON in UTF-8"


class _RepeatedNameError(ValueError):
    pass


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _RepeatedNameError("it names a field twice")
    return fields


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _set(moment: int) -> int | None:
    return None if moment in (NEVER, UNSET) else moment
