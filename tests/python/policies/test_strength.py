"""The formulas of forgetting, by numbers: strength, half-lives, usage, fading, and the weighted sample."""

import math

import numpy as np
import pytest

from hippocore import Ranking, scoring
from hippocore.lifecycle import strength as formulas
from hippocore.ranking import HALF_LIFE
from hippocore.times import seconds

DAY = 86_400.0


@pytest.mark.parametrize(("kind", "days"), [("episode", 3), ("fact", 30), ("procedure", 90), ("preference", 180)])
def test_half_of_the_recency_is_left_after_a_half_life(kind, days):
    half_life = seconds(HALF_LIFE[kind], kind)
    assert half_life == days * DAY
    ages = np.array([-DAY, 0, half_life, 2 * half_life, 10 * half_life])
    assert formulas.recency(ages, half_life).tolist() == [1, 1, 0.5, 0.25, 0.5**10]


@pytest.mark.parametrize("saturation", [20, 99])
def test_usage_saturates(saturation):
    uses = np.array([0, saturation // 2, saturation, 10 * saturation])
    assert formulas.usage(uses, saturation).tolist() == pytest.approx(
        [0, math.log(1 + saturation // 2) / math.log(1 + saturation), 1, 1]
    )


def test_ten_uses_are_half_of_a_usage_that_saturates_near_99():
    assert formulas.usage(np.array([9, 99]), 99).tolist() == pytest.approx([0.5, 1])
    assert formulas.usage(np.array([20]), 20).tolist() == [1]


@pytest.mark.parametrize(
    ("recency", "importance", "usage", "strength"),
    [(1, 1, 1, 1), (1, 0, 0, 0.25), (1, 0.5, 0, 0.375), (0.5, 0.5, 0.5, 0.28125), (0, 1, 1, 0), (0.2, 0, 0, 0.05)],
)
def test_strength_is_recency_and_at_most_half_less_for_each_of_importance_and_usage(
    recency, importance, usage, strength
):
    assert float(formulas.strength(recency, importance, usage)) == pytest.approx(strength)


def test_an_unused_episode_of_middling_importance_falls_below_005_in_its_ninth_day():
    ages = np.array([8.7, 8.75]) * DAY
    strengths = formulas.strength(formulas.recency(ages, 3 * DAY), 0.5, 0.0)
    assert (strengths < 0.05).tolist() == [False, True]


@pytest.mark.parametrize("weights", [(0.6, 0.2, 0.2, 0.0), (0.5, 0.25, 0.15, 0.1)])
def test_the_score_is_the_weighted_sum_for_both_sets_of_weights(weights):
    relevance, recency, importance, usage = weights
    ranking = Ranking(relevance=relevance, recency=recency, importance=importance, usage=usage)
    signals = [np.array([value]) for value in (0.9, 0.5, 0.7, 0.4)]
    expected = 0.9 * relevance + 0.5 * recency + 0.7 * importance + 0.4 * usage
    assert ranking.weights == weights
    assert scoring.fused_score(*signals, ranking=ranking)[0] == pytest.approx(expected)


def test_each_spaced_use_adds_a_half_life_and_the_growth_scales_it():
    stability = np.array([0.0, 1.0, 2.0, 4.0])  # an import may say less than 1
    assert formulas.spaced_half_life(3.0, stability, 1.0).tolist() == [3, 3, 6, 12]
    assert formulas.spaced_half_life(3.0, stability, 0.5).tolist() == [3, 3, 4.5, 7.5]
    assert formulas.spaced_half_life(3.0, stability, 0.0).tolist() == [3, 3, 3, 3]


def test_a_value_fades_by_whole_periods():
    elapsed = np.array([-1.0, 29.9, 30.0, 59.9, 60.0]) * DAY
    assert formulas.faded(1.0, 0.9, elapsed, 30 * DAY).tolist() == pytest.approx([1, 1, 0.9, 0.9, 0.81])


def keys_of(count, seed=3):
    return np.random.default_rng(seed).integers(0, 256, (count, 16), np.uint8)


def kept(weights, keys, seed, most):
    return set(np.argsort(formulas.sampling_order(weights, keys, seed))[-most:].tolist())


def test_a_sample_prefers_by_weight_and_never_takes_a_weight_of_nothing_before_another():
    weights = np.repeat([0.0, 0.2, 0.8], 3_000)
    drawn = np.array(sorted(kept(weights, keys_of(9_000), seed=1, most=600)))
    light, heavy = np.sum((drawn >= 3_000) & (drawn < 6_000)), np.sum(drawn >= 6_000)
    assert np.sum(drawn < 3_000) == 0
    assert 3.0 < heavy / light < 5.0  # 4 for a few of many


def test_a_sample_is_the_same_for_a_seed_and_another_for_another():
    weights, keys = np.full(200, 0.5), keys_of(200)
    assert kept(weights, keys, 1, 100) == kept(weights, keys, 1, 100)
    assert 30 < len(kept(weights, keys, 1, 100) & kept(weights, keys, 2, 100)) < 70


def test_what_a_sample_gives_to_a_memory_does_not_depend_on_the_others():
    weights, keys = np.linspace(0, 1, 50), keys_of(50)
    alone = [float(formulas.sampling_order(weights[i : i + 1], keys[i : i + 1], 7)[0]) for i in range(50)]
    assert formulas.sampling_order(weights, keys, 7).tolist() == alone


def test_keys_that_differ_in_one_bit_are_drawn_apart():
    keys = np.zeros((128, 16), np.uint8)
    for bit in range(128):
        keys[bit, bit // 8] = 1 << bit % 8
    uniform = np.exp(formulas.sampling_order(np.ones(128), keys, 0))
    assert len(set(uniform.tolist())) == 128
    assert 0.35 < uniform.mean() < 0.65
