"""Recall: who takes part, in which order, and what the numbers mean."""

import math
import sys

import numpy as np
import pytest

from hippocore import ALL, EmbedderMissing, Ranking

BY_RELEVANCE = Ranking(relevance=1, recency=0, importance=0, usage=0)


def test_identical_text_has_similarity_one_and_ranks_first(layer):
    texts = [f"word{n} word{n + 1} word{n + 2}" for n in range(50)]
    layer.remember_many([{"content": text} for text in texts], merge=False)
    for text in texts[::7]:
        for mode in ("hybrid", "dense"):
            best = layer.recall(text, ranking=BY_RELEVANCE, mode=mode)[0]
            assert best.memory.content == text
            assert best.similarity == pytest.approx(1, abs=1e-6)
            assert best.relevance == best.score
            assert (best.relevance == best.similarity) == (mode == "dense")


@pytest.mark.parametrize(("limit", "found"), [(0, 0), (1, 1), (3, 3), (1000, 3), (sys.maxsize, 3), (10**30, 3)])
def test_limit_gives_as_many_as_there_are(layer, limit, found):
    layer.remember_many([{"content": f"note {n}"} for n in range(3)], merge=False)
    assert len(layer.recall("note", limit=limit)) == found


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"limit": -1}, ValueError),
        ({"limit": True}, TypeError),
        ({"limit": 2.0}, TypeError),
        ({"limit": None}, TypeError),
        ({"min_relevance": 1.5}, ValueError),
        ({"min_relevance": math.nan}, ValueError),
        ({"min_relevance": "0.5"}, TypeError),
        ({"mode": "fuzzy"}, ValueError),
        ({"mode": None}, ValueError),
        ({"tags_match": "none"}, ValueError),
        ({"min_trust": "fully"}, ValueError),
        ({"kinds": 5}, TypeError),
        ({"kinds": [5]}, TypeError),
        ({"kinds": [""]}, ValueError),
        ({"tags": {"a": 1}}, TypeError),
        ({"metadata": [("a", 1)]}, TypeError),
        ({"metadata": {"a": {"$gt": 1}}}, ValueError),
        ({"metadata": {"a": math.nan}}, ValueError),
        ({"metadata": {"a": object()}}, TypeError),
        ({"metadata": {1: 1}}, TypeError),
        ({"since": "yesterday"}, TypeError),
        ({"ranking": {"relevance": 1}}, TypeError),
        ({"subtree": 1}, TypeError),
        ({"scope": None}, TypeError),
        ({"scope": ["a", ""]}, ValueError),
        ({"filter": {"a": 1}}, TypeError),
        ({"approximate": 1}, TypeError),
    ],
)
def test_a_wrong_argument_is_an_error_and_never_ignored(layer, arguments, error):
    layer.remember("note")
    with pytest.raises(error):
        layer.recall("note", **arguments)
    with pytest.raises(error):
        layer.context("note", **{{"limit": "pool"}.get(name, name): value for name, value in arguments.items()})


@pytest.mark.parametrize(("query", "error"), [("", ValueError), ("  ", ValueError), (5, TypeError), (["a"], TypeError)])
def test_a_query_is_a_text(layer, query, error):
    with pytest.raises(error, match="query"):
        layer.recall(query)


def test_query_and_embedding_together_are_refused(layer):
    with pytest.raises(ValueError, match="not both"):
        layer.recall("note", embedding=np.ones(64))


def test_a_text_without_an_embedder_says_to_pass_a_vector(vectors_layer):
    for ask in (vectors_layer.recall, vectors_layer.context, vectors_layer.remember):
        with pytest.raises(EmbedderMissing, match="embedding="):
            ask("note")
    assert vectors_layer.count() == 0


def test_without_a_query_the_other_signals_rank(layer, contents):
    layer.remember("low", importance=0.1)
    layer.remember("high", importance=0.9)
    hits = layer.recall()
    assert contents(hits) == ["high", "low"]
    assert {(hit.relevance, hit.similarity) for hit in hits} == {(0.0, 0.0)}


