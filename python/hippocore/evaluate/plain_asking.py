"""Asking the plain methods instead of `MemoryLayer`'s ranking: the same memories, vectors and budget."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np

from hippocore import Ranking
from hippocore.evaluate.answers import DEPTH, Answer
from hippocore.evaluate.dataset import Question
from hippocore.evaluate.plain import Bm25, Numbers, fused, ranked
from hippocore.evaluate.settings import Setting
from hippocore.evaluate.written import WrittenStore, scope_of

_LONGEST: Final = 400  # tokens a memory in a context may take, and how many are tried: the defaults of `context`
_TRIED: Final = 200
_SIMILARITY_ALONE: Final = Ranking(relevance=1, recency=0, importance=0, usage=0)


@dataclass(frozen=True)
class Corpus:
    """The live memories of a conversation in the order in which they were written, and what each costs in a context."""

    names: tuple[str, ...]
    bm25: Bm25
    tokens: Numbers
    overhead: int  # of a context, beside its memories
    overhead_each: int

    def packed(self, order: Numbers, budget: int) -> tuple[list[int], int]:
        """Return what fits, taken in order, and the tokens; what does not fit is passed over, as `context` does."""
        chosen, used = [], self.overhead
        for place in map(int, order[:_TRIED]):
            cost = int(self.tokens[place]) + self.overhead_each
            if self.tokens[place] <= _LONGEST and used + cost <= budget:
                chosen.append(place)
                used += cost
        return chosen, used if chosen else 0


class PlainMethods:
    """Answers of the setting's mode, "bm25" or "rrf" (BM25 and cosine), from a written store."""

    def __init__(self, store: WrittenStore, setting: Setting) -> None:
        self._store = store
        self._setting = setting
        self._corpora: dict[int, Corpus] = {}

    def answer(self, number: int, question: Question) -> Answer:
        """Return the answer to a question of the conversation with that number."""
        if number not in self._corpora:
            self._corpora[number] = self._corpus(number)
        corpus = self._corpora[number]
        embedding = self._store.embedder.seconds
        start = time.perf_counter()
        order = self._order(number, question, corpus)
        seconds = time.perf_counter() - start
        far = tuple(corpus.names[place] for place in order[: max(DEPTH, self._setting.limit)])
        packed, tokens = corpus.packed(order, self._setting.budget)
        near, inside = far[: self._setting.limit], tuple(corpus.names[place] for place in packed)
        return Answer(number, question, near, far, inside, tokens, seconds, self._store.embedder.seconds - embedding)

    def _order(self, number: int, question: Question, corpus: Corpus) -> Numbers:
        words = ranked(corpus.bm25.scores(question.text))
        if self._setting.mode == "bm25":
            return words
        count = len(corpus.names)
        place = {name: i for i, name in enumerate(corpus.names)}
        hits = self._store.recall(number, question, limit=count, mode="dense", ranking=_SIMILARITY_ALONE)
        return fused(np.array([place[name] for name in self._store.names(hits)], np.int64), words, count=count)

    def _corpus(self, number: int) -> Corpus:
        memories = self._store.layer.list(scope=scope_of(number), order="oldest")
        tokens = np.array([memory.tokens for memory in memories], np.int64)
        names = tuple(self._store.name(memory.id) for memory in memories)
        return Corpus(names, Bm25([memory.content for memory in memories]), tokens, *self._overheads(number))

    def _overheads(self, number: int) -> tuple[int, int]:
        """Return the tokens of a context beside its memories' own, and those it adds to each: from two contexts."""
        question = self._store.data.conversations[number].questions[0].text
        texts = []
        for pool in (1, _TRIED):
            packed = self._store.layer.context(
                question,
                scope=scope_of(number),
                budget=10**6,
                max_per_memory=10**6,
                pool=pool,
                mode="lexical",
                touch=False,
            )
            texts.append((packed.tokens - sum(hit.memory.tokens for hit in packed.memories), len(packed.memories)))
        (one, _), (many, count) = texts
        each = (many - one) / (count - 1) if count > 1 else 0.0
        return ceil(one - each), ceil(each)
