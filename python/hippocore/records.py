"""Versions between the two worlds: a store's rows, the record that the writing verbs change, and Memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from hippocore.extra import Extra, pack_extra, unpack_extra
from hippocore.facets import facets_of
from hippocore.stores.protocol import NEVER, QUARANTINED, SUPERSEDED, TRUST_NAMES, UNSET, RowTuple, State, VersionTuple
from hippocore.terms import merge_keys
from hippocore.times import as_datetime
from hippocore.types import Memory


@dataclass(slots=True, repr=False)
class Record:
    """The newest version of a memory, open to change until it is written again. Its repr shows no content."""

    key: bytes
    content: str
    extra: Extra
    scope: str
    kind: str
    source: str
    created_at: int
    valid_from: int
    event_time: int
    tokens: int
    version: int
    state: State

    def __repr__(self) -> str:
        return f"Record(id={self.public_id!r}, version={self.version})"

    @property
    def public_id(self) -> str:
        """The id as its caller knows it."""
        return self.extra.id or self.key.hex()

    @property
    def has_event_time(self) -> bool:
        """Whether its caller said when it happened."""
        return self.event_time != UNSET

    @property
    def superseded(self) -> bool:
        """Whether another memory took its place."""
        return bool(self.state.flags & SUPERSEDED)

    @property
    def quarantined(self) -> bool:
        """Whether it waits for a person to release it."""
        return bool(self.state.flags & QUARANTINED)

    def expired(self, now: int) -> bool:
        """Return whether it is hidden at that moment."""
        return self.state.expires_at <= now


def record_of(row: RowTuple) -> Record:
    """Return the record of a store's row."""
    key, content, extra, scope, kind, source, created_at, valid_from, event_time, tokens, version, state = row
    times = (created_at, valid_from, event_time)
    return Record(key, content, unpack_extra(extra), scope, kind, source, *times, tokens, version, State(*state))


def superseded(record: Record, moment: int) -> Record:
    """Return a memory as it is after another one took its place at that moment."""
    state = record.state
    return replace(record, state=state._replace(flags=state.flags | SUPERSEDED, valid_until=moment))


def version_of(record: Record) -> VersionTuple:
    """Return a record as the store takes it, with the keys and facets that are made from it."""
    text_key, merge_key = merge_keys(record.scope, record.kind, record.content)
    return (
        record.key,
        record.scope,
        record.kind,
        record.source,
        record.created_at,
        record.valid_from,
        record.event_time,
        text_key,
        merge_key,
        record.tokens,
        record.version,
        record.state,
        record.content,
        pack_extra(*record.extra),
        facets_of(record.extra.tags, record.extra.metadata),
        b"",
    )


def memory_of(row: RowTuple) -> Memory:
    """Return the Memory of a store's row."""
    key, content, extra, scope, kind, source, created_at, valid_from, event_time, tokens, version, state = row
    importance, _, _, use_count, flags, trust, last_used, expires_at, valid_until, archived_at = state
    said = unpack_extra(extra)
    return Memory(
        id=said.id or key.hex(),
        content=content,
        scope=scope,
        kind=kind,
        importance=importance,
        tags=said.tags,
        source=source or None,
        trust=TRUST_NAMES[trust],  # type: ignore[arg-type]  # the table's names are the type's
        metadata=said.metadata,
        links=said.links,
        tokens=tokens,
        created_at=as_datetime(created_at),
        event_time=_moment(event_time),
        last_used_at=as_datetime(last_used) if use_count else None,
        use_count=use_count,
        expires_at=_moment(expires_at),
        version=version,
        valid_from=as_datetime(valid_from),
        valid_until=_moment(valid_until),
        supersedes=said.supersedes,
        archived_at=_moment(archived_at),
        quarantined=bool(flags & QUARANTINED),
    )


def public_id_of(row: RowTuple) -> str:
    """Return the id of a row as its caller knows it."""
    return (row[2] and unpack_extra(row[2]).id) or row[0].hex()


def _moment(moment: int) -> datetime | None:
    return None if moment in (UNSET, NEVER) else as_datetime(moment)
