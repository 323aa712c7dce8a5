"""The verbs of a MemoryLayer that read: recall, pack, get, list, count."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hippocore import events
from hippocore.deferred import Deferred
from hippocore.ranking import Ranking
from hippocore.scopes import ALL, Scopes
from hippocore.session import Opened
from hippocore.times import Moment

if TYPE_CHECKING:
    from hippocore import context as packing
    from hippocore import filters, reading, reranked_recall, scored, scoring, types
    from hippocore.stores import protocol
else:
    packing = Deferred("hippocore.context")
    filters = Deferred("hippocore.filters")
    reading = Deferred("hippocore.reading")
    reranked_recall = Deferred("hippocore.reranked_recall")
    scored = Deferred("hippocore.scored")
    scoring = Deferred("hippocore.scoring")
    types = Deferred("hippocore.types")
    protocol = Deferred("hippocore.stores.protocol")


class ReadingVerbs(Opened):
    """What reads memories. Only `context` with touch=True writes: it counts a use."""

    def recall(
        self,
        query: str | None = None,
        *,
        scope: Scopes = "default",
        subtree: bool = False,
        limit: int = 20,
        kinds: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
        tags_match: str = "any",
        since: Moment | None = None,
        until: Moment | None = None,
        as_of: Moment | None = None,
        min_relevance: float | None = None,
        min_trust: types.Trust | None = None,
        metadata: Mapping[str, Any] | None = None,
        mode: reading.Mode = "hybrid",
        ranking: Ranking | None = None,
        embedding: Any = None,
        approximate: bool = False,
        rerank: int | None = None,
        rewrite: bool = True,
        expand: reading.Expansion | None = None,
        expand_links: int = 0,
        drill_down: bool = False,
    ) -> builtins.list[scored.Scored]:
        """Return the memories with the highest scores: by score, then newest, then id. Writes nothing.

        Asks by text or by vector; without either the other signals rank. None is no condition and an empty list one
        that nothing meets. `since <= time < until` compares the event time, else the creation; `as_of` sees the store
        as it was then, without what was forgotten since. `metadata` holds values to be equal to.

        mode="hybrid" measures relevance by similarity and by the query's words together, each against what the eligible
        memories have on average: 0.5 is four deviations above. Where one of them tells nothing, the other decides. A
        memory said under a name that the query names ("Ada: …") gains one deviation; one that happened when the query
        asks about ("in June", "last week"; the event time, else the creation) two, which halve with each week outside.
        The best 50 then lend part of what they have by similarity and words to the three memories before and after
        them, as they were written in one scope and source, and the best of a source to the rest of it that is looked
        at; without a source only to episodes of the same half hour. `min_relevance` is of what comes of it.
        "lexical" asks by words alone (the share of what they tell), and needs no embedder; "dense" by similarity alone,
        max(0, cosine), as does whoever asks by vector or approximately: nothing is lent then, and dates are only words.

        approximate=True (extra `ann`) ranks only what a graph of the vectors leads to, which may leave out some of the
        best. The first call makes the graph in the background; until then, and where the exact answer is as fast, that
        is given. Needs about as much memory as all vectors take.

        rerank: how many of the best the layer's reranker puts in order anew before `limit` cuts; 50 by default where
        there is one and a text is asked, 0 for none. The scores of these are dealt out again in the new order, so that
        results still fall by score; `.reranked` is what the reranker gave.

        rewrite: a question about memory itself is asked by its subject: "do you remember what I told you about my
        infra?" by "my infra". English, and only where a question begins so; False asks each as it stands.

        expand: asks by other wordings too, all from one state, and gives each memory its best score among them before
        `limit` cuts. "paraphrase" takes up to three that the layer's llm writes; "hypothetical" the vector of an answer
        that the llm imagines (HyDE), with the query's words; "feedback" the query's vector moved towards those of the
        three best memories (Rocchio), without a model, and found no more where it was measured. Where the llm fails it
        is as if None. `.why` names the kind.

        expand_links: so many steps (at most 3) are walked along links, both ways, from the 16 best. What is reached
        takes part with the relevance of the hit that the way starts from, times each link's weight and 0.5 for each
        step, where that is more than its own; `min_relevance` is of what comes of it, `.why` names the last link. At
        most 64 more memories are reached, the 64 strongest links of each are followed, and of what links to a step's
        memories the 64 that rank best by the other signals. Nothing is walked through that the conditions leave out, or
        that has ended. What links alone found was not compared: its `.similarity` and `.lexical` are 0. A memory that
        an older release wrote leads to what it links to, and is found from there once it was updated or imported. A
        reranker comes after.

        drill_down: True also asks what was archived when it became a summary or fact, and lets in what a hit was made
        of, or such a one in turn, by its own score: the details that answer the question, beside or above the summary.
        Each set is asked by itself, so that hybrid relevance is against the average of what was archived.
        """
        asked = filters.Conditions(scope, subtree, kinds, tags, tags_match, since, until, as_of, min_trust, metadata)
        ways = (rewrite, expand, expand_links, drill_down)
        question = reading.Question(query, embedding, limit, min_relevance, mode, ranking, approximate, *ways)
        start = events.began()
        found = reranked_recall.recall(self._handle, asked, question, rerank)
        if start is not None:
            events.tell(self, "recall", start, events.recalled(found.hits, confidence=found.confidence))
        return found.hits

    def recall_many(
        self,
        queries: Iterable[str] | None = None,
        *,
        embeddings: Any = None,
        scope: Scopes = "default",
        subtree: bool = False,
        limit: int = 20,
        kinds: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
        tags_match: str = "any",
        since: Moment | None = None,
        until: Moment | None = None,
        as_of: Moment | None = None,
        min_relevance: float | None = None,
        min_trust: types.Trust | None = None,
        metadata: Mapping[str, Any] | None = None,
        mode: reading.Mode = "hybrid",
        ranking: Ranking | None = None,
        approximate: bool = False,
        rerank: int | None = None,
        rewrite: bool = True,
        expand: reading.Expansion | None = None,
    ) -> builtins.list[builtins.list[scored.Scored]]:
        """Return what `recall` gives for each of several texts or vectors (n, dim), from one moment and state.

        Quicker than one after another: texts are embedded together, and what is searched is read once for several (not
        with approximate=True, which asks one after another). An error names the query by its position.
        """
        asked = filters.Conditions(scope, subtree, kinds, tags, tags_match, since, until, as_of, min_trust, metadata)
        question = reading.Question(None, None, limit, min_relevance, mode, ranking, approximate, rewrite, expand)
        start = events.began()
        found = reranked_recall.recall_many(self._handle, asked, question, queries, embeddings, rerank)
        if start is not None:
            events.tell(self, "recall_many", start, {"queries": len(found), "results": sum(map(len, found))})
        return found

    def context(
        self,
        query: str | None = None,
        *,
        budget: int = 800,
        max_per_memory: int = 400,
        pool: int = 200,
        strategy: scoring.Strategy = "score",
        diversity: float = 0.0,
        touch: packing.Touch = True,
        scope: Scopes = "default",
        subtree: bool = False,
        kinds: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
        tags_match: str = "any",
        since: Moment | None = None,
        until: Moment | None = None,
        as_of: Moment | None = None,
        min_relevance: float | None = None,
        min_trust: types.Trust | None = None,
        metadata: Mapping[str, Any] | None = None,
        mode: reading.Mode = "hybrid",
        ranking: Ranking | None = None,
        embedding: Any = None,
        approximate: bool = False,
        rerank: int | None = None,
        rewrite: bool = True,
        expand: reading.Expansion | None = None,
        expand_links: int = 0,
        drill_down: bool = False,
    ) -> packing.Context:
        """Recall a pool and pack what fits `budget` tokens, headings included, into a block that is safe in a prompt.

        A memory too large for what is left is skipped and the next ones are tried. strategy: by "score", by "density"
        (score a token), or the "best" of the two sums. diversity (0..1) takes worth from what is like a memory taken
        before. expand_links: steps along links, from what the query finds to what belongs with it, as in `recall`.
        drill_down: with the details below a summary that answer the query, as in `recall`, as far as the budget goes.
        touch=True counts a use of what went in; "relevant" only of what stands in the upper half of the pool's range of
        relevance, so that what merely fills a large budget, turn by turn, does not rise by that. `Context.confidence`
        says how surely there is an answer at all.
        """
        limits = packing.Limits(budget, max_per_memory, pool, strategy, diversity, touch)
        asked = filters.Conditions(scope, subtree, kinds, tags, tags_match, since, until, as_of, min_trust, metadata)
        ways = (rewrite, expand, expand_links, drill_down)
        question = reading.Question(query, embedding, pool, min_relevance, mode, ranking, approximate, *ways)
        start, handle = events.began(), self._handle
        found = packing.context(handle, reranked_recall.recall(handle, asked, question, rerank), limits)
        if start is not None:
            events.tell(self, "context", start, events.packed(found))
        return found

    def get(self, id: str) -> types.Memory:
        """Return a memory's newest version, in quarantine too; MemoryNotFound where there is none or it has expired."""
        return reading.get(self._handle, id)

    def history(self, id: str) -> builtins.list[types.Memory]:
        """Return every version of a memory, oldest first, after the versions of what it superseded."""
        return reading.history(self._handle, id)

    def embeddings(self, ids: str | Iterable[str]) -> protocol.Vectors:
        """Return the vectors of memories, float32 (n, dim), as they were given."""
        return reading.embeddings(self._handle, ids)

    def __contains__(self, id: object) -> bool:
        return reading.contains(self._handle, id)

    def list(
        self,
        *,
        scope: Scopes = ALL,
        subtree: bool = False,
        kinds: Iterable[str] | None = None,
        quarantined: bool = False,
        archived: bool = False,
        limit: int | None = None,
        after: str | None = None,
        order: reading.Order = "newest",
    ) -> builtins.list[types.Memory]:
        """Return memories in the order of creation, then id; `after` an id goes on behind it: pages do not shift.

        Those in quarantine (or archived) only when asked for, and then only those.
        """
        handle = self._handle
        asked = filters.listing_filter(handle.store, handle.now(), scope, subtree, kinds, quarantined, archived)
        return reading.in_order(handle, asked, limit=limit, after=after, order=order)

    def count(
        self,
        *,
        scope: Scopes = ALL,
        subtree: bool = False,
        kinds: Iterable[str] | None = None,
        quarantined: bool = False,
        archived: bool = False,
    ) -> int:
        """Return how many memories `list` would give."""
        handle = self._handle
        asked = filters.listing_filter(handle.store, handle.now(), scope, subtree, kinds, quarantined, archived)
        return handle.store.count(asked)

    def scopes(self) -> builtins.list[types.ScopeInfo]:
        """Return every scope with live memories, and how many."""
        return reading.scopes(self._handle)

    def stats(self) -> types.StoreStats:
        """Return how much the store holds and takes."""
        return reading.stats(self._handle.of_the_owner("stats"))
