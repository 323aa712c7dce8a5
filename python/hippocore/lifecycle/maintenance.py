"""Maintenance: look at all memories at once, then let go of those that are due, batch by batch.

Nobody waits for it: it looks without a lock, and takes the writer's lock for a batch at a time. Under the lock a memory
that was changed or used since it was looked at is left for the next run. Each batch is one commit, so that a crash
leaves whole batches, and the next run goes on. What is looked at are columns, and of what goes no more than its id is
read: the memories themselves only where they are archived.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from hippocore.handle import Handle
from hippocore.lifecycle.history import OldVersions
from hippocore.lifecycle.judgement import Cause, Settings, chosen_rows, expired, judge, judge_archived, strengths
from hippocore.lifecycle.strength import Array
from hippocore.retention import Place, Retention
from hippocore.stores.protocol import ARCHIVED, Columns, State, StateTuple
from hippocore.times import in_words, seconds
from hippocore.types import WAYS, Gone, Maintenance

Progress = Callable[[int, int], None]
_AT_ONCE: Final = 2_000
_GONE: Final = partial(tuple.__new__, Gone)  # what Gone._make calls, without a call in Python for each of many
_LISTED_UNDER: Final[dict[int, str]] = {
    Cause.EXPIRED: "expired",
    Cause.TOO_OLD: "expired",
    Cause.TOO_WEAK: "pruned",
    Cause.CROWDED_SCOPE: "evicted",
    Cause.CROWDED_STORE: "evicted",
    Cause.SUPERSEDED_LONG_AGO: "ended",
    Cause.ARCHIVED_LONG_AGO: "ended",
}
_ARCHIVABLE: Final = (Cause.TOO_OLD, Cause.TOO_WEAK, Cause.CROWDED_SCOPE, Cause.CROWDED_STORE)
_WHO_GOES_FIRST: Final = {
    "score": "the weakest go first",
    "least_recently_used": "the least recently used go first",
    "sample": "drawn by importance",
}
# What has to be as it was when it was looked at.
_DECIDING: Final = ("valid_from", "importance", "use_count", "last_used", "expires_at", "valid_until", "flags")


class Places(NamedTuple):
    """The scopes that are looked at, in their text form; None is all of the store."""

    scopes: list[str] | None
    subtree: bool


class _Due(NamedTuple):
    """The memories of one look at the store that are to go, by what, and why in words.

    `look`: the conditions by which they were found.
    """

    look: dict[str, Any]
    memories: Columns
    causes: Array
    reasons: list[str]


def maintain(handle: Handle, places: Places, now: int, *, dry_run: bool, progress: Progress | None) -> Maintenance:
    """Let go of what is due at a moment, or only say what would go."""
    settings = Settings(handle.retention, handle.ranking, now, places.scopes is None and handle.rights is None)
    places = _changeable(places, handle)
    if not dry_run:
        handle.store.write([], None)  # what is queued: uses that count; and raises where nothing can be written
    found, looked_at = _look(handle, places, settings)
    old = OldVersions(handle, places._asdict(), settings.forgotten_until, _leaving(found, settings))
    gone: dict[str, list[Gone]] = {name: [] for name in WAYS}
    done, total = 0, sum(len(due.causes) for due in found) + len(old)

    def went(count: int) -> None:
        nonlocal done
        done += count
        if progress is not None:
            progress(done, total)

    for due, part in _batches(found):
        _let_go(handle, due, part, settings, gone, dry_run=dry_run)
        went(len(due.causes[part]))
    versions = len(old) if dry_run else old.let_go(went)
    ways = {name: tuple(those) for name, those in gone.items()}
    return Maintenance(**ways, versions=versions, looked_at=looked_at, dry_run=dry_run)


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

    What was superseded or put in quarantine is due by an expires_at of its own, the former also as history that is not
    kept; what was archived also by its age.
    """
    found, looked_at = [], 0
    for archived, quarantined in product((False, True), repeat=2):
        look = {"expired": True, "superseded": True, "archived": archived, "quarantined": quarantined}
        memories = handle.store.columns(handle.store.new_filter(now=settings.now, **places._asdict(), **look))
        if quarantined:
            causes = expired(memories, settings.now)
        else:
            causes = judge_archived(memories, settings) if archived else judge(memories, settings)
        found.append(_due(look, memories, causes, settings))
        looked_at += len(causes)
    return found, looked_at


def _due(look: dict[str, Any], memories: Columns, causes: Array, settings: Settings) -> _Due:
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
    return _Due(look, chosen, named, reasons)


