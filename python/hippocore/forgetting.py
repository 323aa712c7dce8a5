"""Forgetting: by id, or all that is in a scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from hippocore.arguments import checked_flag, checked_text, checked_texts
from hippocore.facets import tag_facet
from hippocore.handle import Handle
from hippocore.records import Record, record_of
from hippocore.scopes import Scopes, scope_texts
from hippocore.stores.protocol import Store
from hippocore.times import Moment, microseconds

_SLOTS_AT_ONCE: Final = 4096


def forget(handle: Handle, identifiers: Any, *, purge: bool) -> int:
    """Forget one id or several, all or none; returns how many memories are gone."""
    checked_flag(purge, "purge")
    with handle.writing():
        keys = handle.existing_keys(identifiers)
        _forget_keys(handle.store, keys)
    if purge:
        handle.store.compact()
    return len(keys)


@dataclass(frozen=True, slots=True)
class Condition:
    """Which memories go: None is no condition, an empty list one that nothing meets. `before` is in microseconds."""

    scopes: list[str] | None
    subtree: bool
    before: int | None
    kinds: list[str] | None
    source: str | None
    tags: list[str] | None


def condition(
    scope: Scopes,
    *,
    subtree: bool,
    before: Moment | None,
    kinds: Iterable[str] | None,
    source: str | None,
    tags: Iterable[str] | None,
) -> Condition:
    """Return the checked arguments of forget_where."""
    return Condition(
        scopes=scope_texts(scope),
        subtree=checked_flag(subtree, "subtree"),
        before=None if before is None else microseconds(before, "before"),
        kinds=None if kinds is None else checked_texts(kinds, "kinds"),
        source=None if source is None else checked_text(source, "source"),
        tags=None if tags is None else checked_texts(tags, "tags"),
    )


def forget_where(handle: Handle, asked: Condition, *, purge: bool) -> int:
    """Forget every memory that meets the condition, whatever became of it: live, expired, superseded or put aside."""
    checked_flag(purge, "purge")
    with handle.writing() as now:
        keys = list(dict.fromkeys([*_current_keys(handle.store, asked, now), *_superseded_keys(handle.store, asked)]))
        _forget_keys(handle.store, keys)
    if purge:
        handle.store.compact()
    return len(keys)


def _forget_keys(store: Store, keys: list[bytes]) -> None:
    if keys:
        store.write([], None, (), keys)


def _current_keys(store: Store, asked: Condition, now: int) -> Iterator[bytes]:
    facets = None if asked.tags is None else [tag_facet(tag) for tag in asked.tags]
    for archived, quarantined in product((False, True), repeat=2):
        yield from store.select_ids(
            store.new_filter(
                now=now,
                scopes=asked.scopes,
                subtree=asked.subtree,
                kinds=asked.kinds,
                source=asked.source,
                any_facets=facets,
                until=asked.before,
                expired=True,
                archived=archived,
                quarantined=quarantined,
            )
        )


def _superseded_keys(store: Store, asked: Condition) -> Iterator[bytes]:
    """Yield the memories that another one superseded. No filter selects them, so every version is looked at."""
    stats = store.stats()
    if stats["versions"] == stats["memories"]:
        return
    ended = {record.key: record for record in _all_versions(store)}
    for key, record in ended.items():
        if record.superseded and _meets(record, asked):
            yield key


def _all_versions(store: Store) -> Iterator[Record]:
    """Yield every version, an id's newest one last."""
    slot = 0
    while True:
        rows, slot = store.versions(slot, _SLOTS_AT_ONCE)
        yield from (record_of(rows[i]) for i in range(len(rows)))
        if slot == 0:
            return


def _meets(record: Record, asked: Condition) -> bool:
    time = record.event_time if record.has_event_time else record.created_at
    return (
        (asked.scopes is None or _is_in(record.scope, asked.scopes, asked.subtree))
        and (asked.kinds is None or record.kind in asked.kinds)
        and (asked.source is None or record.source == asked.source)
        and (asked.tags is None or any(tag in record.extra.tags for tag in asked.tags))
        and (asked.before is None or time < asked.before)
    )


def _is_in(scope: str, scopes: list[str], subtree: bool) -> bool:
    return scope in scopes or (subtree and any(scope.startswith(f"{above}/") for above in scopes))
