"""Asking by words, by similarity, or by both: which finds what, and that words follow every write."""

import asyncio
import math
from dataclasses import replace

import numpy as np
import pytest

from hippocore import AsyncMemoryLayer, EmbedderMissing, MemoryLayer, Policy, Ranking
from hippocore.embedders.callable_embedder import CallableEmbedder

BY_RELEVANCE = Ranking(relevance=1, recency=0, importance=0, usage=0)
NOTES = [
    "Ada: the staging database moved to another host",
    "Ben: fetchTool raises ERR_CONN_RESET in a/b.ts",
    "Ada: lunch was late",
    "昨日、新しい猫が来た",
    "เมื่อวานผมไปตลาดกับแม่",
    "Ben: dogs were running in the park",
]


def blind(texts):
    """An embedder to which all texts are the same."""
    return np.ones((len(texts), 8), np.float32)


@pytest.fixture
def by_words(opened):
    layer = opened(embedder=blind, embedder_name="blind", dim=8)
    layer.remember_many([{"content": note} for note in NOTES], merge=False)
    return layer


@pytest.mark.parametrize("mode", ["hybrid", "lexical"])
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("databases", 0),
        ("conn reset", 1),
        ("fetch a tool", 1),
        ("b.ts?", 1),
        ("猫", 3),
        ("ตลาด", 4),
        ("Where did a DOG run", 5),
    ],
)
def test_words_find_what_an_embedder_cannot_tell_apart(by_words, mode, query, expected):
    best, *rest = by_words.recall(query, mode=mode, ranking=BY_RELEVANCE)
    assert best.memory.content == NOTES[expected]
    assert 1 >= best.lexical > max(hit.lexical for hit in rest)
    assert 1 >= best.relevance > max(hit.relevance for hit in rest)
    assert "words" in best.why
    assert ("similarity" in best.why) == (mode == "hybrid")


@pytest.mark.parametrize(("k1", "b"), [(0.9, 0.3), (1.2, 0.75), (0, 0), (0, 1), (3, 0), (0.5, 1), (1e308, 1)])
def test_words_count_as_bm25_says_with_the_rankings_k1_and_b(by_words, k1, b):
    notes = {"red fox red": (2, 1), "red dog": (1, 0), "blue cat by the wall of the house": (0, 0)}
    by_words.remember_many([{"content": note, "scope": "animals"} for note in notes], merge=False)
    mean = sum(len(note.split()) for note in notes) / 3
    red, fox, owl = (math.log(1 + (3 - df + 0.5) / (df + 0.5)) for df in (2, 1, 0))
    how = {"scope": "animals", "mode": "lexical", "ranking": replace(BY_RELEVANCE, k1=k1, b=b)}
    for hit in by_words.recall("red fox owl", **how):
        length, counts = len(hit.memory.content.split()), notes[hit.memory.content]
        held = [n / (n + k1 * (1 - b + b * length / mean)) if n else 0 for n in counts]
        expected = (red * held[0] + fox * held[1]) / (red + fox + owl)
        assert hit.relevance == pytest.approx(expected, rel=1e-6, abs=1e-12)
        assert hit.lexical == pytest.approx(expected, rel=1e-6, abs=1e-12)
    assert by_words.recall_many(["red fox owl"], **how) == [by_words.recall("red fox owl", **how)]
    hybrid = by_words.recall("red fox owl", **{**how, "mode": "hybrid"})
    assert all(0 <= hit.relevance <= 1 for hit in hybrid)


def test_the_rankings_k1_and_b_are_those_of_hybrid_recall_too(by_words):
    by_words.remember_many(
        [{"content": note, "scope": "x"} for note in ("red", "red red in a long grey day")], merge=False
    )
    how = {"scope": "x", "mode": "hybrid"}
    first = [
        by_words.recall("red", ranking=replace(BY_RELEVANCE, k1=k1, b=b), **how)[0].memory.content
        for k1, b in ((0.9, 1), (0.9, 0))
    ]
    assert first == ["red", "red red in a long grey day"]


def test_a_name_in_the_question_prefers_what_is_said_under_it(by_words):
    hits = by_words.recall("What did Ada say?", ranking=BY_RELEVANCE)
    assert {hit.memory.content for hit in hits[:2]} == {NOTES[0], NOTES[2]}


