"""A reranker puts the best in order anew, within its time; the ranking is without one that fails, and says so once."""

import asyncio
import functools
import pickle
import re
import sys
import threading
import types

import numpy as np
import pytest

from hippocore import AsyncMemoryLayer, HippocoreWarning, MemoryLayer, Policy
from hippocore.errors import MissingExtra
from hippocore.rerankers import CrossEncoderReranker, FlashRankReranker

TEXTS = [f"{'tea ' * (9 - i)}and {'milk ' * i}in cup {i}" for i in range(8)]
QUERY = "tea"


class Asked:
    """A reranker that prefers what comes late in the alphabet, and remembers what it was asked."""

    def __init__(self):
        self.calls = []

    def __call__(self, query, texts):
        self.calls.append((query, texts))
        return [int(text[-1]) for text in texts]


@pytest.fixture
def opened(path, clock, embed):
    layers = []

    def open_with(reranker, **options):
        layers.append(MemoryLayer(path, embedder=embed, embedder_name="bag", clock=clock, reranker=reranker, **options))
        if not layers[-1].count():
            layers[-1].remember_many({"content": text, "kind": "fact"} for text in TEXTS)
        return layers[-1]

    yield open_with
    for layer in layers:
        layer.close()


def contents(hits):
    return [hit.memory.content for hit in hits]


def test_the_best_stand_in_the_rerankers_order_and_the_rest_behind_them(opened):
    memory = opened(asked := Asked())
    before = memory.recall(QUERY, rerank=0)
    assert contents(before) != contents(reversed(before))
    assert asked.calls == []
    after = memory.recall(QUERY, rerank=5)
    assert asked.calls == [(QUERY, contents(before[:5]))]
    assert contents(after[:5]) == sorted(contents(before[:5]), key=lambda text: text[-1], reverse=True)
    assert contents(after[5:]) == contents(before[5:])
    assert [hit.score for hit in after] == [hit.score for hit in before]
    assert [hit.reranked for hit in after] == [float(hit.memory.content[-1]) for hit in after[:5]] + [None] * 3
    for hit in after:
        was = next(one for one in before if one.id == hit.id)
        assert (hit.relevance, hit.recency, hit.similarity) == (was.relevance, was.recency, was.similarity)
        assert was.why in hit.why


def test_a_reranker_sees_more_than_the_limit(opened):
    memory = opened(asked := Asked())
    assert contents(memory.recall(QUERY, limit=2)) == sorted(TEXTS, key=lambda text: text[-1], reverse=True)[:2]
    assert len(asked.calls[0][1]) == len(TEXTS)
    assert contents(memory.recall(QUERY, limit=2, rerank=1)) == contents(memory.recall(QUERY, limit=2, rerank=0))


def test_equal_scores_keep_the_order_before(opened):
    memory = opened(lambda query, texts: np.zeros(len(texts), np.float32))
    assert contents(memory.recall(QUERY)) == contents(memory.recall(QUERY, rerank=0))


def test_a_context_is_packed_in_the_new_order(opened):
    memory = opened(Asked())
    one = memory.context(QUERY, budget=90, touch=False)
    assert contents(one.memories)[0].endswith("cup 7")
    assert one.tokens <= 90
    assert len(one.memories) < len(TEXTS)
    assert contents(memory.context(QUERY, budget=90, touch=False, rerank=0).memories)[0].endswith("cup 0")


def test_recall_many_gives_what_recall_gives(opened):
    memory = opened(Asked())
    for options in ({}, {"limit": 2}, {"rerank": 3}, {"rerank": 0}):
        queries = (query for query in ("tea", "milk"))
        assert memory.recall_many(queries, **options) == [memory.recall(query, **options) for query in ("tea", "milk")]


def test_only_what_is_asked_by_text_is_reranked(opened, embed):
    memory = opened(asked := Asked())
    vector = embed([QUERY])[0]
    assert contents(memory.recall(embedding=vector)) == contents(memory.recall(QUERY, mode="dense", rerank=0))
    memory.recall_many(embeddings=[vector])
    memory.recall()
    memory.recall(QUERY, limit=0)
    memory.recall(QUERY, scope="nobody")
    assert asked.calls == []


def test_a_reranked_hit_is_plain_data(opened):
    memory = opened(Asked())
    hits = memory.recall(QUERY)
    copies = pickle.loads(pickle.dumps(hits))
    assert copies == hits
    assert [hit.why for hit in copies] == [hit.why for hit in hits]
    assert len({*hits, *copies}) == len(hits)
    plain = {hit.id: hit for hit in memory.recall(QUERY, rerank=0)}
    assert not any(hit == plain[hit.id] or plain[hit.id] == hit for hit in hits)


