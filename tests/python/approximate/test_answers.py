"""What approximate=True answers: the same scores for what a graph leads to, and never fewer than there are."""

import asyncio

import numpy as np
import pytest

from hippocore import ALL, AccessDenied, AsyncMemoryLayer, MemoryLayer, Policy, Ranking
from hippocore.stores import approximate
from hippocore.stores.graph import Graph
from tests.python.approximate.conftest import COUNT, DIM, START, ids, items_of, vectors_of

QUERIES = vectors_of(20, seed=2)
BY_IMPORTANCE = Ranking(relevance=0.1, recency=0.0, importance=0.9, usage=0.0)
BY_RELEVANCE = Ranking(relevance=1.0, recency=0.0, importance=0.0, usage=0.0)


def both(memory, query, **asked):
    exact = memory.recall(embedding=query, **asked)
    return exact, memory.recall(embedding=query, approximate=True, **asked)


def share_found(memory, **asked):
    found = [both(memory, query, **asked) for query in QUERIES]
    return np.mean([len(set(ids(exact)) & set(ids(near))) / len(exact) for exact, near in found])


def test_the_nearest_are_found_with_the_scores_of_the_exact_answer(built):
    assert share_found(built, limit=10, ranking=BY_RELEVANCE) > 0.9
    for query in QUERIES:
        scores = {hit.memory.id: hit.score for hit in built.recall(embedding=query, limit=COUNT)}
        near = built.recall(embedding=query, limit=10, approximate=True)
        assert [hit.score for hit in near] == sorted((scores[name] for name in ids(near)), reverse=True)


def test_what_the_graph_does_not_lead_to_is_left_out(built):
    exact, near = both(built, QUERIES[0], limit=10, ranking=BY_IMPORTANCE)
    assert len(near) == len(exact) == 10
    assert ids(near) != ids(exact)
    assert near[-1].score < exact[-1].score


def test_until_the_graph_is_ready_the_answer_is_exact(filled, monkeypatch):
    monkeypatch.setattr(approximate.Approximate, "_start", lambda self: None)
    exact, near = both(filled, QUERIES[0], limit=10, ranking=BY_IMPORTANCE)
    assert ids(near) == ids(exact)


def test_the_first_recall_makes_the_graph(filled):
    filled.recall(embedding=QUERIES[0], approximate=True)
    thread = filled._handle.store._graph()._thread
    thread.join()
    exact, near = both(filled, QUERIES[0], limit=10, ranking=BY_IMPORTANCE)
    assert ids(near) != ids(exact)


@pytest.mark.parametrize("nearly_all", [0.0, 0.9], ids=["left out afterwards", "asked for each"])
def test_filters_decide_who_takes_part(built, monkeypatch, nearly_all):
    monkeypatch.setattr(approximate, "NEARLY_ALL", nearly_all)
    assert share_found(built, limit=10, kinds=["fact"], ranking=BY_RELEVANCE) > 0.9
    for query in QUERIES:
        near = built.recall(embedding=query, limit=10, kinds=["fact"], approximate=True)
        assert {hit.memory.kind for hit in near} == {"fact"}
        assert len(near) == 10


def test_the_graph_is_asked_only_for_what_takes_part(built, monkeypatch):
    asked = []
    search = Graph.search
    monkeypatch.setattr(Graph, "search", lambda *given: asked.append(search(*given)) or asked[-1])
    built.recall(embedding=QUERIES[0], limit=10, kinds=["fact"], approximate=True)
    assert len(asked[0]) == 20
    assert set(asked[0] % 2) == {0}


def test_never_fewer_than_there_are(built):
    near = built.recall(embedding=QUERIES[0], limit=COUNT + 5, approximate=True)
    assert len(near) == COUNT
    far = built.recall(embedding=QUERIES[0], limit=30, min_relevance=0.2, approximate=True)
    assert ids(far) == ids(built.recall(embedding=QUERIES[0], limit=30, min_relevance=0.2))
    assert built.recall(embedding=QUERIES[0], limit=0, approximate=True) == []


def test_a_small_scope_is_answered_exactly(built):
    built.remember_many(items_of(vectors_of(40, seed=3), first=COUNT, scope="small"), merge=False)
    exact, near = both(built, QUERIES[0], scope="small", limit=30, ranking=BY_IMPORTANCE)
    assert ids(near) == ids(exact)
    assert len(near) == 30


