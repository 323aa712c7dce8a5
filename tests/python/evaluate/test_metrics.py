"""Every measure against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hippocore.evaluate import metrics
from hippocore.evaluate.bootstrap import paired_interval

FOUND = ["a", "b", "c", "d", "e"]
LOG = math.log2


def test_a_piece_has_the_rank_of_the_first_entry_that_is_it():
    expected = [{"c"}, {"e", "b"}, {"z"}]
    assert metrics.ranks_of(FOUND, expected) == [3, 2, None]


def test_an_entry_that_came_twice_counts_where_it_came_first():
    assert metrics.ranks_of(["a", "b", "a"], [{"a"}]) == [1]


def test_recall_any_and_all_at_a_depth():
    ranks = [3, 2, None]
    assert [metrics.recall(ranks, k) for k in (1, 2, 3, 50)] == [0, 1 / 3, 2 / 3, 2 / 3]
    assert [metrics.recall_any(ranks, k) for k in (1, 2, 3)] == [0, 1, 1]
    assert [metrics.recall_all([3, 2], k) for k in (1, 2, 3)] == [0, 0, 1]
    assert metrics.recall_all(ranks, 50) == 0


def test_ndcg_is_the_discounted_gain_over_the_best_possible():
    best_of_three = 1 + 1 / LOG(3) + 1 / LOG(4)
    assert metrics.ndcg([3, 2, None], 10) == pytest.approx((1 / LOG(4) + 1 / LOG(3)) / best_of_three)
    assert metrics.ndcg([1], 10) == 1
    assert metrics.ndcg([2], 10) == pytest.approx(1 / LOG(3))
    assert metrics.ndcg([2], 1) == 0
    assert metrics.ndcg([1, 2, 3], 2) == pytest.approx(1)  # no more than two fit


def test_reciprocal_rank_is_that_of_the_first_evidence():
    assert metrics.reciprocal_rank([4, 2, None]) == 0.5
    assert metrics.reciprocal_rank([None]) == 0


def test_precision_counts_what_is_any_evidence():
    assert metrics.precision(FOUND, [{"a"}, {"b", "z"}]) == 2 / 5
    assert metrics.precision([], [{"a"}]) == 0


def test_staleness_is_an_outdated_entry_among_the_first():
    assert [metrics.staleness(FOUND, {"c"}, k) for k in (2, 3)] == [0, 1]


def test_percentile_is_the_nearest_rank():
    values = [5.0, 1.0, 4.0, 2.0, 3.0]
    assert [metrics.percentile(values, share) for share in (0.5, 0.95, 0.2, 0.0)] == [3, 5, 1, 1]
    assert metrics.percentile([], 0.5) == 0


def test_auroc_is_how_often_the_right_are_above_the_wrong():
    assert metrics.auroc([3, 4], [1, 2]) == 1
    assert metrics.auroc([1, 2], [3, 4]) == 0
    assert metrics.auroc([2], [1, 2, 3, 4]) == (1 + 0.5) / 4
    assert metrics.auroc([1, 3], [2, 2]) == 0.5
    with pytest.raises(ValueError, match="both sides"):
        metrics.auroc([], [1])


def test_an_interval_of_one_difference_has_no_width():
    interval = paired_interval([0.25, 0.5, 0.125], [0.5, 0.75, 0.375])
    assert interval == (0.25, 0.25, 0.25, 0.95)


def test_an_interval_is_that_of_the_normal_law_for_many_questions():
    differences = np.random.default_rng(3).normal(0.1, 1, 2000)
    interval = paired_interval(np.zeros(2000), differences, seed=1)
    half = 1.96 * differences.std() / math.sqrt(2000)
    assert interval.difference == pytest.approx(differences.mean())
    assert interval.low == pytest.approx(differences.mean() - half, abs=0.003)
    assert interval.high == pytest.approx(differences.mean() + half, abs=0.003)


def test_an_interval_pairs_the_questions():
    """Values that vary much and differ little: unpaired, the interval would be some hundred times as wide."""
    first = np.random.default_rng(5).normal(0, 10, 500)
    interval = paired_interval(first, first + np.tile([0.1, 0.2], 250))
    assert 0.14 < interval.low < 0.15 < interval.high < 0.16


def test_the_same_seed_gives_the_same_interval():
    first, second = np.random.default_rng(2).normal(0, 1, (2, 50))
    assert paired_interval(first, second, seed=4) == paired_interval(first, second, seed=4)
    assert paired_interval(first, second, seed=4) != paired_interval(first, second, seed=5)


@pytest.mark.parametrize(("first", "second"), [([1.0], [1.0, 2.0]), ([], [])])
def test_an_interval_needs_pairs(first, second):
    with pytest.raises(ValueError, match="as many values of both"):
        paired_interval(first, second)