def _reason(cause: Cause, kind: str, retention: Retention) -> str:
    """Return why such a memory goes; for one that is too weak with a place for its strength."""
    if cause == Cause.EXPIRED:
        return "its expires_at has passed"
    if cause == Cause.TOO_OLD:
        return f"older than its kind lives, {in_words(retention.ttl_of(kind) or 0)}"
    if cause == Cause.TOO_WEAK:
        return f"its strength %.3g is below {retention.prune_below[kind]:g}"
    if cause in (Cause.SUPERSEDED_LONG_AGO, Cause.ARCHIVED_LONG_AGO):
        what = "superseded" if cause == Cause.SUPERSEDED_LONG_AGO else "archived"
        return f"{what} longer ago than history is kept, {in_words(seconds(retention.history or 0, 'history'))}"
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
    rows = np.arange(len(due.causes))[part]
    with nullcontext() if dry_run else handle.writing():
        if not dry_run:
            rows = rows[_still_due(handle, due, part)]
        rows, ids = _with_ids(handle, due, rows)
        aside, keys = _is_archived(due.causes[rows], settings), due.memories["keys"][rows]
        if not dry_run and ids:
            handle.store.write([], None, _archived(handle, keys[aside], settings.now), keys[~aside])
    _list(due, rows, aside, ids, settings, gone)


def _is_archived(causes: Array, settings: Settings) -> Array:
    """Whether each is archived instead of forgotten."""
    return np.isin(causes, _ARCHIVABLE) if settings.retention.action == "archive" else np.zeros(len(causes), bool)


def _leaving(found: list[_Due], settings: Settings) -> set[bytes]:
    """Return the keys of what is forgotten."""
    due = (one.memories["keys"][~_is_archived(one.causes, settings)] for one in found)
    return {key for keys in due for key in map(bytes, keys)} if settings.forgotten_until is not None else set()


def _still_due(handle: Handle, due: _Due, part: slice) -> Array:
    """Return the positions in a batch of what still is as it was looked at: neither gone, nor used or changed since."""
    keys = due.memories["keys"][part]
    now = handle.store.columns(handle.store.new_filter(now=0, ids=keys, **due.look))
    where = np.arange(len(keys))
    if not np.array_equal(now["keys"], keys):  # nearly always all are there
        places = {bytes(key): place for place, key in enumerate(keys)}
        where = np.array([places[bytes(key)] for key in now["keys"]], np.intp)
    before: dict[str, Any] = {name: due.memories[name][part][where] for name in _DECIDING}
    same = [now[name] == before[name] for name in _DECIDING]
    return np.sort(where[np.logical_and.reduce(same)])


def _with_ids(handle: Handle, due: _Due, rows: Array) -> tuple[Array, list[str]]:
    """Return the rows that are still there, and the ids under which they are shown.

    A dry run holds no lock: one may go while it reads.
    """
    keys = due.memories["keys"][rows]
    extras = handle.store.extras(keys)
    there = [place for place, extra in enumerate(extras) if extra is not None]
    return rows[there], handle.names.ids_of(keys[there].tobytes(), [extra for extra in extras if extra is not None])


def _archived(handle: Handle, keys: Array, now: int) -> list[tuple[bytes, StateTuple]]:
    if not len(keys):
        return []
    rows = handle.store.get([key.tobytes() for key in keys])
    states = ((rows[i][0], State(*rows[i][-1])) for i in range(len(rows)))
    return [(key, state._replace(flags=state.flags | ARCHIVED, archived_at=now)) for key, state in states]


def _list(
    due: _Due, rows: Array, aside: Array, ids: list[str], settings: Settings, gone: dict[str, list[Gone]]
) -> None:
    """Add what went to the lists of what goes in the same way, in the order of `rows`."""
    memories, kinds = due.memories, due.memories["kind_names"]
    ages = np.maximum(0, settings.now - memories["created_at"][rows]) / 1e6
    named = [kinds[kind] for kind in memories["kinds"][rows].tolist()]
    reasons = [due.reasons[row] for row in rows.tolist()]
    said = list(map(_GONE, zip(ids, reasons, named, ages.tolist(), strict=True)))
    ways = np.array([WAYS.index(_LISTED_UNDER.get(cause, "expired")) for cause in range(len(Cause))])[due.causes[rows]]
    ways[aside] = WAYS.index("archived")
    for way in np.unique(ways).tolist():
        gone[WAYS[way]] += [said[place] for place in np.flatnonzero(ways == way).tolist()]
