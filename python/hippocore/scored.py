"""A recalled memory with the signals that ranked it, made only when somebody looks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from hippocore.deferred import Deferred

if TYPE_CHECKING:
    from hippocore import records
    from hippocore.stores.protocol import Hits, RowTuple, SignalsTuple
    from hippocore.types import Memory
else:
    records = Deferred("hippocore.records")

Weights = tuple[float, float, float, float]
_VALID_FROM: Final = 7  # where a row says when its version began


class Scored:
    """One hit of a recall: plain data that outlives the handle.

    `score` is the weighted sum of `relevance`, `recency`, `importance` and `usage`, each 0..1. `similarity` is the
    cosine, -1..1; `lexical` is the share of what the query's words tell that the memory holds, 0 in a dense recall.
    """

    __slots__ = ("_by", "_hits", "_index", "_memory", "_weights")

    def __init__(self, hits: Hits, index: int, weights: Weights, by: str = "") -> None:
        self._by = by
        self._hits = hits
        self._index = index
        self._weights = weights
        self._memory: Memory | None = None

    @property
    def memory(self) -> Memory:
        """The memory."""
        if self._memory is None:
            self._memory = records.memory_of(self._hits[self._index])
        return self._memory

    @property
    def id(self) -> str:
        """The memory's id."""
        return records.public_id_of(self._hits[self._index])

    @property
    def key(self) -> bytes:
        """The memory's id as the store keeps it."""
        return self._hits[self._index][0]

    @property
    def score(self) -> float:
        """The weighted sum of the four signals; results fall by it."""
        return self._hits.signals(self._index)[0]

    @property
    def relevance(self) -> float:
        """Of similarity and words, as `mode` says (`MemoryLayer.recall`)."""
        return self._hits.signals(self._index)[1]

    @property
    def recency(self) -> float:
        """0.5 to the power of age / half-life of the kind."""
        return self._hits.signals(self._index)[2]

    @property
    def importance(self) -> float:
        """The memory's importance."""
        return self._hits.signals(self._index)[3]

    @property
    def usage(self) -> float:
        """ln(1 + uses) / ln(1 + usage_saturation), at most 1."""
        return self._hits.signals(self._index)[4]

    @property
    def similarity(self) -> float:
        """The cosine between query and memory, -1..1; 0 without a query or for a zero vector."""
        return self._hits.signals(self._index)[5]

    @property
    def lexical(self) -> float:
        """The share of what the query's words tell that the memory holds, 0..1; 0 in a dense recall."""
        return self._hits.signals(self._index)[6]

    @property
    def reranked(self) -> float | None:
        """What a reranker gave to the memory; None where none was asked."""
        return None

    @property
    def why(self) -> str:
        """One line that says how the score came about, and of a hybrid recall what spoke most for the memory.

        That is its meaning, its words (the name it is said under is one), what its neighbours and its source lent it,
        the date that the query asks about, or a link that it was reached along. Of what was found by another wording
        of the query, by which kind of it.
        """
        score, *signals, similarity, lexical, most = self._hits.signals(self._index)
        names = ("relevance", "recency", "importance", "usage")
        parts = (f"{name} {value:.2f} x {w:.2f}" for name, value, w in zip(names, signals, self._weights, strict=False))
        legs = [f"similarity {similarity:.2f}"] if similarity else []
        legs += [f"words {lexical:.2f}"] if lexical else []
        mostly = f"; mostly {most}" if most else ""
        by = f"; by {self._by}" if self._by else ""
        return f"score {score:.3f} = {' + '.join(parts)}{'; ' if legs else ''}{', '.join(legs)}{mostly}{by}"

    def __repr__(self) -> str:
        return f"Scored(id={self.id!r}, {self.why})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scored) and self._plain() == other._plain()

    def __hash__(self) -> int:
        return hash((self.id, self.score))

    def __reduce__(self) -> tuple[Any, ...]:
        return scored_row, self._plain()

    def _plain(self) -> tuple[RowTuple, SignalsTuple, Weights, str]:
        return self._hits[self._index], self._hits.signals(self._index), self._weights, self._by


class Reranked(Scored):
    """A hit that a reranker put in its place; `score` is the place's, the other signals are the memory's own."""

    __slots__ = ("_score", "_scored_by")

    def __init__(self, hit: Scored, score: float, scored_by: float) -> None:
        super().__init__(hit._hits, hit._index, hit._weights, hit._by)
        self._score = score
        self._scored_by = scored_by

    @property
    def score(self) -> float:
        """What the ranking before gave to this place; results fall by it."""
        return self._score

    @property
    def reranked(self) -> float:
        """What the reranker gave to the memory."""
        return self._scored_by

    @property
    def why(self) -> str:
        """One line that says which place the reranker's score gave, and how the score before came about."""
        return f"reranker {self._scored_by:.3g} for the place of score {self._score:.3f}; before, {super().why}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reranked) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash((self.id, self._score))

    def __reduce__(self) -> tuple[Any, ...]:
        return reranked_row, self._all()

    def _all(self) -> tuple[Any, ...]:
        return *self._plain(), self._score, self._scored_by


class _OneHit:
    """A hit by itself; enough of `Hits` for Scored."""

    __slots__ = ("_row", "_signals")

    def __init__(self, row: RowTuple, signals: SignalsTuple) -> None:
        self._row = row
        self._signals = signals

    def __getitem__(self, index: int) -> RowTuple:
        return self._row

    def signals(self, index: int) -> SignalsTuple:
        return self._signals


def row_of(hit: Scored) -> RowTuple:
    """Return the store's row of a hit, as its viewer may see it; a part of it costs less than the whole memory."""
    return hit._hits[hit._index]


def newest(hit: Scored) -> tuple[int, bytes]:
    """Return what decides among equals: which version began last, then the id."""
    row = row_of(hit)
    return -row[_VALID_FROM], row[0]


def in_order(hits: Iterable[Scored]) -> list[Scored]:
    """Return hits in the order of every recall: by score, then newest, then id; of equal scores alone a row is read."""
    ordered: list[Scored] = []
    scored = sorted(((hit.score, hit) for hit in hits), key=itemgetter(0), reverse=True)
    for _, equal in groupby(scored, key=itemgetter(0)):
        several = [hit for _, hit in equal]
        ordered += sorted(several, key=newest) if len(several) > 1 else several
    return ordered


def found_by(hit: Scored, by: str) -> Scored:
    """Return a hit that says which kind of wording found it."""
    return Scored(hit._hits, hit._index, hit._weights, by)


def scored_row(row: RowTuple, signals: SignalsTuple, weights: Weights, by: str = "") -> Scored:
    """Return the hit of one row and its signals."""
    return Scored(_OneHit(row, signals), 0, weights, by)  # type: ignore[arg-type]  # Scored asks for one row and its signals


def reached_hit(hit: Scored, relevance: float, way: str) -> Scored:
    """Return a hit with the relevance that links to it give, and in `why` the link that it was reached along."""
    _, _, recency, importance, usage, similarity, lexical, _ = hit._hits.signals(hit._index)
    four = (relevance, recency, importance, usage)
    score = sum(weight * signal for weight, signal in zip(hit._weights, four, strict=True))
    return scored_row(row_of(hit), (score, *four, similarity, lexical, way), hit._weights)


def reranked_row(
    row: RowTuple, signals: SignalsTuple, weights: Weights, by: str, score: float, scored_by: float
) -> Reranked:
    """Return the reranked hit of one row."""
    return Reranked(scored_row(row, signals, weights, by), score, scored_by)