@pytest.mark.parametrize("query", ["?! …", "👩\u200d👧", "неизвестное слово", "x" * 100_000])
def test_where_words_tell_nothing_similarity_decides_and_why_says_so(layer, embed, query):
    layer.remember_many([{"content": note, "embedding": embed([note])[0]} for note in NOTES], merge=False)
    hits = layer.recall(query, ranking=BY_RELEVANCE)
    dense = layer.recall(query, ranking=BY_RELEVANCE, mode="dense")
    assert len(hits) == len(NOTES)
    assert [hit.similarity for hit in hits] == sorted((hit.similarity for hit in dense), reverse=True)
    assert all(hit.lexical == 0 and "similarity" in hit.why and "words" not in hit.why for hit in hits)


def test_hybrid_prefers_what_both_legs_find(layer):
    layer.remember_many([{"content": note} for note in NOTES], merge=False)
    hit = layer.recall("the staging database moved", ranking=BY_RELEVANCE)[0]
    assert hit.memory.content == NOTES[0]
    assert 0 < hit.lexical < 1
    assert f"similarity {hit.similarity:.2f}, words {hit.lexical:.2f}" in hit.why


def test_words_need_no_embedder_and_a_vector_is_no_words(vectors_layer):
    vectors_layer.remember("green tea", embedding=[1, 0, 0])
    assert [hit.similarity for hit in vectors_layer.recall("tea", mode="lexical")] == [0]
    assert len(vectors_layer.context("tea", mode="lexical").memories) == 1
    with pytest.raises(EmbedderMissing):
        vectors_layer.recall("tea")
    with pytest.raises(ValueError, match="words"):
        vectors_layer.recall(embedding=[1, 0, 0], mode="lexical")
    with pytest.raises(ValueError, match="approximate"):
        vectors_layer.recall("tea", mode="lexical", approximate=True)
    hit = vectors_layer.recall(embedding=[1, 0, 0])[0]
    assert hit.relevance == hit.similarity == 1


def test_words_follow_updates_and_forgetting(by_words):
    tea = by_words.remember("green tea").id
    by_words.update(tea, content="black coffee")
    assert by_words.recall("tea", mode="lexical", min_relevance=0.01) == []
    [hit] = by_words.recall("coffee", mode="lexical", min_relevance=0.01)
    assert hit.id == tea
    by_words.forget(tea, purge=True)
    assert by_words.recall("coffee", mode="lexical", min_relevance=0.01) == []


def test_words_outlast_a_checkpoint_reopening_and_another_embedder(opened, path, embed):
    first = opened(embedder=blind, embedder_name="blind", dim=8)
    first.remember_many([{"content": note} for note in NOTES], merge=False)
    before = [hit.relevance for hit in first.recall("databases in the park", mode="lexical")]
    first.checkpoint()
    first.reembed(CallableEmbedder(lambda texts: np.ones((len(texts), 16), np.float32), "wider", dim=16))
    first.close()
    again = MemoryLayer(path, embedder=None)
    assert [hit.relevance for hit in again.recall("databases in the park", mode="lexical")] == before
    again.close()


def test_other_scopes_change_no_score(by_words):
    before = [(hit.id, hit.score) for hit in by_words.recall("Ada's database")]
    by_words.remember_many([{"content": f"Ada: database {n}", "scope": "other"} for n in range(9)], merge=False)
    assert [(hit.id, hit.score) for hit in by_words.recall("Ada's database")] == before


def test_every_handle_takes_the_mode(opened, path):
    layer = opened(policy=Policy({"ada": {"read": ["default"], "write": ["default"]}}))
    layer.remember("green tea")
    answer = layer.recall("teas", mode="lexical")
    assert layer.as_agent("ada").recall("teas", mode="lexical") == answer
    assert layer.context("teas", mode="lexical", touch=False).memories == answer

    async def asynchronous():
        async with await AsyncMemoryLayer.open(path, embedder=None) as other:
            return await other.recall("teas", mode="lexical")

    assert [hit.id for hit in asyncio.run(asynchronous())] == [answer[0].id]
