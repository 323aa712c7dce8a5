"""A question about memory itself is asked by its subject, by meaning and by words, unless it is to stand as it is."""

import pytest

from hippocore import MemoryLayer

ASKED = "Do you remember what I told you about my infra?"


@pytest.fixture
def embedded():
    return []


@pytest.fixture
def memory(path, clock, embed, embedded):
    def embedder(texts):
        embedded.extend(texts)
        return embed(texts)

    with MemoryLayer(path, embedder=embedder, embedder_name="bag", clock=clock) as layer:
        layer.remember_many(
            {"content": text} for text in ("my infra is one old server", "do you remember what I told you", "tea")
        )
        embedded.clear()
        yield layer


def found(hits):
    return [(hit.memory.content, hit.score, hit.similarity, hit.lexical) for hit in hits]


@pytest.mark.parametrize("mode", ["hybrid", "dense", "lexical"])
def test_a_question_about_memory_is_asked_by_its_subject(memory, mode):
    hits = memory.recall(ASKED, mode=mode)
    assert found(hits) == found(memory.recall("my infra?", mode=mode))
    assert hits[0].memory.content == "my infra is one old server"
    assert found(memory.recall_many([ASKED, "tea"], mode=mode)[0]) == found(hits)
    assert found(memory.context(ASKED, mode=mode, touch=False).memories) == found(hits)


def test_a_question_can_be_asked_as_it_stands(memory, embedded):
    hits = memory.recall(ASKED, rewrite=False)
    assert hits[0].memory.content == "do you remember what I told you"
    assert found(memory.recall_many([ASKED], rewrite=False)[0]) == found(hits)
    assert found(memory.context(ASKED, rewrite=False, touch=False).memories) == found(hits)
    assert embedded == [ASKED] * 3
    with pytest.raises(TypeError, match="rewrite must be True or False"):
        memory.recall(ASKED, rewrite=0)


def test_a_reranker_reads_the_question_as_it_was_asked(path, clock, embed):
    asked = []

    def reranker(query, texts):
        asked.append(query)
        return [0.0] * len(texts)

    with MemoryLayer(path, embedder=embed, embedder_name="bag", clock=clock, reranker=reranker) as layer:
        layer.remember("my infra is one old server")
        layer.recall(ASKED)
        layer.recall_many([ASKED])
    assert asked == [ASKED, ASKED]