@pytest.mark.parametrize("mode", ["hybrid", "dense", "lexical"])
def test_scores_fall_with_rank_and_are_the_weighted_sum(layer, clock, mode):
    rng = np.random.default_rng(3)
    for n in range(60):
        kind = ("episode", "fact", "note of mine")[n % 3]
        layer.remember(f"word{n % 7} word{n % 5}", kind=kind, importance=rng.random(), merge=False)
        clock.pass_by(3600 * 5)
    layer.feedback([hit.memory.id for hit in layer.recall("word1", limit=5)], True)
    ranking = Ranking(relevance=0.4, recency=0.3, importance=0.2, usage=0.1)
    hits = layer.recall("word1 word2", limit=60, ranking=ranking, mode=mode)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    half_lives = {"episode": 3 * 86400, "fact": 30 * 86400, "note of mine": 30 * 86400}
    for hit in hits:
        memory = hit.memory
        age = clock.time - (memory.last_used_at or memory.created_at).timestamp()
        assert hit.recency == pytest.approx(0.5 ** (age / half_lives[memory.kind]), rel=1e-9)
        assert hit.usage == pytest.approx(math.log1p(memory.use_count) / math.log(100), rel=1e-9)
        assert hit.importance == memory.importance
        assert 0 <= hit.relevance <= 1
        if mode != "hybrid":
            assert hit.relevance == pytest.approx(max(0, hit.similarity) if mode == "dense" else hit.lexical, rel=1e-6)
        wanted = 0.4 * hit.relevance + 0.3 * hit.recency + 0.2 * hit.importance + 0.1 * hit.usage
        assert hit.score == pytest.approx(wanted, abs=1e-12)


def test_equal_scores_come_newest_first_then_by_id(layer, clock):
    # Facts without a source: neighbours would lend those in the middle more.
    ranking = Ranking(relevance=0.5, recency=0, importance=0.5, usage=0)
    for n in (2, 0, 1):
        layer.remember("same", kind="fact", id=f"{n:032x}", merge=False)
    clock.pass_by(10)
    layer.remember("same", kind="fact", id=f"{9:032x}", merge=False)
    found = [int(hit.memory.id, 16) for hit in layer.recall("same", ranking=ranking)]
    assert found == [9, 0, 1, 2]


def test_recency_can_count_from_creation_or_event(layer, clock, contents):
    layer.remember("old event", event_time=clock.time - 100)
    clock.pass_by(50)
    layer.remember("older event", event_time=clock.time - 1000)
    weights = {"relevance": 0, "recency": 1, "importance": 0, "usage": 0}
    assert contents(layer.recall(ranking=Ranking(**weights, recency_of="event"))) == ["old event", "older event"]
    assert contents(layer.recall(ranking=Ranking(**weights, recency_of="created"))) == ["older event", "old event"]


@pytest.mark.parametrize("zero", [[0, 0, 0], np.zeros(3, np.float32)])
def test_a_zero_query_and_a_zero_memory_have_relevance_zero(vectors_layer, contents, zero):
    vectors_layer.remember("zero", embedding=zero, importance=0.9)
    vectors_layer.remember("one", embedding=[1, 0, 0], importance=0.1)
    hits = vectors_layer.recall(embedding=zero)
    assert contents(hits) == ["zero", "one"]
    assert [hit.relevance for hit in hits] == [0, 0]
    by_one = vectors_layer.recall(embedding=[1, 0, 0], ranking=BY_RELEVANCE)
    assert [(hit.memory.content, hit.relevance) for hit in by_one] == [("one", 1.0), ("zero", 0.0)]
    assert all(math.isfinite(number) for hit in hits + by_one for number in (hit.score, hit.recency, hit.usage))


def test_tiny_vectors_keep_their_direction(vectors_layer):
    vectors_layer.remember("tiny", embedding=[1e-20] * 3)
    assert vectors_layer.recall(embedding=[1e-20] * 3)[0].similarity == pytest.approx(1, abs=1e-6)
    assert vectors_layer.recall(embedding=[-1e20] * 3)[0].similarity == pytest.approx(-1, abs=1e-6)


def test_min_relevance_is_absolute_and_counts_k_among_those_that_pass(vectors_layer, contents):
    vectors_layer.remember("near", embedding=[1, 0.1, 0], importance=0.0)
    for n in range(10):
        vectors_layer.remember(f"far {n}", embedding=[0, 1, 0], importance=1.0)
    assert contents(vectors_layer.recall(embedding=[1, 0, 0], limit=1, min_relevance=0.9)) == ["near"]
    assert len(vectors_layer.recall(embedding=[1, 0, 0], limit=20, min_relevance=0)) == 11
    assert vectors_layer.recall(embedding=[0, 0, 1], min_relevance=0.5) == []


@pytest.fixture
def varied(layer, clock):
    layer.remember("a", kind="fact", tags=["x", "y"], metadata={"n": 1, "s": "1", "b": True, "z": None}, source="s")
    layer.remember("b", kind="episode", tags=["y"], metadata={"n": 1.0, "list": [1, {"q": 2}]}, trust="untrusted")
    layer.remember("c", kind="own kind", tags=["ä/\0"], metadata={"n": 2, "long": "v" * 500}, trust="unverified")
    layer.remember("d", event_time=clock.time - 1000, metadata={"b": 1, "nested": {"y": 1, "x": [2.0]}})
    return layer