class UnprintableError(Exception):
    def __str__(self):
        raise AssertionError("nobody may look at what a reranker raises: it may carry a text")


def raising(query, texts):
    raise UnprintableError(texts)


@pytest.mark.parametrize(
    ("reranker", "said"),
    [
        (raising, rf"raised UnprintableError at {re.escape(__file__)}:{raising.__code__.co_firstlineno + 1}:"),
        (lambda query, texts: [1.0] * (len(texts) - 1), r"shape \(7,\) for 8 texts"),
        (lambda query, texts: [[1.0]] * len(texts), r"shape \(8, 1\) for 8 texts"),
        (lambda query, texts: [float("nan")] + [0.0] * (len(texts) - 1), "not finite"),
        (lambda query, texts: [float("-inf")] + [0.0] * (len(texts) - 1), "not finite"),
        (lambda query, texts: texts, "returned a list of str, not of numbers"),
        (lambda query, texts: [True] * len(texts), "returned a list of bool, not of numbers"),
        (lambda query, texts: [10**400] * len(texts), "returned a number that is too large"),
        (lambda query, texts: np.array([b"1"] * len(texts)), "returned a ndarray of bytes, not of numbers"),
        (lambda query, texts: [1j] * len(texts), "returned a list of complex128, not of numbers"),
        (lambda query, texts: None, "returned NoneType, not numbers"),
        (lambda query, texts: [[1.0], [1.0, 2.0]], "returned list, not numbers"),
        (lambda query, texts: {1.0, 2.0}, "returned set, not numbers"),
        (lambda query: [1.0], "raised TypeError"),
    ],
)
def test_a_reranker_that_fails_is_done_without_and_says_so_once(opened, reranker, said):
    memory = opened(reranker)
    with pytest.warns(HippocoreWarning, match=said) as warned:
        hits = memory.recall(QUERY, limit=3)
    assert hits == memory.recall(QUERY, limit=3, rerank=0)
    assert [one.filename for one in warned] == [__file__]
    assert not any(word in str(warned[0].message) for word in ("tea", "milk", "cup"))
    assert memory.recall(QUERY, limit=3) == hits
    assert contents(memory.context(QUERY, touch=False).memories) == contents(memory.recall(QUERY, rerank=0))


def test_whole_numbers_of_any_size_are_scores(opened):
    memory = opened(lambda query, texts: [10**30 * int(text[-1]) for text in texts])
    assert contents(memory.recall(QUERY)) == contents(opened(Asked()).recall(QUERY))


class AsyncCall:
    async def __call__(self, query, texts):
        raise AssertionError("nobody awaits it")


async def async_function(query, texts):
    raise AssertionError("nobody awaits it")


@pytest.mark.parametrize("reranker", [async_function, AsyncCall(), functools.partial(async_function)])
def test_an_async_reranker_is_refused_when_the_layer_is_opened(opened, path, reranker):
    with pytest.raises(TypeError, match="reranker must be a plain function, not an async one"):
        opened(reranker)
    assert not path.exists()


class Slow(Asked):
    """A reranker that goes on until it is let go."""

    def __init__(self):
        super().__init__()
        self.let_go = threading.Event()
        self.begun = threading.Event()

    def __call__(self, query, texts):
        self.thread = threading.current_thread()
        self.begun.set()
        self.let_go.wait()
        return super().__call__(query, texts)

    def end(self):
        self.let_go.set()
        self.begun.wait()
        self.thread.join()


def test_a_reranker_that_takes_too_long_is_given_up_and_not_asked_until_it_has_ended(opened):
    memory = opened(slow := Slow(), rerank_timeout=0.01)
    before = memory.recall(QUERY, rerank=0)
    with pytest.warns(HippocoreWarning, match="longer than 0.01 seconds") as warned:
        assert memory.recall(QUERY) == before
    assert [one.filename for one in warned] == [__file__]
    slow.begun.wait()
    slow.begun.clear()
    assert memory.recall(QUERY) == before
    assert not slow.begun.is_set()
    slow.begun.set()
    slow.end()
    memory._handle.reranker._patient.seconds = 60
    assert contents(memory.recall(QUERY))[0].endswith("cup 7")
    assert len(slow.calls) == 2


def test_an_interrupt_is_no_failure_of_a_reranker(opened):
    def reranker(query, texts):
        raise KeyboardInterrupt

    memory = opened(reranker)
    with pytest.raises(KeyboardInterrupt):
        memory.recall(QUERY)


