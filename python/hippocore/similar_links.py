"""Links by similarity: what a new memory is most like, in its scope."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import TYPE_CHECKING, Final

from hippocore.links import Link
from hippocore.ranking import Ranking
from hippocore.records import public_id_of

if TYPE_CHECKING:
    from hippocore.handle import Handle
    from hippocore.stores.protocol import Vectors

TYPE: Final = "similar"
MOST: Final = 3
_BY_SIMILARITY: Final = Ranking(relevance=1, recency=0, importance=0, usage=0)


def similar_links(
    handle: Handle, scope: str, vector: Vectors, now: int, least: float, ended: Collection[bytes]
) -> list[Link]:
    """Return links to at most 3 live memories of a scope, the most similar ones of at least that cosine, their weight.

    `ended` are keys of memories that are live in the store and will not be once the new one is written.
    """
    store = handle.store
    weights = _BY_SIMILARITY.compiled(store.new_weights)
    hits = store.recall(vector, store.new_filter(now=now, scopes=[scope]), weights, MOST + len(ended), least)
    alike = (i for i in range(len(hits)) if hits[i][0] not in ended)
    return [Link(public_id_of(hits[i]), TYPE, hits.signals(i)[1]) for i in islice(alike, MOST)]