@pytest.mark.parametrize(
    ("conditions", "found"),
    [
        ({}, "abcd"),
        ({"kinds": ["fact"]}, "a"),
        ({"kinds": "fact"}, "a"),
        ({"kinds": ["fact", "own kind", "unknown"]}, "ac"),
        ({"kinds": ["unknown"]}, ""),
        ({"kinds": []}, ""),
        ({"tags": ["x"]}, "a"),
        ({"tags": "y"}, "ab"),
        ({"tags": ["x", "y"]}, "ab"),
        ({"tags": ["x", "y"], "tags_match": "all"}, "a"),
        ({"tags": ["ä/\0"]}, "c"),
        ({"tags": []}, ""),
        ({"tags": [], "tags_match": "all"}, ""),
        ({"metadata": {"n": 1}}, "ab"),
        ({"metadata": {"n": 1.0}}, "ab"),
        ({"metadata": {"n": "1"}}, ""),
        ({"metadata": {"s": "1"}}, "a"),
        ({"metadata": {"b": True}}, "a"),
        ({"metadata": {"b": 1}}, "d"),
        ({"metadata": {"z": None}}, "a"),
        ({"metadata": {"list": [1, {"q": 2.0}]}}, "b"),
        ({"metadata": {"nested": {"x": [2], "y": 1}}}, "d"),
        ({"metadata": {"long": "v" * 500}}, "c"),
        ({"metadata": {"long": "v" * 499}}, ""),
        ({"metadata": {"nobody": 1}}, ""),
        ({"metadata": {"n": 1, "s": "1"}}, "a"),
        ({"metadata": {"n": 2, "s": "1"}}, ""),
        ({"metadata": {}}, "abcd"),
        ({"tags": ["y"], "metadata": {"s": "1"}, "kinds": ["fact"]}, "a"),
        ({"min_trust": "untrusted"}, "abcd"),
        ({"min_trust": "unverified"}, "acd"),
        ({"min_trust": "trusted"}, "ad"),
        ({"until": 1_750_000_000 - 999}, "d"),
        ({"since": 1_750_000_000}, "abc"),
        ({"since": 1_750_000_000, "until": 1_750_000_000}, ""),
        ({"since": 1_750_000_000 - 1000, "until": 1_750_000_000}, "d"),
        ({"scope": []}, ""),
        ({"scope": "elsewhere"}, ""),
    ],
)
def test_a_filter_lets_pass_exactly_what_it_says(varied, contents, conditions, found):
    assert sorted(contents(varied.recall("a b c d", **conditions))) == list(found)


def test_a_small_scope_beside_a_large_one_gives_all_it_has(layer):
    layer.remember_many([{"content": f"note {n}", "scope": "large"} for n in range(1000)], merge=False)
    layer.remember_many([{"content": f"rare {n}", "scope": "small"} for n in range(10)], merge=False)
    assert [hit.memory.scope for hit in layer.recall("note 1", scope="small", limit=10)] == ["small"] * 10
    assert len(layer.recall("note 1", scope=["small", "large"], limit=2000)) == 1010


def test_recall_equals_a_plain_computation_over_every_filter(layer, clock):
    rng = np.random.default_rng(7)
    vectors = rng.normal(size=(300, 64)).astype(np.float32)
    kinds = ["fact", "episode"]
    layer.remember_many(
        [
            {"content": f"note {n}", "kind": kinds[n % 2], "scope": f"s{n % 5}", "embedding": vectors[n], "id": f"{n}"}
            for n in range(300)
        ],
        merge=False,
    )
    for _ in range(20):
        query = rng.normal(size=64)
        similarity = vectors.astype(float) @ query
        similarity /= np.linalg.norm(vectors.astype(float), axis=1) * np.linalg.norm(query)
        eligible = [n for n in range(300) if n % 2 == 0 and n % 5 in (1, 3)]
        wanted = sorted(eligible, key=lambda n: -similarity[n])[:10]
        hits = layer.recall(embedding=query, kinds="fact", scope=["s1", "s3"], limit=10, ranking=BY_RELEVANCE)
        assert [int(hit.memory.id) for hit in hits] == wanted[: sum(similarity[n] > 0 for n in wanted)] or all(
            hit.relevance == 0 for hit in hits[sum(similarity[n] > 0 for n in wanted) :]
        )


def test_recalling_writes_nothing(layer, path):
    layer.remember_many([{"content": f"note {n}"} for n in range(20)])
    before = layer.stats(), _files(path)
    for _ in range(50):
        layer.recall("note", scope=ALL)
        layer.context("note", touch=False)
    layer.list()
    assert (layer.stats(), _files(path)) == before


def _files(path):
    return {file.name: file.read_bytes() for file in path.rglob("*") if file.is_file() and file.name != "lock"}