def test_an_agents_reranker_reads_what_the_agent_may_read(opened):
    policy = Policy({"ada": {"read": ["hers"], "write": ["hers"]}})
    memory = opened(asked := Asked(), policy=policy)
    memory.remember("tea of hers 5", scope="hers")
    agent = memory.as_agent("ada")
    assert contents(agent.recall(QUERY, scope="hers")) == ["tea of hers 5"]
    assert asked.calls == [(QUERY, ["tea of hers 5"])]


def test_the_owner_and_agents_are_warned_once_together(opened):
    memory = opened(raising, policy=Policy({"ada": {"read": ["default"]}}))
    with pytest.warns(HippocoreWarning):
        memory.recall(QUERY)
    assert len(memory.as_agent("ada").recall(QUERY)) == len(TEXTS)


def test_a_coroutines_recall_is_reranked(path, embed):
    async def first():
        async with await AsyncMemoryLayer.open(
            path, embedder=embed, embedder_name="bag", reranker=lambda query, texts: [len(text) for text in texts]
        ) as memory:
            await memory.remember_many({"content": text} for text in ("tea", "tea and toast"))
            return await memory.recall(QUERY)

    assert contents(asyncio.run(first())) == ["tea and toast", "tea"]


def test_what_cannot_be_reranked_is_refused(opened, path, embed):
    memory = opened(None)
    with pytest.raises(ValueError, match="rerank= needs a reranker"):
        memory.recall(QUERY, rerank=3)
    assert memory.recall(QUERY, rerank=0) == memory.recall(QUERY)
    memory = opened(Asked())
    with pytest.raises(ValueError, match="rerank= needs a query"):
        memory.recall(rerank=3)
    with pytest.raises(ValueError, match="rerank= needs a query"):
        memory.recall_many(embeddings=embed([QUERY]), rerank=3)
    with pytest.raises(ValueError, match="rerank must not be negative"):
        memory.recall(QUERY, rerank=-1)
    with pytest.raises(TypeError, match="rerank must be a whole number"):
        memory.recall(QUERY, rerank=True)
    with pytest.raises(TypeError, match="queries must be a list of texts"):
        memory.recall_many(QUERY)
    with pytest.raises(TypeError, match="reranker must be a callable"):
        MemoryLayer(path, reranker="cross-encoder")
    for seconds in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="rerank_timeout must be"):
            MemoryLayer(path, rerank_timeout=seconds)


class CrossEncoder:
    """Stands for `sentence_transformers.CrossEncoder`: predicts by the second text's last character."""

    def __init__(self, name="given"):
        self.name = name
        self.asked = []

    def predict(self, inputs, *, batch_size=32, show_progress_bar=None):
        self.asked.append((len(inputs), batch_size, show_progress_bar))
        assert {query for query, _ in inputs} == {QUERY}
        return np.array([int(text[-1]) - 5 for _, text in inputs], np.float32)


class RerankRequest:
    def __init__(self, query=None, passages=None):
        self.query, self.passages = query, passages


class Ranker:
    """Stands for `flashrank.Ranker`: writes scores into the passages and gives them back best first."""

    def __init__(self, model_name="given"):
        self.name = model_name

    def rerank(self, request):
        assert request.query == QUERY
        for passage in request.passages:
            passage["score"] = np.float32(passage["text"][-1])
        return sorted(request.passages, key=lambda passage: passage["score"], reverse=True)


def in_reverse(memory):
    return contents(memory.recall(QUERY)) == sorted(TEXTS, key=lambda text: text[-1], reverse=True)


def test_a_cross_encoder_reranks(opened, monkeypatch):
    model = CrossEncoder()
    assert in_reverse(opened(CrossEncoderReranker(model, batch_size=4)))
    assert model.asked == [(8, 4, False)]
    monkeypatch.setitem(sys.modules, "sentence_transformers", types.SimpleNamespace(CrossEncoder=CrossEncoder))
    by_name = CrossEncoderReranker("small")
    assert by_name._model.name == "small"
    assert in_reverse(opened(by_name))


def test_flashrank_reranks(opened, monkeypatch):
    library = types.SimpleNamespace(Ranker=Ranker, RerankRequest=RerankRequest)
    monkeypatch.setitem(sys.modules, "flashrank", library)
    assert in_reverse(opened(FlashRankReranker(Ranker())))
    assert FlashRankReranker("small")._ranker.name == "small"


def test_a_library_that_is_not_there_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.setitem(sys.modules, "flashrank", None)
    with pytest.raises(MissingExtra, match=r"hippocore\[cross-encoder\]"):
        CrossEncoderReranker("small")
    with pytest.raises(MissingExtra, match=r"hippocore\[flashrank\]"):
        FlashRankReranker("small")
