"""Many queries at once: each gets the answer that it would get alone."""

import asyncio

import numpy as np
import pytest

from hippocore import (
    ALL,
    AsyncMemoryLayer,
    DimensionMismatch,
    EmbedderMissing,
    InvalidVector,
    Ranking,
    StoreClosed,
)

TEXTS = ["Ann likes tea", "Ben drinks coffee", "nothing of the sort"]


@pytest.fixture
def filled(layer, clock):
    for n in range(120):
        clock.pass_by(3_600)
        layer.remember(
            f"{TEXTS[n % 3]} {n}",
            scope=["default", "team/red", "team/blue"][n % 3],
            kind=["episode", "fact"][n % 2],
            tags=["even"] if n % 2 == 0 else [],
            importance=n % 5 / 5,
            metadata={"n": n % 4},
            trust="trusted" if n % 7 else "unverified",
            merge=False,
        )
    return layer


def plain(hits):
    return [(hit.memory, hit.score, hit.similarity, hit.why) for hit in hits]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"scope": ALL, "limit": 100},
        {"scope": "team", "subtree": True, "kinds": ["fact"]},
        {"scope": ALL, "tags": ["even"], "tags_match": "all", "metadata": {"n": 2}},
        {"scope": ALL, "min_relevance": 0.5, "min_trust": "trusted"},
        {"scope": ALL, "ranking": Ranking(relevance=1, recency=0, importance=0, usage=0)},
        {"scope": ALL, "limit": 0},
        {"scope": []},
    ],
)
def test_each_answer_is_that_of_recall(filled, clock, embed, asked):
    alone = [plain(filled.recall(text, **asked)) for text in TEXTS]
    assert [plain(hits) for hits in filled.recall_many(TEXTS, **asked)] == alone
    alone = [plain(filled.recall(text, **asked, mode="dense")) for text in TEXTS]
    assert [plain(hits) for hits in filled.recall_many(embeddings=embed(TEXTS), **asked)] == alone
    alone = [plain(filled.recall(text, **asked, mode="lexical")) for text in TEXTS]
    assert [plain(hits) for hits in filled.recall_many(TEXTS, **asked, mode="lexical")] == alone


def test_times_are_passed_on(filled, clock):
    asked = {"scope": ALL, "since": clock.time - 80 * 3_600, "until": clock.time - 3_600, "as_of": clock.time - 7_200}
    answers = [plain(hits) for hits in filled.recall_many(iter(TEXTS), **asked)]
    assert answers == [plain(filled.recall(text, **asked)) for text in TEXTS]
    assert answers[0]


def test_texts_are_embedded_by_one_call_and_the_clock_is_read_once(opened, embed, clock):
    calls = []

    def counted(texts):
        calls.append(list(texts))
        return embed(texts)

    def ticking():
        return clock.pass_by(86_400)

    layer = opened(embedder=counted, embedder_name="words", dim=64, clock=ticking)
    layer.remember_many([{"content": text} for text in TEXTS])
    calls.clear()
    answers = layer.recall_many([*TEXTS, TEXTS[0]])
    assert calls == [[*TEXTS, TEXTS[0]]]
    assert plain(answers[0]) == plain(answers[3])
    assert len({hit.recency for hits in answers for hit in hits}) == 1


def test_no_queries_are_no_answers(layer):
    assert layer.recall_many([]) == []
    assert layer.recall_many(embeddings=np.zeros((0, 64))) == []


def test_nothing_is_written(filled):
    before = filled.stats()
    filled.recall_many(TEXTS, scope=ALL)
    assert filled.stats() == before


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({}, ValueError, "queries or embeddings"),
        ({"queries": ["a"], "embeddings": np.ones((1, 64))}, ValueError, "queries or embeddings"),
        ({"queries": "Ann likes tea"}, TypeError, "queries must be a list of texts"),
        ({"queries": 5}, TypeError, "queries"),
        ({"queries": ["a", 5]}, TypeError, "query 1 "),
        ({"queries": ["a", "b", " "]}, ValueError, "query 2 "),
        ({"embeddings": 5}, TypeError, "embeddings must be a list of vectors"),
        ({"embeddings": {"a": 1}}, TypeError, "embeddings"),
        ({"embeddings": [0.5] * 64}, DimensionMismatch, "query 0: "),
        ({"embeddings": [np.ones(64), np.ones(63)]}, DimensionMismatch, "query 1: "),
        ({"embeddings": np.ones((2, 2, 64))}, DimensionMismatch, "query 0: "),
        ({"embeddings": [np.ones(64), None]}, TypeError, "query 1: "),
        ({"embeddings": [np.ones(64), np.ones(64), np.full(64, np.nan)]}, InvalidVector, "query 2: "),
        ({"embeddings": np.full((1, 64), np.inf, np.float32)}, InvalidVector, "query 0: "),
        ({"queries": [], "limit": -1}, ValueError, "limit"),
        ({"queries": [], "mode": "fuzzy"}, ValueError, "mode"),
        ({"embeddings": np.ones((1, 64)), "mode": "lexical"}, ValueError, "words"),
        ({"queries": [], "kinds": 5}, TypeError, "kinds"),
        ({"queries": ["a"], "embedding": np.ones(64)}, TypeError, "embedding"),
    ],
)
def test_a_wrong_argument_names_the_query(filled, asked, error, words):
    with pytest.raises(error, match=words):
        filled.recall_many(**asked)


def test_texts_need_an_embedder_and_everything_an_open_store(vectors_layer):
    assert vectors_layer.recall_many([]) == []
    with pytest.raises(EmbedderMissing):
        vectors_layer.recall_many(["a"])
    vectors_layer.close()
    with pytest.raises(StoreClosed):
        vectors_layer.recall_many(embeddings=np.ones((1, 3)))


def test_it_can_be_awaited(filled):
    async def scenario():
        async with AsyncMemoryLayer(filled) as memory:
            return await memory.recall_many(TEXTS, scope=ALL, limit=2)

    expected = [plain(filled.recall(text, scope=ALL, limit=2)) for text in TEXTS]
    assert [plain(hits) for hits in asyncio.run(scenario())] == expected
