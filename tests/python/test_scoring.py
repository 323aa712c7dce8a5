"""hippocore.scoring against numpy in double precision, and against inputs it must refuse."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest

from hippocore import _core, scoring
from hippocore.errors import DimensionMismatch, InvalidVector
from hippocore.ranking import Ranking


def random_vectors(*shape: int, seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def numpy_cosine(query, vectors) -> np.ndarray:
    q, x = np.asarray(query, np.float64), np.asarray(vectors, np.float64)
    return x @ q / (np.linalg.norm(x, axis=1) * np.linalg.norm(q))


@pytest.mark.parametrize("dimension", [1, 3, 17, 383, 384, 1536])
def test_cosine_is_numpys_in_double_precision(dimension):
    vectors = random_vectors(50, dimension)
    query = random_vectors(dimension, seed=4)
    np.testing.assert_allclose(scoring.cosine(query, vectors), numpy_cosine(query, vectors), atol=1e-13, rtol=0)


def test_cosine_of_a_tiny_vector_with_itself_is_one():
    assert scoring.cosine([1e-20] * 3, [[1e-20] * 3]).tolist() == [1.0]


def test_cosine_of_anything_with_itself_is_exactly_one():
    for vector in random_vectors(200, 37):
        assert scoring.cosine(vector, [vector, -vector]).tolist() == [1.0, -1.0]


def test_cosine_with_a_zero_vector_is_zero():
    assert scoring.cosine([0, 0], [[1, 2], [0, 0]]).tolist() == [0.0, 0.0]
    assert scoring.cosine([1, 2], [[0, 0]]).tolist() == [0.0]


@pytest.mark.parametrize(
    "convert",
    [
        lambda x: x.astype(np.float64),
        lambda x: np.asfortranarray(x),
        lambda x: np.repeat(x, 2, axis=1)[:, ::2],
        lambda x: x[::-1][::-1],
        lambda x: x.tolist(),
        lambda x: x.astype(">f4"),
    ],
)
def test_cosine_takes_any_layout_and_type_of_the_same_numbers(convert):
    vectors = random_vectors(9, 20)
    query = vectors[4]
    expected = scoring.cosine(query, vectors)
    assert (scoring.cosine(query, convert(vectors)) == expected).all()
    assert (scoring.cosine(convert(vectors)[4], vectors) == expected).all()


def test_cosine_takes_whole_and_half_precision_numbers():
    whole = np.arange(12).reshape(3, 4)
    assert (scoring.cosine(whole[1], whole) == scoring.cosine(whole[1].astype(np.float32), whole.tolist())).all()
    half = random_vectors(3, 4).astype(np.float16)
    assert (scoring.cosine(half[0], half) == scoring.cosine(half[0].astype(np.float32), half.astype(np.float32))).all()


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf"), 1e39])
def test_cosine_refuses_what_is_not_finite_in_float32(bad):
    with pytest.raises(InvalidVector):
        scoring.cosine([1.0, bad], [[1.0, 2.0]])
    with pytest.raises(InvalidVector):
        scoring.cosine([1.0, 2.0], [[1.0, 2.0], [1.0, bad]])


def test_cosine_refuses_a_vector_that_float32_would_make_zero():
    with pytest.raises(InvalidVector, match="scale it up"):
        scoring.cosine([1.0, 2.0], [[1e-60, 0.0]])


@pytest.mark.parametrize(
    ("query", "vectors"),
    [([1, 2, 3], [[1, 2]]), ([[1, 2]], [[1, 2]]), ([], [[1, 2]]), ([1, 2], [[1, 2], [1]]), ([1], np.ones((1, 1, 1)))],
)
def test_cosine_refuses_shapes_that_do_not_belong_together(query, vectors):
    with pytest.raises(DimensionMismatch):
        scoring.cosine(query, vectors)


@pytest.mark.parametrize("bad", [["a", "b"], [1j, 2j], [True, False], [None, 1]])
def test_cosine_refuses_what_is_no_real_number(bad):
    with pytest.raises(TypeError):
        scoring.cosine(bad, [[1, 2]])


def test_cosine_with_no_vectors_is_empty():
    assert scoring.cosine([1, 2], []).shape == (0,)
    assert scoring.cosine([1, 2], np.zeros((0, 2))).shape == (0,)


def test_fused_score_is_the_weighted_sum():
    rng = np.random.default_rng(5)
    signals = rng.random((4, 30))
    ranking = Ranking(relevance=0.4, recency=0.3, importance=0.2, usage=0.1)
    expected = 0.4 * signals[0] + 0.3 * signals[1] + 0.2 * signals[2] + 0.1 * signals[3]
    assert (scoring.fused_score(*signals, ranking=ranking) == expected).all()
    default = 0.5 * signals[0] + 0.25 * signals[1] + 0.15 * signals[2] + 0.1 * signals[3]
    np.testing.assert_allclose(scoring.fused_score(*signals), default, rtol=1e-15)


def test_fused_score_broadcasts_as_numpy_does():
    assert scoring.fused_score(np.ones((2, 3)), 1.0, [1, 1, 1], [[0], [1]]).tolist() == [[0.9] * 3, [1.0] * 3]
    assert scoring.fused_score([], 0.0, 0.0, 0.0).shape == (0,)


def test_fused_score_refuses_nan_text_and_shapes_that_do_not_broadcast():
    with pytest.raises(ValueError, match="NaN"):
        scoring.fused_score([0.5, float("nan")], 0, 0, 0)
    with pytest.raises(TypeError):
        scoring.fused_score(["a"], 0, 0, 0)
    with pytest.raises(ValueError, match="broadcast"):
        scoring.fused_score([1, 2], [1, 2, 3], 0, 0)


def test_recency_and_usage_are_the_contracts_formulas():
    np.testing.assert_allclose(scoring.recency([0, 3, 6, -5], 3), [1, 0.5, 0.25, 1])
    np.testing.assert_allclose(scoring.usage([0, 9, 99, 10**9]), [0, 0.5, 1, 1])
    with pytest.raises(ValueError, match="half_life"):
        scoring.recency(1, 0)
    with pytest.raises(ValueError, match="use_count"):
        scoring.usage(-1)
    with pytest.raises(ValueError, match="saturation"):
        scoring.usage(1, 0)


def test_rank_gives_the_best_first_and_the_earlier_among_equals():
    vectors = random_vectors(500, 24)
    query = random_vectors(24, seed=6)
    importance = np.random.default_rng(7).random(500)
    ranked = scoring.rank(query, vectors, importance=importance, recency=1.0, limit=40)
    expected = 0.5 * np.maximum(numpy_cosine(query, vectors), 0) + 0.25 + 0.15 * importance
    assert ranked.positions.tolist() == np.argsort(-expected, kind="stable")[:40].tolist()
    np.testing.assert_allclose(ranked.scores, expected[ranked.positions], atol=1e-13)
    assert scoring.rank([1, 0], [[0, 1]] * 4, limit=3).positions.tolist() == [0, 1, 2]


def test_rank_takes_any_limit_but_a_negative_one():
    assert scoring.rank([1, 0], [[1, 0], [0, 1]], limit=0).positions.tolist() == []
    assert scoring.rank([1, 0], [[1, 0], [0, 1]], limit=10**30).positions.tolist() == [0, 1]
    assert scoring.rank([1, 0], []).positions.tolist() == []
    with pytest.raises(ValueError, match="limit"):
        scoring.rank([1, 0], [[1, 0]], limit=-1)


def test_pack_skips_what_does_not_fit():
    assert scoring.pack([0.9, 0.8, 0.7, 0.6], [60, 50, 30, 10], 100).tolist() == [0, 2, 3]
    assert scoring.pack([0.5, 0.9, 0.5], [50, 100, 50], 100).tolist() == [1]
    assert scoring.pack([0.5, 0.9, 0.5], [50, 100, 50], 100, strategy="density").tolist() == [0, 2]
    assert scoring.pack([0.5, 0.9, 0.5], [50, 100, 50], 100, strategy="best").tolist() == [0, 2]
    assert scoring.pack([], [], 100).tolist() == []
    assert scoring.pack([1.0], [5], 2**70).tolist() == [0]


@pytest.mark.parametrize(
    ("scores", "tokens", "budget", "strategy"),
    [
        ([1.0], [1, 2], 9, "score"),
        ([float("inf")], [1], 9, "score"),
        ([float("nan")], [1], 9, "score"),
        ([1.0], [-1], 9, "score"),
        ([1.0], [2**32], 9, "score"),
        ([1.0], [1.5], 9, "score"),
        ([1.0], [1], -1, "score"),
        ([1.0], [1], 9, "magic"),
    ],
)
def test_pack_refuses_bad_input(scores, tokens, budget, strategy):
    with pytest.raises(ValueError, match=r"."):
        scoring.pack(scores, tokens, budget, strategy=strategy)


def test_the_kernel_in_use_is_one_of_those_available():
    assert _core.kernel_name() in _core.available_kernels()
    assert _core.available_kernels()[-1] == "scalar"
    assert math.isclose(scoring.cosine([3.0, 4.0], [[4.0, 3.0]])[0], 0.96)


def kernel_of_a_new_process(forced: str) -> subprocess.CompletedProcess:
    environment = {
        **os.environ,
        "HIPPOCORE_FORCE_KERNEL": forced,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    command = [sys.executable, "-c", "from hippocore import _core; print(_core.kernel_name())"]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_the_environment_forces_a_kernel_and_a_wrong_name_is_refused_with_the_right_ones():
    for name in _core.available_kernels():
        assert kernel_of_a_new_process(name).stdout.strip() == name
    refused = kernel_of_a_new_process("abacus")
    assert refused.returncode == 1
    assert "ValueError" in refused.stderr
    assert "abacus" in refused.stderr
    assert "scalar" in refused.stderr


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: scoring.rank([1.0], [[1.0]], ranking={}), TypeError, "ranking must be a Ranking, not dict"),
        (lambda: scoring.fused_score(1, 1, 1, 1, ranking=0), TypeError, "ranking must be a Ranking, not int"),
        (lambda: scoring.rank([1.0], [[1.0]], limit=1.5), TypeError, "limit must be a whole number, not float"),
        (lambda: scoring.rank([1.0], [[1.0]], limit=None), TypeError, "limit must be a whole number, not NoneType"),
        (lambda: scoring.rank([1.0], [[1.0]], limit=True), TypeError, "limit must be a whole number, not bool"),
        (lambda: scoring.rank([1.0], [[1.0]], usage=["x"]), TypeError, "usage must hold real numbers, not str"),
        (lambda: scoring.pack([1.0], [1], "9"), TypeError, "budget must be a whole number, not str"),
        (
            lambda: scoring.pack([1.0], [1], 9, strategy=["x"]),
            ValueError,
            "strategy must be one of 'score', 'density', 'best'",
        ),
        (lambda: scoring.usage(1, saturation="9"), TypeError, "saturation must be a number, not str"),
        (lambda: scoring.cosine([float("nan")], [[1.0]]), InvalidVector, "NaN, infinity .* in the query"),
        (lambda: scoring.cosine([1.0], [[float("inf")]]), InvalidVector, "NaN, infinity .* in the vectors"),
        (lambda: scoring.cosine("abc", [[1.0]]), TypeError, "the query must hold real numbers, not str$"),
        (
            lambda: scoring.cosine([[1.0], [1.0, 2.0]], [[1.0]]),
            DimensionMismatch,
            "there are rows of different lengths in the query",
        ),
    ],
)
def test_a_wrong_argument_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()
