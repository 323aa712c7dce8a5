"""Vectors at the door: converted right or refused, never reinterpreted."""

import decimal

import numpy as np
import pytest

from hippocore import DimensionMismatch, InvalidVector

WHOLE = [3, -2, 7]
GRID = np.arange(18, dtype=np.float64).reshape(3, 6)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (np.array(WHOLE, np.float64), WHOLE),
        (np.array(WHOLE, np.float16), WHOLE),
        (np.array(WHOLE, np.int8), WHOLE),
        (np.array(WHOLE, ">f4"), WHOLE),
        (WHOLE, WHOLE),
        (tuple(WHOLE), WHOLE),
        ([10**19, 1, 2], [1e19, 1, 2]),
        ([2**70, 1, 2], [2.0**70, 1, 2]),
        (GRID[:, 1], [1, 7, 13]),
        (np.asfortranarray(GRID)[1, ::2], [6, 8, 10]),
        (GRID.astype(np.float32)[0, ::-2], [5, 3, 1]),
        (GRID.astype(np.float32)[:, 0], [0, 6, 12]),
    ],
)
def test_every_kind_of_numbers_becomes_the_same_float32(vectors_layer, given, kept):
    found = vectors_layer.remember("note", embedding=given)
    many = vectors_layer.remember_many([{"content": "other", "embedding": given}], merge=False)
    for identifier in (found.id, many[0].id):
        np.testing.assert_array_equal(vectors_layer.embeddings(identifier), np.float32([kept]))
    assert vectors_layer.recall(embedding=given)[0].similarity == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ([1, 2], DimensionMismatch),
        ([1, 2, 3, 4], DimensionMismatch),
        ([], DimensionMismatch),
        (5.0, DimensionMismatch),
        ([[1, 2, 3]], DimensionMismatch),
        (np.ones((3, 3)), DimensionMismatch),
        ([1, float("nan"), 3], InvalidVector),
        ([1, float("inf"), 3], InvalidVector),
        (np.array([1, -np.inf, 3], np.float32), InvalidVector),
        (np.array([np.nan, 0, 0], np.float32), InvalidVector),
        ([1e39, 0, 0], InvalidVector),
        ([10**60, 0, 0], InvalidVector),
        ([10**400, 0, 0], InvalidVector),
        ([1e-60, 0, 0], InvalidVector),
        (np.array([1j, 2, 3]), TypeError),
        (np.array([True, False, True]), TypeError),
        (["1", "2", "3"], TypeError),
        ("abc", TypeError),
        (b"abc", TypeError),
        ([None, 1, 2], TypeError),
        ([decimal.Decimal(1), 2, 3], TypeError),
        ({"a": 1}, TypeError),
        ([[1, 2], [3]], TypeError),
        (np.array(["2020-01-01"] * 3, "M8[D]"), TypeError),
    ],
)
def test_what_is_no_vector_is_refused_at_every_door(vectors_layer, given, error):
    identifier = vectors_layer.remember("there", embedding=[1, 0, 0]).id
    doors = [
        lambda: vectors_layer.remember("note", embedding=given),
        lambda: vectors_layer.remember("note", embedding=given, merge=False),
        lambda: vectors_layer.remember_many([{"content": "note", "embedding": given}]),
        lambda: vectors_layer.update(identifier, content="note", embedding=given),
        lambda: vectors_layer.recall(embedding=given),
        lambda: vectors_layer.context(embedding=given),
    ]
    for door in doors:
        with pytest.raises(error):
            door()
    assert (vectors_layer.count(), vectors_layer.get(identifier).version) == (1, 1)


def test_a_wrong_dimension_names_both(vectors_layer):
    with pytest.raises(DimensionMismatch, match=r"dimension 2.* 3"):
        vectors_layer.recall(embedding=[1, 2])


def test_values_whose_squares_overflow_are_fine(vectors_layer):
    vectors_layer.remember("huge", embedding=[3e38, 3e38, 0])
    assert vectors_layer.recall(embedding=[3e38, 3e38, 0])[0].similarity == pytest.approx(1, abs=1e-6)


def test_the_callers_array_is_not_kept(vectors_layer):
    vector = np.array([1, 2, 3], np.float32)
    identifier = vectors_layer.remember("note", embedding=vector).id
    vector[:] = 9
    np.testing.assert_array_equal(vectors_layer.embeddings(identifier), [[1, 2, 3]])


def test_embeddings_come_in_the_order_of_the_ids(vectors_layer):
    ids = [vectors_layer.remember(f"note {n}", embedding=[n, 1, 0]).id for n in range(4)]
    found = vectors_layer.embeddings(ids[::-1])
    assert (found.dtype, found.shape) == (np.float32, (4, 3))
    assert found[:, 0].tolist() == [3, 2, 1, 0]
    assert vectors_layer.embeddings([]).shape == (0, 3)
