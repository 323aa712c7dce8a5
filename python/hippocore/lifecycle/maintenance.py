"""Maintenance: look at all memories at once, then let go of those that are due, batch by batch.

Nobody waits for it: it looks without a lock, and takes the writer's lock for a batch at a time. Under the lock a memory
that was changed or used since it was looked at is left for the next run. Each batch is one commit, so that a crash
leaves whole batches, and the next run goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from itertools import compress, product
from typing import Final, NamedTuple

import numpy as np

from hippocore.errors import MemoryNotFound
from hippocore.handle import Handle
from hippocore.lifecycle.judgement import Cause, Settings, chosen_rows, expired, judge, judge_archived, strengths
from hippocore.lifecycle.strength import Array
from hippocore.retention import Place, Retention
from hippocore.stores.protocol import ARCHIVED, Columns, Rows, RowTuple, State, StateTuple, Store
from hippocore.types import WAYS, Gone, Maintenance

Progress = Callable[[int, int], None]
_AT_ONCE: Final = 2_000
_DAY: Final = 86_400.0
_LISTED_UNDER: Final[dict[int, str]] = {
    Cause.EXPIRED: "expired",
    Cause.TOO_OLD: "expired",
    Cause.TOO_WEAK: "pruned",
    Cause.CROWDED_SCOPE: "evicted",
    Cause.CROWDED_STORE: "evicted",
}
_WHO_GOES_FIRST: Final = {
    "score": "the weakest go first",
    "least_recently_used": "the least recently used go first",
    "sample": "drawn by importance",
}
# What has to be as it was when it was looked at: the columns, in the order of `_still_due`.
_DECIDING: Final = ("valid_from", "importance", "use_count", "last_used", "expires_at", "flags")


class Places(NamedTuple):
    """The scopes that are looked at, in their text form; None is all of the store."""

    scopes: list[str] | None
    subtree: bool


class _Due(NamedTuple):
    """The memories of one look at the store that are to go, by what, and why in words."""

    memories: Columns
    causes: list[int]
    reasons: list[str]


def maintain(handle: Handle, places: Places, now: int, *, dry_run: bool, progress: Progress | None) -> Maintenance:
    """Let go of what is due at a moment, or only say what would go."""
    settings = Settings(handle.retention, handle.ranking, now, places.scopes is None and handle.rights is None)
    places = _changeable(places, handle)
    if not dry_run:
        handle.store.write([], None)  # what is queued: uses that count; and raises where nothing can be written
    found, looked_at = _look(handle, places, settings)
    gone: dict[str, list[Gone]] = {name: [] for name in WAYS}
    done, total = 0, sum(len(due.causes) for due in found)
    for due, part in _batches(found):
        _let_go(handle, due, part, settings, gone, dry_run=dry_run)
        done += len(due.causes[part])
        if progress is not None:
            progress(done, total)
    return Maintenance(**{name: tuple(those) for name, those in gone.items()}, looked_at=looked_at, dry_run=dry_run)


def _changeable(places: Places, handle: Handle) -> Places:
    """Return the places for an agent: ALL is what it reads and writes; what it names it must read and write."""
    if handle.rights is None:
        return places
    if places.scopes is None:
        return Places(handle.rights.changeable(), subtree=True)
    handle.rights.require_read(places.scopes)
    handle.rights.require_write(places.scopes)
    return places


def _look(handle: Handle, places: Places, settings: Settings) -> tuple[list[_Due], int]:
    """Return what is due, and how many memories were looked at.

    What was superseded or put in quarantine is due by an expires_at of its own only, what was archived also by its age.
    """
    found, looked_at = [], 0
    for archived, quarantined in product((False, True), repeat=2):
        asked = handle.store.new_filter(
            now=settings.now,
            scopes=places.scopes,
            subtree=places.subtree,
            expired=True,
            superseded=True,
            archived=archived,
            quarantined=quarantined,
        )
        memories = handle.store.columns(asked)
        if quarantined:
            causes = expired(memories, settings.now)
        else:
            causes = judge_archived(memories, settings) if archived else judge(memories, settings)
        found.append(_due(memories, causes, settings))
        looked_at += len(causes)
    return found, looked_at


def _due(memories: Columns, causes: Array, settings: Settings) -> _Due:
    rows = np.flatnonzero(causes)
    chosen, named, kinds = chosen_rows(memories, rows), causes[rows], memories["kind_names"]
    pairs = named.astype(np.int64) * len(kinds) + chosen["kinds"]  # one number for a cause and a kind
    said = {
        pair: _reason(Cause(pair // len(kinds)), kinds[pair % len(kinds)], settings.retention)
        for pair in np.unique(pairs).tolist()
    }
    reasons = [said[pair] for pair in pairs.tolist()]
    weak = np.flatnonzero(named == Cause.TOO_WEAK)
    for place, strength in zip(weak.tolist(), strengths(chosen_rows(chosen, weak), settings).tolist(), strict=True):
        reasons[place] %= strength
    return _Due(chosen, named.tolist(), reasons)


def _reason(cause: Cause, kind: str, retention: Retention) -> str:
    """Return why such a memory goes; for one that is too weak with a place for its strength."""
    if cause == Cause.EXPIRED:
        return "its expires_at has passed"
    if cause == Cause.TOO_OLD:
        return f"older than its kind lives, {(retention.ttl_of(kind) or 0) / _DAY:g} days"
    if cause == Cause.TOO_WEAK:
        return f"its strength %.3g is below {retention.prune_below[kind]:g}"
    place: Place = "scope" if cause == Cause.CROWDED_SCOPE else "store"
    return f"more than {retention.most(place)} in its {place}; {_WHO_GOES_FIRST[retention.evict]}"


def _batches(found: list[_Due]) -> Iterator[tuple[_Due, slice]]:
    for due in found:
        for first in range(0, len(due.causes), _AT_ONCE):
            yield due, slice(first, first + _AT_ONCE)


def _let_go(
    handle: Handle, due: _Due, part: slice, settings: Settings, gone: dict[str, list[Gone]], *, dry_run: bool
) -> None:
    """Forget or archive one batch, in one commit, and list what went."""
    changes: list[tuple[bytes, StateTuple]] = []
    forgets: list[bytes] = []
    archives = settings.retention.action == "archive"
    with nullcontext() if dry_run else handle.writing():
        for row, cause, reason in _still_due(handle, due, part):
            name = _LISTED_UNDER[cause]
            if archives and cause != Cause.EXPIRED:
                name = "archived"
                changes.append((row[0], _archived(row, settings.now)))
            else:
                forgets.append(row[0])
            age = max(0, settings.now - row[6]) / 1e6
            gone[name].append(Gone(handle.names.id_of_row(row), reason, row[4], age))
        if not dry_run and (changes or forgets):
            handle.store.write([], None, changes, forgets)


def _still_due(handle: Handle, due: _Due, part: slice) -> Iterator[tuple[RowTuple, int, str]]:
    """Yield the rows of a batch that still are what was looked at: neither gone, nor used or changed since."""
    there, rows = _read(handle.store, [key.tobytes() for key in due.memories["keys"][part]])
    looked_at = zip(*(due.memories[name][part].tolist() for name in _DECIDING), strict=True)
    left = compress(zip(looked_at, due.causes[part], due.reasons[part], strict=True), there)
    for place, (before, cause, reason) in enumerate(left):
        row = rows[place]
        importance, _, _, use_count, flags, _, last_used, expires_at, _, _ = row[11]
        if (row[7], importance, use_count, last_used, expires_at, flags) == before:
            yield row, cause, reason


def _read(store: Store, keys: list[bytes]) -> tuple[list[bool], Rows]:
    """Return which memories are there, nearly always all, and their rows.

    A dry run holds no lock: one may go while it reads.
    """
    there = [True] * len(keys)
    while True:
        with suppress(MemoryNotFound):
            return there, store.get(list(compress(keys, there)))
        there = [store.contains(key) for key in keys]


def _archived(row: RowTuple, now: int) -> State:
    state = State(*row[-1])
    return state._replace(flags=state.flags | ARCHIVED, archived_at=now)
