"""What retrieval is measured by: small pure functions of ranks, numbered from 1.

`ranks` are those of the pieces of evidence of one question, one each, None for a piece that was not found. There is
always at least one piece.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence

Rank = int | None


def ranks_of(found: Sequence[str], expected: Iterable[Collection[str]]) -> list[Rank]:
    """Return for each piece of evidence the rank of the first entry found that is it, None where none is."""
    place = {name: rank for rank, name in reversed(list(enumerate(found, 1)))}
    return [min((place[name] for name in piece if name in place), default=None) for piece in expected]


def recall(ranks: Sequence[Rank], k: int) -> float:
    """Return the share of the evidence that is among the first k."""
    return _within(ranks, k) / len(ranks)


def recall_any(ranks: Sequence[Rank], k: int) -> float:
    """Return 1 where any evidence is among the first k, else 0 (also called hit rate, or success at k)."""
    return float(_within(ranks, k) > 0)


def recall_all(ranks: Sequence[Rank], k: int) -> float:
    """Return 1 where all evidence is among the first k, else 0."""
    return float(_within(ranks, k) == len(ranks))


def ndcg(ranks: Sequence[Rank], k: int) -> float:
    """Return the normalised discounted cumulated gain at k: sum of 1 / log2(1 + rank), over the best possible sum.

    A piece of evidence gains 1, at the first entry that is it. "Cumulated gain-based evaluation of IR techniques", ACM
    Transactions on Information Systems 20(4), 2002, with the discount log2(1 + rank) that has become usual since.
    """
    gained = sum(_gain(rank) for rank in ranks if rank is not None and rank <= k)
    return gained / sum(_gain(rank) for rank in range(1, min(len(ranks), k) + 1))


def reciprocal_rank(ranks: Sequence[Rank]) -> float:
    """Return 1 / the rank of the first evidence, 0 where none was found; its mean is the MRR.

    "The TREC-8 Question Answering Track Report", Text Retrieval Conference 8, 1999.
    """
    return 1 / min((rank for rank in ranks if rank is not None), default=math.inf)


def precision(found: Sequence[str], expected: Iterable[Collection[str]]) -> float:
    """Return the share of what was found that is evidence; 0 where nothing was found."""
    wanted = {name for piece in expected for name in piece}
    return sum(name in wanted for name in found) / len(found) if found else 0.0


def staleness(found: Sequence[str], outdated: Collection[str], k: int) -> float:
    """Return 1 where an outdated entry is among the first k, else 0: a reader would take it for true."""
    return float(any(name in outdated for name in found[:k]))


def auroc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """Return how often one of `right` is above one of `wrong`, equal counting half: 1 tells all apart, 0.5 none.

    The area under the receiver operating characteristic, as "The meaning and use of the area under a ROC curve",
    Radiology 143(1), 1982, shows. Raises ValueError where one of them is empty.
    """
    if not right or not wrong:
        raise ValueError("there must be values of both sides")
    below = sorted(wrong)
    wins = sum(bisect_left(below, value) + bisect_right(below, value) for value in right)
    return wins / (2 * len(right) * len(wrong))


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least that share of the values does not exceed (nearest rank); 0 for none."""
    if not values:
        return 0.0
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _within(ranks: Sequence[Rank], k: int) -> int:
    return sum(rank is not None and rank <= k for rank in ranks)


def _gain(rank: int) -> float:
    return 1 / math.log2(1 + rank)
