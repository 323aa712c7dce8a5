"""A question asked by other wordings too: each memory by its best score, none lost, and no wording told."""

import asyncio
import pickle
import warnings

import numpy as np
import pytest

from hippocore import AsyncMemoryLayer, HippocoreWarning, MemoryNotFound, Policy, Ranking
from hippocore.expanded_recall import moved
from hippocore.expansions import passage_in, wordings_in

NOTES = (
    *("my car is red and fast", "the automobile needs new tyres", "tyres cost two hundred", "the vehicle was sold"),
    *("Ada drinks tea", "milk and tea in the morning", "the colour of the house is blue", "nothing to see here"),
)
QUERY = "colour of the vehicle"
PARAPHRASES = ("red car", "automobile tyres", "house paint")
PASSAGE = "my automobile is red and has new tyres"
MODES = ("hybrid", "dense", "lexical")


class Llm:
    """A model that writes three wordings, or a passage, and remembers what it was asked."""

    def __init__(self):
        self.prompts = []

    def __call__(self, prompt):
        self.prompts.append(prompt)
        return PASSAGE if "notes" in prompt else "\n".join(f"{i}. {line}" for i, line in enumerate(PARAPHRASES, 1))


@pytest.fixture
def llm():
    return Llm()


@pytest.fixture
def memory(opened, clock, llm):
    layer = opened(llm=llm, policy=Policy({"ada": {"read": ["hers"], "write": ["hers"]}}))
    for note in NOTES:
        layer.remember(note)
        clock.pass_by(60)
    layer.remember_many([{"content": "a red car"} for _ in range(3)], merge=False)
    clock.pass_by(60)
    layer.remember_many([{"content": "a red car"} for _ in range(2)], merge=False)
    return layer


def found(hits):
    return [(hit.id, hit.score) for hit in hits]


def united(*lists):
    """Each memory of several recalls by its best score: by score, then newest, then id."""
    best = {}
    for hit in (hit for hits in lists for hit in hits):
        if hit.id not in best or hit.score > best[hit.id].score:
            best[hit.id] = hit
    return sorted(best.values(), key=lambda hit: (-hit.score, -hit.memory.valid_from.timestamp(), hit.id))


def by_vector(opened, embed, vector):
    """A function that recalls as if every text had that vector."""
    layer = opened(
        embedder=lambda texts: np.tile(vector, (len(texts), 1)), embedder_name="words", dim=64, read_only=True
    )
    return layer.recall


@pytest.mark.parametrize("mode", MODES)
def test_paraphrases_are_asked_beside_the_question_and_each_memory_has_its_best_score(memory, mode):
    apart = [memory.recall(text, mode=mode) for text in (QUERY, *PARAPHRASES)]
    hits = memory.recall(QUERY, mode=mode, expand="paraphrase")
    assert found(hits) == found(united(*apart))
    assert found(hits) != found(apart[0])
    assert found(memory.recall(QUERY, mode=mode, expand="paraphrase", limit=3)) == found(hits[:3])


@pytest.mark.parametrize("mode", ["hybrid", "dense"])
def test_a_supposed_answer_lends_its_vector_and_the_question_its_words(memory, opened, embed, mode):
    hits = memory.recall(QUERY, mode=mode, expand="hypothetical")
    supposed = by_vector(opened, embed, embed([PASSAGE])[0])(QUERY, mode=mode)
    assert found(hits) == found(united(memory.recall(QUERY, mode=mode), supposed))
    assert found(hits) != found(memory.recall(QUERY, mode=mode))


@pytest.mark.parametrize("mode", ["hybrid", "dense"])
def test_feedback_moves_the_vector_towards_the_best_three_without_a_model(memory, opened, embed, llm, mode):
    own = memory.recall(QUERY, mode=mode)
    good = memory.embeddings([hit.id for hit in own[:3]])
    expected = embed([QUERY])[0] + 0.75 * good.mean(axis=0)
    hits = memory.recall(QUERY, mode=mode, expand="feedback")
    nearer = by_vector(opened, embed, expected)(QUERY, mode=mode)
    assert found(hits) == [(i, pytest.approx(score)) for i, score in found(united(own, nearer))]
    assert found(hits) != found(own)
    assert llm.prompts == []


def test_feedback_also_moves_a_vector_that_was_given(memory, embed):
    vector = embed([QUERY])[0]
    assert found(memory.recall(embedding=vector, expand="feedback")) == found(
        memory.recall(QUERY, mode="dense", expand="feedback")
    )
    assert found(memory.recall_many(embeddings=[vector], expand="feedback")[0]) == found(
        memory.recall(embedding=vector, expand="feedback")
    )


def test_approximate_recall_expands_by_similarity(memory):
    for expand in ("paraphrase", "hypothetical", "feedback"):
        hits = memory.recall(QUERY, approximate=True, expand=expand)
        assert found(hits) == found(memory.recall(QUERY, mode="dense", expand=expand))


