"""The plain methods against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hippocore.evaluate.asking import evaluate
from hippocore.evaluate.files import read_file
from hippocore.evaluate.plain import Bm25, fused, ranked, words
from hippocore.evaluate.plain_asking import Corpus
from hippocore.evaluate.settings import Setting
from hippocore.evaluate.tuning import tune

TEXTS = ["red boat", "red red car here", "blue"]


def test_words_are_small_stemmed_and_no_stop_words():
    assert words("The boats were SAILING, and it's 7 o'clock") == ["boat", "were", "sail", "s", "7", "o", "clock"]


def test_bm25_is_idf_times_the_saturated_count():
    scores = Bm25(TEXTS).scores("red")
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    norms = [1.2 * (0.25 + 0.75 * length / (7 / 3)) for length in (2, 4)]
    assert scores == pytest.approx([idf * 1 / (1 + norms[0]), idf * 2 / (2 + norms[1]), 0])


def test_bm25_adds_the_words_of_a_query_and_those_it_says_twice():
    bm25 = Bm25(TEXTS)
    assert bm25.scores("red boat") == pytest.approx(bm25.scores("red") + bm25.scores("boat"))
    assert bm25.scores("red, red") == pytest.approx(2 * bm25.scores("red"))
    assert bm25.scores("the unknown ?").tolist() == [0, 0, 0]
    assert Bm25(["the", "of"]).scores("the").tolist() == [0, 0]


def test_the_best_come_first_the_earlier_of_equals_before_and_nothing_without_a_score():
    assert ranked(np.array([0.5, 0.0, 2.0, 0.5])).tolist() == [2, 0, 3]
    many = np.tile([1.0, 2.0, 3.0], 50)
    assert ranked(many).tolist() == [*range(2, 150, 3), *range(1, 150, 3), *range(0, 150, 3)]


def test_ranks_are_fused_by_the_sum_of_their_reciprocals():
    """1/61 + 1/62 for place 0, 1/62 for 3 (in one only), 1/61 + 1/63 for 2."""
    assert fused(np.array([2, 0]), np.array([0, 3, 2]), count=5).tolist() == [0, 2, 3]


def test_the_first_of_one_ranking_is_as_good_as_what_both_have_at_62():
    """2 / (60 + 62) = 1 / (60 + 1): at 61 both say more, and at 62 the earlier of equals is first."""
    for rank, first in ((61, 199), (62, 0)):
        one = np.array([*range(rank - 1), 199])
        other = np.array([*range(80, 79 + rank), 199])
        assert len(one) == len(other) == rank
        assert fused(one, other, count=200)[0] == first


def test_a_run_of_a_plain_method_ranks_the_live_memories_of_the_conversation(lines, written):
    data = read_file(written(lines, as_lines=True))
    words_alone, both = evaluate(data, [Setting(mode="bm25"), Setting(mode="rrf", limit=1)])
    assert [answer.near for answer in words_alone.answers] == [("m2",), ("m3",), ("m1",)]
    assert both.answers[0].near == ("m2",)
    assert both.answers[0].far == ("m2", "m3")  # m1 was superseded
    assert words_alone.answers[0].embedding_seconds == 0
    assert both.answers[0].seconds > both.answers[0].embedding_seconds > 0


def test_a_budget_is_filled_in_order_and_what_does_not_fit_is_passed_over():
    tokens = np.array([30, 401, 50, 10])
    corpus = Corpus(tuple("abcd"), Bm25(["a"] * 4), tokens, overhead=20, overhead_each=5)
    order = np.array([0, 1, 2, 3])
    assert corpus.packed(order, 70) == ([0, 3], 70)
    assert corpus.packed(order, 69) == ([0], 55)
    assert corpus.packed(order, 1000) == ([0, 2, 3], 125)
    assert corpus.packed(order[::-1], 89) == ([3, 0], 70)
    assert corpus.packed(order, 54) == ([3], 35)
    assert corpus.packed(order, 30) == ([], 0)


def test_a_memory_costs_a_plain_method_what_it_costs_a_context(locomo, written):
    data = read_file(written(locomo))
    locomo[0]["qa"] = [{"question": "lamp goat ferry train", "evidence": ["D1:1"], "category": 4}]
    plain, real = evaluate(read_file(written(locomo)), [Setting(mode="bm25"), Setting()])
    assert sorted(plain.answers[0].packed) == sorted(real.answers[0].packed)
    assert len(plain.answers[0].packed) == len(data.conversations[0].entries)
    assert plain.answers[0].tokens == pytest.approx(real.answers[0].tokens, abs=4)  # one a memory


def test_a_plain_method_has_no_weights_to_tune(locomo, written):
    with pytest.raises(ValueError, match="mode rrf has no weights to tune"):
        tune(read_file(written(locomo)), Setting(mode="rrf"))