def test_a_new_memory_takes_part_at_once(built):
    built.remember("new", embedding=QUERIES[0], id="new", merge=False)
    near = built.recall(embedding=QUERIES[0], limit=1, ranking=BY_RELEVANCE, approximate=True)
    assert ids(near) == ["new"]


def test_forgotten_and_superseded_memories_do_not(built):
    first, second = ids(built.recall(embedding=QUERIES[0], limit=2, ranking=BY_RELEVANCE, approximate=True))
    built.forget(first)
    built.remember("instead", embedding=-QUERIES[0], supersedes=second, merge=False)
    near = built.recall(embedding=QUERIES[0], limit=20, ranking=BY_RELEVANCE, approximate=True)
    assert not {first, second} & set(ids(near))


def test_as_of_sees_the_versions_of_that_time(opened):
    moment = START
    memory = opened(clock=lambda: moment)
    memory.remember_many(items_of(vectors_of(COUNT)), merge=False)
    moment = START + 100
    memory.update("n7", embedding=-vectors_of(COUNT)[7])
    memory.build_approximate()
    asked = {"embedding": vectors_of(COUNT)[7], "limit": 5, "ranking": BY_RELEVANCE, "approximate": True}
    assert ids(memory.recall(as_of=START + 50, **asked))[0] == "n7"
    assert "n7" not in ids(memory.recall(**asked))


def test_without_a_query_the_answer_is_exact(built):
    assert ids(built.recall(limit=10, approximate=True)) == ids(built.recall(limit=10))


def test_a_vector_of_zeros_and_an_extreme_one_are_answered(opened):
    memory = opened()
    vectors = vectors_of(200)
    vectors[:60] = 0
    vectors[60:120] *= np.float32(1e-30)
    vectors[120:140] *= np.float32(1e30)
    memory.remember_many(items_of(vectors), merge=False)
    memory.build_approximate()
    for query in (np.zeros(DIM, np.float32), vectors[60], vectors[120]):
        assert len(memory.recall(embedding=query, limit=5, approximate=True)) == 5
    assert ids(memory.recall(embedding=vectors[60], limit=1, ranking=BY_RELEVANCE, approximate=True)) == ["n60"]


def test_context_and_several_queries(built):
    assert built.context(embedding=QUERIES[0], pool=10, approximate=True).memories
    several = built.recall_many(embeddings=QUERIES, limit=5, approximate=True)
    assert [ids(hits) for hits in several] == [
        ids(built.recall(embedding=query, limit=5, approximate=True)) for query in QUERIES
    ]


def test_the_flag_is_true_or_false(built):
    with pytest.raises(TypeError, match="approximate"):
        built.recall(embedding=QUERIES[0], approximate=1)


def test_coroutines_have_it_too(tmp_path):
    async def ask():
        async with await AsyncMemoryLayer.open(tmp_path / "async.mem", embedder=None, dim=DIM) as memory:
            await memory.remember_many(items_of(vectors_of(COUNT)), merge=False)
            await memory.build_approximate()
            return await memory.recall(embedding=QUERIES[0], limit=3, approximate=True)

    assert len(asyncio.run(ask())) == 3


def test_an_agent_sees_what_it_may_read_and_builds_nothing(tmp_path):
    policy = Policy({"ann": {"read": ["ann"], "write": ["ann"]}})
    with MemoryLayer(tmp_path / "agents.mem", embedder=None, dim=DIM, policy=policy) as owner:
        owner.remember_many(items_of(vectors_of(COUNT), scope="ann"), merge=False)
        owner.remember_many(items_of(QUERIES, first=COUNT, scope="bob"), merge=False)
        owner.build_approximate()
        ann = owner.as_agent("ann")
        for query in QUERIES:
            near = ann.recall(embedding=query, scope=ALL, limit=10, approximate=True)
            assert len(near) == 10
            assert {hit.memory.scope for hit in near} == {"ann"}
        with pytest.raises(AccessDenied):
            ann.recall(embedding=QUERIES[0], scope="bob", approximate=True)
        with pytest.raises(AccessDenied):
            ann.build_approximate()