def test_moving_is_rocchios_with_directions_whatever_the_lengths():
    good = np.array([[0, 2, 0], [0, 0, 1e-30], [0, 0, 0]], np.float32)
    np.testing.assert_allclose(moved(np.array([3e30, 0, 0], np.float32), good), [1, 0.25, 0.25])
    np.testing.assert_array_equal(moved(np.zeros(3, np.float32), np.zeros((1, 3), np.float32)), [0, 0, 0])


def test_a_memory_that_was_forgotten_meanwhile_moves_nothing(memory, monkeypatch):
    def gone(keys):
        raise MemoryNotFound("gone")

    plain = memory.recall(QUERY, mode="dense")
    monkeypatch.setattr(memory._handle.store, "get_vectors", gone)
    hits = memory.recall(QUERY, mode="dense", expand="feedback")
    assert found(hits) == [(i, pytest.approx(score)) for i, score in found(plain)]


def test_what_the_question_finds_is_never_lost_and_never_falls(memory):
    own = {hit.id: hit.score for hit in memory.recall(QUERY)}
    for expand in ("paraphrase", "hypothetical", "feedback"):
        hits = {hit.id: hit.score for hit in memory.recall(QUERY, expand=expand)}
        assert hits.keys() >= own.keys()
        assert all(hits[i] >= score for i, score in own.items())


def test_why_says_by_which_kind_of_wording_and_never_its_text(memory):
    served = {"paraphrase": "by a paraphrase", "hypothetical": "by a supposed answer", "feedback": "by feedback"}
    own = {hit.id: hit for hit in memory.recall(QUERY)}
    for expand, by in served.items():
        hits = memory.recall(QUERY, expand=expand)
        better = [hit for hit in hits if hit.score > own[hit.id].score]
        assert better
        assert all(hit.why.endswith(f"; {by}") for hit in better)
        assert all(hit == own[hit.id] and by not in hit.why for hit in hits if hit not in better)
        assert not any(word in hit.why for hit in hits for word in ("automobile", "paint", "tyres"))
        copies = pickle.loads(pickle.dumps(hits))
        assert (copies, [hit.why for hit in copies]) == (hits, [hit.why for hit in hits])


def test_everything_is_asked_of_one_state_at_once(memory, monkeypatch):
    asked = []
    recall_many = memory._handle.store.recall_many

    def counted(vectors, *others, **words):
        asked.append(len(vectors))
        return recall_many(vectors, *others, **words)

    monkeypatch.setattr(memory._handle.store, "recall_many", counted)
    memory.recall(QUERY, expand="paraphrase")
    memory.recall_many([QUERY, "tea"], expand="paraphrase")
    memory.recall(QUERY, expand="hypothetical")
    memory.recall(QUERY, expand="feedback")
    assert asked == [4, 8, 2, 1, 2]


def test_recall_many_gives_what_recall_gives(memory):
    for expand in ("paraphrase", "hypothetical", "feedback"):
        queries = (query for query in (QUERY, "tea"))
        expected = [memory.recall(query, expand=expand, limit=4) for query in (QUERY, "tea")]
        assert memory.recall_many(queries, expand=expand, limit=4) == expected
        assert memory.recall_many([], expand=expand) == []


def test_a_context_is_of_what_is_united_and_its_confidence_the_questions_own(memory):
    packed = memory.context(QUERY, expand="paraphrase", touch=False, strategy="score")
    assert packed.memories == memory.recall(QUERY, expand="paraphrase")
    assert packed.confidence == memory.context(QUERY, touch=False).confidence


def test_min_relevance_is_of_the_best_wording(memory):
    ranking = Ranking(relevance=1, recency=0, importance=0, usage=0)
    for least in (0.3, 0.6):
        how = {"ranking": ranking, "min_relevance": least, "mode": "dense"}
        hits = memory.recall(QUERY, expand="paraphrase", **how)
        assert found(hits) == found(united(*(memory.recall(text, **how) for text in (QUERY, *PARAPHRASES))))
        assert all(hit.relevance >= least for hit in hits)
        assert len(hits) > len(memory.recall(QUERY, **how))


def test_the_reranker_reads_what_is_united(opened, memory, llm):
    asked = []

    def reranker(query, texts):
        asked.append((query, texts))
        return [len(texts) - i for i in range(len(texts))]

    layer = opened(llm=llm, reranker=reranker, read_only=True)
    best = memory.recall(QUERY, expand="paraphrase")[:3]
    hits = layer.recall(QUERY, expand="paraphrase", limit=2, rerank=3)
    assert asked == [(QUERY, [hit.memory.content for hit in best])]
    assert found(hits) == found(best[:2])
    assert "reranker" in hits[0].why
    assert hits[0].why.endswith("; by a paraphrase")
    assert layer.recall_many([QUERY], expand="paraphrase", limit=2, rerank=3) == [hits]
    assert pickle.loads(pickle.dumps(hits)) == hits


def test_the_llm_reads_the_question_as_it_was_asked_and_wordings_are_rewritten_like_it(memory, llm):
    asked = "Do you remember what I told you about my car?"
    hits = memory.recall(asked, expand="paraphrase")
    assert llm.prompts[0].endswith(f"\n\nQuestion: {asked}")
    assert found(hits) == found(united(*(memory.recall(text) for text in (asked, *PARAPHRASES))))


