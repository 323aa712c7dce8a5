"""What newer memories seem to outdate: the link that says so, and what a context leaves out by it.

Anybody may write such a link, so it counts only between two memories of one scope, where the one that has it is
trusted no less, was created no earlier, and tells of no earlier time. Its id is read as the owner's, whoever looks:
what agents call memories of their own leads nobody elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hippocore.facets import link_facet
from hippocore.identifiers import key_of
from hippocore.links import Link
from hippocore.ranking import Ranking
from hippocore.records import checked_extra, public_id_of
from hippocore.stores.protocol import UNSET

if TYPE_CHECKING:
    from hippocore.handle import Handle
    from hippocore.stores.protocol import RowTuple

TYPE: Final = "outdates"
_TYPE_AS_KEPT: Final = TYPE.encode()  # in the bytes of a memory that has such a link
_NEWEST_FIRST: Final = Ranking(relevance=0, recency=1, importance=0, usage=0)
_LOOKED_AT: Final = 16  # of what links to a memory


def outdating_link(identifier: str) -> Link:
    """Return the link to what a memory seems to outdate; it passes no relevance on."""
    return Link(identifier, TYPE, 0.0)


def outdating_links(links: Sequence[Link]) -> list[Link]:
    """Return those of a memory's links that say what it seems to outdate."""
    return [link for link in links if link.type == TYPE]


def is_outdated(handle: Handle, key: bytes, now: int) -> bool:
    """Return whether a live memory of the store outdates one; no for one that is not in the store."""
    store = handle.store
    if not store.contains(key):
        return False
    row = store.get([key])[0]
    names = {key.hex(), public_id_of(row)}
    asked = store.new_filter(now=now, scopes=[row[3]], any_links=[link_facet(name) for name in sorted(names)])
    linking = store.recall(None, asked, _NEWEST_FIRST.compiled(store.new_weights), _LOOKED_AT)
    return any(key in _named_by(linking[i]) and _may_outdate(linking[i], row) for i in range(len(linking)))


def outdated_among(found: Sequence[RowTuple]) -> set[bytes]:
    """Return the keys of those rows that another one of them outdates."""
    named = [(row, keys) for row in found if (keys := _named_by(row))]
    rows = {row[0]: row for row in found} if named else {}
    return {key for newer, keys in named for key in keys if key in rows and _may_outdate(newer, rows[key])}


def _named_by(row: RowTuple) -> set[bytes]:
    """Return the keys of what a memory says that it outdates."""
    if _TYPE_AS_KEPT not in row[2]:
        return set()
    return {key_of(str(link)) for link in outdating_links(checked_extra(row).links)}


def _may_outdate(newer: RowTuple, older: RowTuple) -> bool:
    """Whether a memory may say of another one that it outdates it."""
    key, _, _, scope, _, _, created_at, _, event_time, _, _, state = newer
    key_of_older, _, _, its_scope, _, _, its_created_at, began, happened, _, _, its_state = older
    told_of = happened if happened != UNSET else began
    return (
        key != key_of_older
        and scope == its_scope
        and state[5] >= its_state[5]
        and created_at >= its_created_at
        and not (event_time != UNSET and event_time < told_of)
    )
