"""Forgetting: by id, or all that is in a scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from hippocore.arguments import checked_flag, checked_text, checked_texts
from hippocore.facets import tag_facet
from hippocore.handle import Handle
from hippocore.rights import Rights
from hippocore.scopes import Scopes, scope_texts
from hippocore.stores.protocol import Store
from hippocore.times import Moment, microseconds


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
        keys = list(_selected_keys(handle.store, _changeable(asked, handle.rights), now))
        _forget_keys(handle.store, keys)
    if purge:
        handle.store.compact()
    return len(keys)


def _changeable(asked: Condition, rights: Rights | None) -> Condition:
    """Return the condition for an agent: ALL is what it reads and writes; what it names it must read and write."""
    if rights is None:
        return asked
    if asked.scopes is None:
        return replace(asked, scopes=rights.changeable(), subtree=True)
    rights.require_read(asked.scopes)
    rights.require_write(asked.scopes)
    return asked


def _forget_keys(store: Store, keys: list[bytes]) -> None:
    if keys:
        store.write([], None, (), keys)


def _selected_keys(store: Store, asked: Condition, now: int) -> Iterator[bytes]:
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
                superseded=True,
                archived=archived,
                quarantined=quarantined,
            )
        )