def failing(prompt):
    raise OSError("the model has my prompt")


@pytest.mark.parametrize("expand", ["paraphrase", "hypothetical"])
def test_an_llm_that_fails_leaves_the_ranking_without_it_and_says_so_once(opened, memory, expand):
    layer = opened(llm=failing, read_only=True)
    with pytest.warns(HippocoreWarning, match="the llm raised OSError") as warned:
        assert layer.recall(QUERY, expand=expand) == memory.recall(QUERY)
    assert [one.filename for one in warned] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert layer.recall_many([QUERY], expand=expand) == [memory.recall(QUERY)]
        assert layer.context(QUERY, expand=expand).text


@pytest.mark.parametrize(
    "answer", ["", " \n\n", "...", "```\n```", '{"wordings": ["x"]}', "Here they are:", QUERY.upper()]
)
def test_an_answer_that_is_no_wording_changes_nothing(opened, memory, answer):
    layer = opened(llm=lambda prompt: answer, read_only=True)
    assert layer.recall(QUERY, expand="paraphrase") == memory.recall(QUERY)


@pytest.mark.parametrize(
    ("answer", "wordings"),
    [
        ("one\ntwo\nthree\nfour", ["one", "two", "three"]),
        ("Here are three:\n\n1. one\n2) two\n(3) three", ["one", "two", "three"]),
        ('- "one?"\n* “two”\n• three', ["one?", "two", "three"]),
        ("one\nONE?\n the  question ?\none.", ["one"]),
        ("x" * 501 + "\n" + "y" * 500, ["y" * 500]),
        ("<think>\nfirst idea\n</think>\none", ["one"]),
        ("```\none\n```\n# two\n| three |", ["one"]),
        ("1984 in books\n2. 7 May", ["1984 in books", "7 May"]),
        ("\n" * 60 + "late", []),
        ("什么颜色\r\n何色", ["什么颜色", "何色"]),
    ],
)
def test_wordings_are_lines_without_their_ornaments(answer, wordings):
    assert wordings_in(answer, "The question?") == wordings


def test_a_passage_is_a_text_of_bounded_length():
    assert passage_in("<think>hm</think>\n The car\nis red. ") == "The car\nis red."
    assert passage_in("a b " * 1000) == ("a b " * 500).strip()
    assert passage_in(" ... \n") is None


def test_an_agent_expands_over_what_it_may_read(memory, llm):
    agent = memory.as_agent("ada")
    agent.remember("her red car", scope="hers")
    agent.remember("her tea", scope="hers")
    for expand in ("paraphrase", "hypothetical", "feedback"):
        assert {hit.memory.scope for hit in agent.recall(QUERY, scope="hers", expand=expand)} == {"hers"}
    assert agent.recall(QUERY, scope="hers", expand="paraphrase")[0].memory.content == "her red car"


def test_a_coroutine_expands(memory, path, embed, llm):
    async def first():
        opening = AsyncMemoryLayer.open(path, embedder=embed, embedder_name="words", dim=64, llm=llm, read_only=True)
        async with await opening as layer:
            return await layer.recall(QUERY, expand="paraphrase")

    assert [hit.id for hit in asyncio.run(first())] == [hit.id for hit in memory.recall(QUERY, expand="paraphrase")]


def test_what_asks_for_nothing_or_wrongly_asks_no_model(memory, llm):
    assert memory.recall(QUERY, expand="paraphrase", limit=0) == []
    for wrong in ({"min_relevance": 2}, {"scope": ""}, {"kinds": 3}, {"rewrite": 1}):
        with pytest.raises((TypeError, ValueError)):
            memory.recall(QUERY, expand="paraphrase", **wrong)
    assert llm.prompts == []
    assert memory.recall(QUERY, scope="nobody", expand="feedback") == []


def test_what_cannot_be_expanded_is_refused(opened, memory, embed):
    without = opened(read_only=True)
    for expand in ("paraphrase", "hypothetical"):
        with pytest.raises(ValueError, match=r"open the store with MemoryLayer\(llm="):
            without.recall(QUERY, expand=expand)
        with pytest.raises(ValueError, match="needs a query"):
            memory.recall(embedding=embed([QUERY])[0], expand=expand)
        with pytest.raises(ValueError, match="needs a query"):
            memory.recall_many(embeddings=embed([QUERY]), expand=expand)
    for expand in ("hypothetical", "feedback"):
        with pytest.raises(ValueError, match="mode 'lexical' has none"):
            memory.recall(QUERY, mode="lexical", expand=expand)
    with pytest.raises(ValueError, match="expand must be one of 'paraphrase'"):
        memory.recall(QUERY, expand="synonyms")
    with pytest.raises(ValueError, match="needs a query or an embedding"):
        memory.recall(expand="feedback")
    with pytest.raises(ValueError, match="not both"):
        memory.recall(QUERY, embedding=embed([QUERY])[0], expand="feedback")
    with pytest.raises(ValueError, match="query must not be empty"):
        memory.recall(" ", expand="feedback")
    with pytest.raises(ValueError, match="query 1 must not be empty"):
        memory.recall_many(["tea", ""], expand="paraphrase")
