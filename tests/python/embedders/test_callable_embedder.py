"""A user's function as an embedder: what it gives is checked."""

import re
import traceback

import numpy as np
import pytest

from hippocore.embedders import CallableEmbedder
from hippocore.errors import EmbedderError


def lengths(texts):
    return [[len(text), 1] for text in texts]


def test_a_list_of_lists_becomes_float32_rows_in_order():
    vectors = CallableEmbedder(lengths, "lengths")(["a", "bbb"])
    assert vectors.dtype == np.float32
    assert vectors.flags.c_contiguous
    np.testing.assert_array_equal(vectors, [[1, 1], [3, 1]])


@pytest.mark.parametrize("kind", [np.float16, np.float64, np.int8, np.int64])
def test_every_real_type_and_layout_is_converted(kind):
    vectors = CallableEmbedder(lambda texts: np.asfortranarray([[1, 2, 3], [4, 5, 6]], dtype=kind), "fixed")(["a", "b"])
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors, [[1, 2, 3], [4, 5, 6]])


def test_the_dimension_comes_from_the_first_result():
    calls = []
    embedder = CallableEmbedder(lambda texts: calls.append(texts) or lengths(texts), "lengths")
    embedder(["a"])
    assert embedder.dim == 2
    assert calls == [["a"]]


def test_the_dimension_asked_first_is_found_by_one_call():
    calls = []
    embedder = CallableEmbedder(lambda texts: calls.append(texts) or lengths(texts), "lengths")
    assert (embedder.dim, embedder.dim) == (2, 2)
    assert len(calls) == 1


def test_no_texts_never_reach_the_function():
    embedder = CallableEmbedder(lambda texts: pytest.fail("called"), "never", dim=7)
    assert embedder([]).shape == (0, 7)


@pytest.mark.parametrize("name", [None, "", "  ", 5])
def test_a_callable_without_a_name_is_refused_naming_the_argument(name):
    with pytest.raises(ValueError, match="embedder_name="):
        CallableEmbedder(lengths, name)


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ([[1.0, 2.0]], r"shape \(1, 2\), expected \(2, dim\)"),
        ([1.0, 2.0], r"shape \(2,\)"),
        (np.zeros((2, 0)), r"shape \(2, 0\)"),
        (np.zeros((2, 2, 2)), r"shape \(2, 2, 2\)"),
        ([[1.0], [1.0, 2.0]], "unequal length"),
        ([["a"], ["b"]], "array of floats"),
        (None, "NoneType"),
        (np.ones((2, 2)) * 1j, "array of floats"),
        ([[1.0, 0.0], [float("nan"), 0.0]], "NaN or infinity for 1 texts, first at 1"),
        ([[1e39, 0.0], [1.0, 0.0]], "NaN or infinity for 1 texts, first at 0"),
    ],
)
def test_a_result_that_is_no_set_of_vectors_raises_without_the_texts(result, said):
    with pytest.raises(EmbedderError, match=said) as caught:
        CallableEmbedder(lambda texts: result, "odd")(["my secret", "another"])
    assert "'odd'" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_later_result_of_another_dimension_raises():
    embedder = CallableEmbedder(lambda texts: np.ones((1, len(texts[0]))), "growing")
    embedder(["abc"])
    with pytest.raises(EmbedderError, match=re.escape("shape (1, 4), expected (1, 3)")):
        embedder(["abcd"])


def test_an_exception_of_the_function_becomes_an_embedder_error_that_says_where_and_not_what():
    def fails(texts):
        raise RuntimeError(texts[0])

    with pytest.raises(EmbedderError, match=r"'broken' failed with RuntimeError at .*test_callable_embedder") as caught:
        CallableEmbedder(fails, "broken")(["".join(["my", "secret"])])
    assert "mysecret" not in "".join(traceback.format_exception(caught.value))
    assert isinstance(caught.value.__context__, RuntimeError)


def test_one_str_instead_of_a_list_is_refused():
    with pytest.raises(TypeError, match="pass \\[text\\]"):
        CallableEmbedder(lengths, "lengths")("abc")


def test_what_is_not_text_is_refused_with_its_position():
    with pytest.raises(TypeError, match="not bytes \\(text 1\\)"):
        CallableEmbedder(lengths, "lengths")(["a", b"b"])


def test_a_lone_surrogate_reaches_the_function_as_a_question_mark():
    seen = []
    CallableEmbedder(lambda texts: seen.extend(texts) or lengths(texts), "lengths")(["a\ud800b", "中"])
    assert seen == ["a?b", "中"]


@pytest.mark.parametrize("arguments", [{"dim": 0}, {"dim": -3}, {"duplicate_threshold": 1.5}])
def test_impossible_arguments_are_refused(arguments):
    with pytest.raises(ValueError, match=next(iter(arguments))):
        CallableEmbedder(lengths, "lengths", **arguments)
