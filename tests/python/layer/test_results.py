"""Results: plain data that outlives the handle and shows no content by accident."""

import copy
import pickle

import pytest

from hippocore import Memory, Remembered, Scored


def test_hits_outlive_the_handle_and_a_pickle(layer):
    layer.remember_many([{"content": f"tea {n}", "metadata": {"n": n}} for n in range(5)], merge=False)
    hits = layer.recall("tea 3")
    layer.close()
    for again in (pickle.loads(pickle.dumps(hits)), copy.deepcopy(hits), copy.copy(hits)):
        assert again == hits
        assert [hit.memory for hit in again] == [hit.memory for hit in hits]
        assert [hit.why for hit in again] == [hit.why for hit in hits]
    assert len({*hits, *pickle.loads(pickle.dumps(hits))}) == 5
    assert hits[0] != hits[1]
    assert hits[0] != "tea"


def test_memories_are_frozen_hashable_plain_data(layer):
    identifier = layer.remember("tea", metadata={"a": [1]}).id
    memory = layer.get(identifier)
    with pytest.raises(AttributeError):
        memory.content = "coffee"
    assert pickle.loads(pickle.dumps(memory)) == memory == copy.deepcopy(memory)
    assert len({memory, layer.get(identifier)}) == 1
    memory.metadata["a"] = 2
    assert layer.get(identifier).metadata == {"a": [1]}


def test_no_repr_shows_content(layer):
    found = layer.remember("confidential tea", tags=["confidential"], metadata={"confidential": "confidential"})
    hit = layer.recall("confidential")[0]
    for shown in (found, hit, hit.memory, layer.context("tea"), layer, layer.list(), layer.stats(), hit.why):
        assert "confidential" not in repr(shown)
    assert found.id in repr(found)
    assert found.id in repr(hit)
    assert found.id in repr(hit.memory)


def test_why_says_the_score_in_numbers(layer):
    layer.remember("tea", importance=0.8)
    hit = layer.recall("tea", mode="dense")[0]
    assert hit.why == (
        "score 0.870 = relevance 1.00 x 0.50 + recency 1.00 x 0.25 + importance 0.80 x 0.15 + usage 0.00 x 0.10; "
        "similarity 1.00"
    )
    assert hit.lexical == 0


def test_results_are_of_the_public_types(layer):
    found = layer.remember("tea")
    assert isinstance(found, Remembered)
    assert isinstance(layer.get(found.id), Memory)
    assert isinstance(layer.recall("tea")[0], Scored)


def test_stats_count_what_is_there(layer, path, clock):
    layer.remember("one", id="a")
    layer.update("a", content="two")
    layer.remember("three", id="b", scope="other")
    layer.remember("four", id="c")
    layer.forget("c")
    stats = layer.stats()
    assert (stats.memories, stats.versions, stats.scopes, stats.forgotten) == (2, 3, 2, 1)
    assert (stats.path, stats.dim, stats.embedder, stats.tokenizer) == (str(path), 64, "words", "estimate")
    assert stats.disk_bytes > 0


def test_contains_takes_anything(layer):
    layer.remember("tea", id="a")
    assert "a" in layer
    for other in ("b", "", 5, None, "\ud800", b"a"):
        assert other not in layer
