"""What newer memories seem to outdate: the link that says so, and what a context leaves out by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hippocore.facets import link_facet
from hippocore.links import Link
from hippocore.ranking import Ranking
from hippocore.records import checked_extra, public_id_of
from hippocore.scored import row_of

if TYPE_CHECKING:
    from hippocore.handle import Handle
    from hippocore.scored import Scored

TYPE: Final = "outdates"
_TYPE_AS_KEPT: Final = TYPE.encode()  # in the bytes of a memory that has such a link
_NEWEST_FIRST: Final = Ranking(relevance=0, recency=1, importance=0, usage=0)
_LOOKED_AT: Final = 16  # of what links to a memory


def outdating_link(identifier: str) -> Link:
    """Return the link to what a memory seems to outdate; it passes no relevance on."""
    return Link(identifier, TYPE, 0.0)


def is_outdated(handle: Handle, key: bytes, now: int) -> bool:
    """Return whether a live memory of the store says that it outdates one."""
    store = handle.store
    row = store.get([key])[0]
    names = {key.hex(), public_id_of(row)}
    asked = store.new_filter(now=now, scopes=[row[3]], any_links=[link_facet(name) for name in sorted(names)])
    linking = store.recall(None, asked, _NEWEST_FIRST.compiled(store.new_weights), _LOOKED_AT)
    return any(
        link.type == TYPE and str(link) in names
        for i in range(len(linking))
        for link in checked_extra(linking[i]).links
    )


def outdated_among(handle: Handle, hits: Sequence[Scored]) -> set[bytes]:
    """Return the keys of those hits that another one of them outdates."""
    rows = (row for row in map(row_of, hits) if _TYPE_AS_KEPT in row[2])
    named = {handle.names.key_of(link) for row in rows for link in checked_extra(row).links if link.type == TYPE}
    return named & {hit.key for hit in hits} if named else named
