"""Recall with a reranker: the best of a ranking, put in order anew by a function of the caller's.

The reranker decides the order of the `rerank` best, and nothing else. Their scores are dealt out again, the highest to
what it puts first: so results still fall by score, from 0 to 1, above what was not reranked, and a context is packed by
the new order. `Scored.reranked` is what the reranker said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hippocore import expanded_recall
from hippocore.arguments import checked_count
from hippocore.deferred import Deferred
from hippocore.reading import Found, Question
from hippocore.scopes import scope_texts
from hippocore.scored import Reranked, Scored, row_of

if TYPE_CHECKING:
    from hippocore import anticipation, drilled_recall, linked_recall
    from hippocore.anticipation import Asked
    from hippocore.filters import Conditions
    from hippocore.handle import Handle
else:
    anticipation = Deferred("hippocore.anticipation")
    drilled_recall = Deferred("hippocore.drilled_recall")
    linked_recall = Deferred("hippocore.linked_recall")

BEST: Final = 50
"""How many of the best a reranker is asked about unless a call says."""


def recall(handle: Handle, asked: Conditions, question: Question, rerank: int | None) -> Found:
    """Return what a recall finds, the best reranked; what is asked by no text is not, unless it must be."""
    found = _recall(handle, asked, question, rerank)
    if question.query is not None and (hearing := handle.anticipation) is not None:
        hearing.heard(_as_asked(question.query, asked, question))
    return found


def _recall(handle: Handle, asked: Conditions, question: Question, rerank: int | None) -> Found:
    ask = linked_recall.recall if question.expand_links != 0 else expanded_recall.recall
    if question.drill_down is not False:
        ask = partial(drilled_recall.recall, ask=ask)
    best = _checked_best(handle, rerank, by_text=question.query is not None)
    if not best:
        return ask(handle, asked, question)
    found = ask(handle, asked, _with_room(question, best))
    return found._replace(hits=_reranked(handle, question.query, found.hits, best)[: question.limit])


def recall_many(
    handle: Handle, asked: Conditions, question: Question, queries: Any, embeddings: Any, rerank: int | None
) -> list[list[Scored]]:
    """Return the hits of a recall for each of several texts or vectors, as `recall` gives them."""
    best = _checked_best(handle, rerank, by_text=queries is not None)
    if not best:
        return expanded_recall.recall_many(handle, asked, question, queries, embeddings)
    if isinstance(queries, Iterable) and not isinstance(queries, (str, bytes, Mapping)):
        queries = list(queries)
    found = expanded_recall.recall_many(handle, asked, _with_room(question, best), queries, embeddings)
    for i, (query, hits) in enumerate(zip(queries, found, strict=True)):
        found[i] = _reranked(handle, query, hits, best)[: question.limit]
    return found


def _as_asked(query: str, asked: Conditions, question: Question) -> Asked:
    scopes = scope_texts(asked.scope)
    places = None if scopes is None else tuple(scopes)
    return anticipation.Asked(query, places, asked.subtree, question.mode, question.rewrite, question.expand)


def _checked_best(handle: Handle, rerank: int | None, *, by_text: bool) -> int:
    """Return how many to rerank; raises ValueError where it was asked for and cannot be."""
    if rerank is None:
        return BEST if handle.reranker is not None and by_text else 0
    best = checked_count(rerank, "rerank")
    if best and handle.reranker is None:
        raise ValueError("rerank= needs a reranker: open the store with MemoryLayer(reranker=...)")
    if best and not by_text:
        raise ValueError("rerank= needs a query: a reranker reads texts")
    return best


def _with_room(question: Question, best: int) -> Question:
    """Return the question for as many as are reranked, where fewer are wanted in the end."""
    limit = checked_count(question.limit, "limit")
    return question._replace(limit=max(limit, best) if limit else 0)


def _reranked(handle: Handle, query: str | None, hits: Sequence[Scored], best: int) -> list[Scored]:
    first, rest = list(hits[:best]), list(hits[best:])
    if not first or query is None or handle.reranker is None:
        return first + rest
    scores = handle.reranker.scores(query, [row_of(hit)[1] for hit in first])
    if scores is None:
        return first + rest
    order = sorted(range(len(first)), key=lambda i: -scores[i])  # of equal ones, the former order stays
    return [Reranked(first[i], first[place].score, scores[i]) for place, i in enumerate(order)] + rest
