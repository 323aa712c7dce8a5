"""Reading: recall by score, and by id or in order of time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np

from hippocore.arguments import checked_choice, checked_content, checked_count, checked_flag, checked_fraction
from hippocore.deferred import Deferred
from hippocore.errors import MemoryNotFound
from hippocore.filters import Conditions, recall_filter
from hippocore.handle import Handle, not_found
from hippocore.identifiers import key_of
from hippocore.ranking import Ranking
from hippocore.scored import Scored, scored_row
from hippocore.times import microseconds
from hippocore.vectors import checked_vector, checked_vectors

if TYPE_CHECKING:
    from hippocore import dates, lexical_terms, questions, records, types
    from hippocore.stores.protocol import Hits, Period, QueryTerms, Rows, RowTuple, Store, Vectors
    from hippocore.types import Memory, ScopeInfo, StoreStats
else:
    dates = Deferred("hippocore.dates")
    lexical_terms = Deferred("hippocore.lexical_terms")
    questions = Deferred("hippocore.questions")
    records = Deferred("hippocore.records")
    types = Deferred("hippocore.types")

Mode = Literal["hybrid", "dense", "lexical"]
Order = Literal["newest", "oldest"]
Expansion = Literal["paraphrase", "hypothetical", "feedback"]
Shares = tuple[float, float, float, float]
_MODES: Final = ("hybrid", "dense", "lexical")
_MOST: Final = (1 << 31) - 1  # as many as a store can hold


class Question(NamedTuple):
    """What a recall asks and how it ranks, as its caller said it. Its repr does not show the query."""

    query: str | None
    embedding: Any
    limit: int
    min_relevance: float | None
    mode: str
    ranking: Ranking | None
    approximate: bool
    rewrite: bool
    expand: str | None = None
    expand_links: int = 0
    drill_down: bool = False

    def __repr__(self) -> str:
        return f"Question(limit={self.limit!r}, min_relevance={self.min_relevance!r})"


class Found(NamedTuple):
    """The hits of a recall, best first, and how surely what was asked for is stored; None where nothing tells."""

    hits: list[Scored]
    confidence: float | None


class Told(NamedTuple):
    """What a question asks of a store beside vectors and words, checked; `least` is (), or the least relevance."""

    shares: Shares
    moment: int
    eligible: Any
    weights: Any
    limit: int
    least: tuple[float, ...]

    @property
    def conditions(self) -> tuple[Any, ...]:
        """What follows a vector in a store's recalls."""
        return (self.eligible, self.weights, self.limit, *self.least)


def recall(handle: Handle, asked: Conditions, question: Question) -> Found:
    """Return what a recall finds."""
    how = told(handle, asked, question)
    conditions = how.conditions
    query, mode, store = subject(question, question.query), question.mode, handle.store
    if mode == "lexical":
        _require_words(question.embedding)
    vector = None if mode == "lexical" else query_vector(handle, query, question.embedding)
    if question.approximate:
        hits = store.recall_approximately(vector, *conditions)
    else:
        words: dict[str, Any] = {}
        if mode != "dense" and query is not None:
            terms, period = _query_terms(query, "query"), _period(store, question.query, mode, how)
            words = {"mode": mode, "terms": terms, "period": period}
        hits = store.recall(vector, *conditions, **words)
    return Found(shown(handle, hits, how.shares), hits.confidence)


def recall_many(
    handle: Handle, asked: Conditions, question: Question, queries: Any, embeddings: Any
) -> list[list[Scored]]:
    """Return the hits of a recall for each of several texts or vectors; the question's own are not looked at."""
    how = told(handle, asked, question)
    texts, vectors = asked_many(handle, question, queries, embeddings)
    return [found.hits for found in find_many(handle, question, how, texts, vectors)]


def asked_many(handle: Handle, question: Question, queries: Any, embeddings: Any) -> tuple[list[str] | None, Vectors]:
    """Return the texts, None where it is asked by vector, and the vectors of several that are asked."""
    _require_one(queries, embeddings)
    if question.mode == "lexical":
        _require_words(embeddings)
    if queries is None:
        return None, given_vectors(handle, embeddings)
    texts = [checked_content(text, f"query {i}") for i, text in enumerate(_as_list(queries, "queries", "texts"))]
    return texts, text_vectors(handle, question, texts)


