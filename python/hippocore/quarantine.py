"""Out of quarantine: what a person has looked at takes part from then on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hippocore.handle import Handle
from hippocore.identifiers import key_of
from hippocore.records import Record, superseded, version_of
from hippocore.stores.protocol import QUARANTINED, UNSET


def release(handle: Handle, identifiers: Any) -> None:
    """Let memories out, all or none; those that are not in quarantine stay as they are.

    Each gets a new version that begins now, so that `as_of` an earlier moment sees what was seen then. Where it was to
    supersede a memory, that one ends now, unless it has ended already.
    """
    keys = handle.names.keys_of(identifiers)
    with handle.writing() as now:
        handle.existing_keys(identifiers)
        records = [handle.record(key, identifier, now) for key, identifier in keys.items()]
        waiting = [record for record in records if record.quarantined and not record.superseded]
        if not waiting:
            return
        ended = [_ended_by(handle, record, now) for record in waiting]
        released = [_released(record, old, now) for record, old in zip(waiting, ended, strict=True)]
        vectors = handle.store.get_vectors([record.key for record in waiting])
        pairs = zip(released, ended, strict=True)
        changes = {old.key: superseded(old, new.valid_from).state for new, old in pairs if old is not None}
        handle.store.write(list(map(version_of, released)), vectors, list(changes.items()))


def _ended_by(handle: Handle, record: Record, now: int) -> Record | None:
    """Return the memory that a released one supersedes; None when it named none, or that has ended meanwhile."""
    named = record.extra.supersedes
    if named is None or not handle.store.contains(key := key_of(named)):
        return None
    ended = handle.record(key, named, UNSET)
    return None if ended.superseded or ended.expired(now) else ended


def _released(record: Record, ended: Record | None, now: int) -> Record:
    begins = max(now, record.valid_from, ended.valid_from if ended is not None else now)
    state = record.state._replace(flags=record.state.flags & ~QUARANTINED)
    return replace(record, state=state, version=record.next_version, valid_from=begins)
