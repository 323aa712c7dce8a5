"""Which memories a policy looks at: those of one scope that take part, in order of time, a window at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hippocore.errors import MemoryNotFound, ReadOnlyStore
from hippocore.handle import Handle
from hippocore.records import Record, record_of
from hippocore.scopes import Scopes, scope_texts
from hippocore.stores.protocol import NEVER, UNSET, Vectors

WINDOW: Final = 20_000
"""The most memories that are held, and compared with one another, at once."""
_PAGE: Final = 500


def scopes_to_change(handle: Handle, scope: Scopes, *, subtree: bool) -> list[str]:
    """Return the scopes, in their text form, that have memories among those asked for and may be changed.

    ALL is what may be read and written. Raises AccessDenied for a scope that is named without the right.
    """
    asked = scope_texts(scope)
    if asked is not None and handle.rights is not None:
        handle.rights.require_read(asked)
        handle.rights.require_write(asked)
    there = [name for name, _ in handle.store.scopes(handle.now())]
    if asked is None:
        return [name for name in there if _may_change(handle, name)]
    below = tuple(f"{name}/" for name in asked) if subtree else ()
    return [name for name in there if name in asked or name.startswith(below)]


def require_writable(handle: Handle, verb: str) -> None:
    """Raise ReadOnlyStore where a verb could write nothing, before it works for it."""
    if handle.store.read_only:
        raise ReadOnlyStore(f"the store {handle.store.path!r} was opened to read only: {verb} writes")


def windows(handle: Handle, scope: str, kinds: Sequence[str] | None) -> Iterator[list[Record]]:
    """Give the live memories of a scope, of these kinds or of all, in windows of the order in which they were written.

    Each window is in order of what happened. What was forgotten since the first one was given is left out.
    """
    keys = _keys(handle, scope, kinds)
    for start in range(0, len(keys), WINDOW):
        yield sorted(_records(handle, keys[start : start + WINDOW]), key=in_time)


def newest(handle: Handle, scope: str, count: int, wanted: Callable[[Record], bool]) -> list[Record]:
    """Return those of a scope's live memories that are wanted, at most `count` and the last written, in order of time.

    Looks at no more than the last 20,000.
    """
    keys, found = _keys(handle, scope, None)[-WINDOW:], list[Record]()
    while keys and len(found) < count:
        keys, page = keys[:-_PAGE], keys[-_PAGE:]
        found = [*filter(wanted, _records(handle, page)), *found]
    return sorted(found[-count:], key=in_time)


def with_vectors(handle: Handle, records: list[Record]) -> tuple[list[Record], Vectors]:
    """Return the records that are still there, and their vectors (n, dim)."""
    while True:
        try:
            return records, handle.store.get_vectors([record.key for record in records])
        except MemoryNotFound:  # forgotten since they were read
            records = [record for record in records if handle.store.contains(record.key)]


def happened_at(record: Record) -> int:
    """Return when it happened, as its caller said it; else when it was written (microseconds)."""
    return record.created_at if record.event_time in (UNSET, NEVER) else record.event_time


def in_time(record: Record) -> tuple[int, int]:
    """Return what memories are sorted by: when it happened, when it was written; of equals the order written stays."""
    return happened_at(record), record.created_at


def _keys(handle: Handle, scope: str, kinds: Sequence[str] | None) -> list[bytes]:
    wanted = None if kinds is None else list(kinds)
    return handle.store.select_ids(handle.store.new_filter(now=handle.now(), scopes=[scope], kinds=wanted))


def _records(handle: Handle, keys: list[bytes]) -> list[Record]:
    """Return the newest versions of those that are still there, read page by page: what is to end may end between."""
    pages = (_page(handle, keys[start : start + _PAGE]) for start in range(0, len(keys), _PAGE))
    return [record for page in pages for record in page]


def _page(handle: Handle, keys: list[bytes]) -> list[Record]:
    while True:
        try:
            rows = handle.store.get(keys)
        except MemoryNotFound:  # forgotten since they were selected
            keys = list(filter(handle.store.contains, keys))
        else:
            return [record_of(rows[i]) for i in range(len(rows))]


def _may_change(handle: Handle, scope: str) -> bool:
    return handle.rights is None or (handle.rights.may_read(scope) and handle.rights.may_write(scope))