def text_vectors(handle: Handle, question: Question, texts: Sequence[str]) -> Vectors:
    """Return the vectors (n, dimension) of what checked texts ask for; zeros where only words are asked."""
    if question.mode == "lexical" or not texts:
        return np.zeros((len(texts), handle.store.dim), np.float32)
    return handle.embed([subject(question, text) for text in texts])


def find_many(
    handle: Handle, question: Question, how: Told, texts: Sequence[str] | None, vectors: Vectors
) -> list[Found]:
    """Return what each vector finds, with its text for words and dates, all from one state of the store."""
    store, mode, conditions = handle.store, question.mode, how.conditions
    if not len(vectors):
        return []
    if question.approximate:
        found: Iterable[Hits] = (store.recall_approximately(vector, *conditions) for vector in vectors)
    else:
        words: dict[str, Any] = {}
        if texts is not None and mode != "dense":
            terms = [_query_terms(subject(question, text), f"query {i}") for i, text in enumerate(texts)]
            periods = [_period(store, text, mode, how) for text in texts]
            words = {"mode": mode, "terms": terms, "periods": periods}
        found = store.recall_many(vectors, *conditions, **words)
    return [Found(shown(handle, hits, how.shares), hits.confidence) for hits in found]


def query_vector(handle: Handle, query: str | None, embedding: Any) -> Vectors | None:
    """Return the vector of what was asked, by text or by vector; None when neither was given."""
    if embedding is not None:
        if query is not None:
            raise ValueError("give query or embedding, not both: they could disagree")
        return checked_vector(embedding, handle.store.dim)
    return None if query is None else handle.embed([checked_content(query, "query")])[0]


def given_vectors(handle: Handle, embeddings: Any) -> Vectors:
    """Return vectors (n, dimension) that were given; an error names the position."""
    given = _as_list(embeddings, "embeddings", "vectors")
    if not given:
        return np.zeros((0, handle.store.dim), np.float32)
    return checked_vectors(given, handle.store.dim, range(len(given)), "query")


def hit_vectors(handle: Handle, hits: Sequence[Scored]) -> Vectors:
    """Return the vectors of hits (n, dimension), zeros for what was forgotten since."""
    try:
        return handle.store.get_vectors([hit.key for hit in hits])
    except MemoryNotFound:
        return _vectors_one_by_one(handle, hits)


def _vectors_one_by_one(handle: Handle, hits: Sequence[Scored]) -> Vectors:
    vectors = np.zeros((len(hits), handle.store.dim), np.float32)
    for i, hit in enumerate(hits):
        try:
            vectors[i] = handle.store.get_vectors([hit.key])[0]
        except MemoryNotFound:  # like nothing else
            continue
    return vectors


def get(handle: Handle, identifier: str) -> Memory:
    """Return the newest version of a memory."""
    return handle.memory(_current_rows(handle, {handle.names.key_of(identifier): identifier})[0])


def contains(handle: Handle, identifier: Any) -> bool:
    """Return whether there is a memory with that id that has not expired."""
    if not isinstance(identifier, str) or not identifier:
        return False
    try:
        get(handle, identifier)
    except (MemoryNotFound, ValueError):
        return False
    return True


def embeddings(handle: Handle, identifiers: Any) -> Vectors:
    """Return the vectors (n, dimension) of one id or of several, as they were given."""
    keys = handle.names.keys_of(identifiers)
    if not keys:
        return np.zeros((0, handle.store.dim), np.float32)
    _current_rows(handle, keys)
    return handle.store.get_vectors(list(keys))


def history(handle: Handle, identifier: str) -> list[Memory]:
    """Return every version of a memory, after every version of what it superseded; oldest first."""
    key = handle.names.key_of(identifier)
    rows = _versions(handle, key)
    if not rows:
        raise not_found([identifier])
    if records.record_of(rows[-1]).quarantined:  # what it names has not ended
        return list(map(handle.memory, rows))
    seen, chain = {key}, [rows]
    # A superseded memory may be forgotten by now; and a hostile store may lead in a circle.
    while (earlier := records.record_of(rows[0]).extra.supersedes) and (key := key_of(earlier)) not in seen:
        seen.add(key)
        if not (rows := _versions(handle, key)):
            break
        chain.append(rows)
    return [handle.memory(row) for rows in reversed(chain) for row in rows]


