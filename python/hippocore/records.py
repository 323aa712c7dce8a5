"""Versions between the two worlds: a store's rows, the record that the writing verbs change, and Memory."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from hippocore.deferred import Deferred
from hippocore.errors import CorruptStore
from hippocore.extra import Extra, pack_extra, unpack_extra
from hippocore.facets import facets_of
from hippocore.identifiers import key_of
from hippocore.stores.protocol import (
    ARCHIVED,
    FORGOTTEN,
    LARGEST_COUNT,
    NEVER,
    QUARANTINED,
    SUPERSEDED,
    TRUST_NAMES,
    UNSET,
    WRITTEN,
    RowTuple,
    State,
    VersionTuple,
)
from hippocore.times import EARLIEST, LATEST, as_datetime
from hippocore.types import Memory

if TYPE_CHECKING:
    from hippocore import lexical_terms, terms
else:
    lexical_terms = Deferred("hippocore.lexical_terms")
    terms = Deferred("hippocore.terms")

_KNOWN_FLAGS: Final = WRITTEN | SUPERSEDED | FORGOTTEN | ARCHIVED | QUARANTINED
_OPEN: Final = (UNSET, NEVER)  # what stands for no moment


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
    def superseded(self) -> bool:
        """Whether another memory took its place."""
        return bool(self.state.flags & SUPERSEDED)

    @property
    def quarantined(self) -> bool:
        """Whether it waits for a person to release it."""
        return bool(self.state.flags & QUARANTINED)

    @property
    def next_version(self) -> int:
        """The number of the version after this one; raises CorruptStore where a hostile store left none."""
        if self.version >= LARGEST_COUNT:
            raise _corrupt(self.key, "no number is left for another version")
        return self.version + 1

    def expired(self, now: int) -> bool:
        """Return whether it is hidden at that moment."""
        return self.state.expires_at <= now


def record_of(row: RowTuple) -> Record:
    """Return the record of a store's row; raises CorruptStore as `checked_extra` does."""
    key, content, _, scope, kind, source, created_at, valid_from, event_time, tokens, version, state = row
    times = (created_at, valid_from, event_time)
    return Record(key, content, checked_extra(row), scope, kind, source, *times, tokens, version, State(*state))


def superseded(record: Record, moment: int) -> Record:
    """Return a memory as it is after another one took its place at that moment."""
    state = record.state
    return replace(record, state=state._replace(flags=state.flags | SUPERSEDED, valid_until=moment))


def version_of(record: Record) -> VersionTuple:
    """Return a record as the store takes it, with the keys, facets and terms that are made from it."""
    text_key, merge_key = terms.merge_keys(record.scope, record.kind, record.content)
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
        facets_of(record.extra.tags, record.extra.metadata, record.extra.links),
        lexical_terms.document_terms(record.content),
    )


def memory_of(row: RowTuple) -> Memory:
    """Return the Memory of a store's row; raises CorruptStore as `checked_extra` does."""
    key, content, _, scope, kind, source, created_at, valid_from, event_time, tokens, version, state = row
    importance, confidence, _, use_count, flags, trust, last_used, expires_at, valid_until, archived_at = state
    said = checked_extra(row)
    created = as_datetime(created_at)
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
        created_at=created,
        event_time=_moment(event_time),
        last_used_at=as_datetime(last_used) if use_count else None,
        use_count=use_count,
        expires_at=_moment(expires_at),
        version=version,
        valid_from=created if valid_from == created_at else as_datetime(valid_from),
        valid_until=_moment(valid_until),
        supersedes=said.supersedes,
        archived_at=_moment(archived_at),
        quarantined=bool(flags & QUARANTINED),
        confidence=round(confidence, 6),  # kept in single precision
    )


def public_id_of(row: RowTuple) -> str:
    """Return the id of a row as its caller knows it; raises CorruptStore as `checked_extra` does."""
    return checked_extra(row).id or row[0].hex()


def happened(row: RowTuple) -> datetime:
    """Return when what a row tells of happened, as its caller said it; else when it was written."""
    return as_datetime(row[6] if row[8] in _OPEN else row[8])


def checked_extra(row: RowTuple) -> Extra:
    """Return a row's tags, metadata, links and ids.

    A store may come from a stranger: raises CorruptStore, naming the id, for any value in the row that no release
    writes, so that nothing behind this point has to expect one.
    """
    key, _, extra, _, _, _, created_at, valid_from, event_time, _, _, state = row
    importance, confidence, stability, _, flags, trust, last_used, expires_at, valid_until, archived_at = state
    said = extra_of(key, extra)
    if not (0.0 <= importance <= 1.0 and 0.0 <= confidence <= 1.0 and 0.0 <= stability < math.inf):
        raise _corrupt(key, "its importance, confidence or stability is impossible")
    if not 0 <= trust < len(TRUST_NAMES) or flags & ~_KNOWN_FLAGS:
        raise _corrupt(key, "its trust or its flags are unknown")
    if not (
        EARLIEST <= created_at <= LATEST
        and EARLIEST <= valid_from <= LATEST
        and EARLIEST <= last_used <= LATEST
        and (EARLIEST <= event_time <= LATEST or event_time in _OPEN)
        and (expires_at == NEVER or EARLIEST <= expires_at <= LATEST)
        and (valid_until == NEVER or EARLIEST <= valid_until <= LATEST)
        and (archived_at == UNSET or EARLIEST <= archived_at <= LATEST)
    ):
        raise _corrupt(key, "one of its times is outside the years 1 to 9999")
    return said


def extra_of(key: bytes, extra: bytes) -> Extra:
    """Return what the bytes kept beside a memory say; raises CorruptStore, naming the id, where they say nothing."""
    try:
        return unpack_extra(extra)
    except ValueError as error:
        raise _corrupt(key, str(error)) from None


def check_kept(row: RowTuple) -> None:
    """Raise CorruptStore as `checked_extra` does, and where a row as it is kept claims the id of another memory.

    Only `verify` asks for that: a row that an agent is shown stands under the agent's own name for it.
    """
    if (identifier := checked_extra(row).id) and key_of(identifier) != row[0]:
        raise _corrupt(row[0], "it claims the id of another memory")


def _corrupt(key: bytes, why: str) -> CorruptStore:
    return CorruptStore(f"the memory {key.hex()} is damaged, or was made by another program: {why}")


def _moment(moment: int) -> datetime | None:
    return None if moment in _OPEN else as_datetime(moment)