def in_order(handle: Handle, filter: Any, *, limit: int | None, after: str | None, order: str) -> list[Memory]:
    """Return memories in the order of creation."""
    checked_choice(order, "order", ("newest", "oldest"))
    most = -1 if limit is None else min(checked_count(limit, "limit"), _MOST)
    key = None if after is None else handle.names.key_of(after)
    if key is not None and not handle.store.contains(key):
        raise not_found([str(after)])
    rows = handle.store.select(filter, newest_first=order == "newest", after=key, limit=most)
    return [handle.memory(rows[i]) for i in range(len(rows))]


def scopes(handle: Handle) -> list[ScopeInfo]:
    """Return every scope that has live memories."""
    return [types.ScopeInfo(scope, memories) for scope, memories in handle.store.scopes(handle.now())]


def stats(handle: Handle) -> StoreStats:
    """Return what the store says about itself."""
    store = handle.store
    counts = store.stats()
    said = {name: counts[name] for name in types.StoreStats.__slots__ if name in counts}
    said["quarantined"] = store.count(store.new_filter(now=handle.now(), quarantined=True))
    return types.StoreStats(path=store.path, dim=store.dim, embedder=store.embedder, tokenizer=store.tokenizer, **said)


def told(handle: Handle, asked: Conditions, question: Question) -> Told:
    """Return the weights to show, the moment asked from, and what a store is asked beside the vector and the words."""
    _, _, limit, min_relevance, mode, ranking, approximate, rewrite, *_ = question
    checked_flag(rewrite, "rewrite")
    checked_choice(mode, "mode", _MODES)
    if checked_flag(approximate, "approximate") and mode == "lexical":
        raise ValueError("approximate= is of similarity: mode 'lexical' has none")
    most = min(checked_count(limit, "limit"), _MOST)
    least = () if min_relevance is None else (checked_fraction(min_relevance, "min_relevance"),)
    used, weights = _ranking(handle, ranking)
    now = handle.now()
    moment = now if asked.as_of is None else microseconds(asked.as_of, "as_of")
    return Told(used.weights, moment, recall_filter(handle.store, now, asked), weights, most, least)


def _period(store: Store, query: str | None, mode: str, how: Told) -> Period | None:
    """Return the time that a text speaks of, for a mode that ranks by it."""
    if mode != "hybrid" or query is None:
        return None
    return dates.period_in(query, now=how.moment, newest=lambda: store.newest_event(how.eligible))


def subject(question: Question, query: Any) -> Any:
    """Return what a question about memory itself asks for, unless it is to be asked as it stands."""
    return questions.subject_of(query) if question.rewrite and isinstance(query, str) else query


def _query_terms(query: str, name: str) -> QueryTerms:
    return lexical_terms.query_terms(checked_content(query, name))


def _require_words(embeddings: Any) -> None:
    if embeddings is not None:
        raise ValueError("mode 'lexical' asks by words: give a query, not an embedding")


def _require_one(queries: Any, embeddings: Any) -> None:
    if (queries is None) == (embeddings is None):
        raise ValueError("give queries or embeddings, one of them: both could disagree")


def shown(handle: Handle, hits: Hits, shares: Shares) -> list[Scored]:
    """Return the hits as whoever asks may see them."""
    if handle.names.all_as_kept:
        return [Scored(hits, i, shares) for i in range(len(hits))]
    return [scored_row(handle.names.shown(hits[i]), hits.signals(i), shares) for i in range(len(hits))]


def _as_list(values: Any, name: str, what: str) -> list[Any]:
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list of {what}, not {type(values).__name__}")
    return list(values)


def _ranking(handle: Handle, ranking: Ranking | None) -> tuple[Ranking, Any]:
    if ranking is None or ranking is handle.ranking:
        return handle.ranking, handle.weights
    if not isinstance(ranking, Ranking):
        raise TypeError(f"ranking must be a Ranking, not {type(ranking).__name__}")
    return ranking, ranking.compiled(handle.store.new_weights)


def _current_rows(handle: Handle, keys: dict[bytes, str]) -> Rows:
    now = handle.now()
    try:
        rows = handle.store.get(list(keys))
    except MemoryNotFound:
        raise not_found(name for key, name in keys.items() if not handle.store.contains(key)) from None
    for i, name in enumerate(keys.values()):
        if rows[i][-1][7] <= now:
            raise MemoryNotFound(f"the memory {name!r} has expired")
    return rows


def _versions(handle: Handle, key: bytes) -> list[RowTuple]:
    rows = handle.store.history(key)
    return [rows[i] for i in range(len(rows))]
