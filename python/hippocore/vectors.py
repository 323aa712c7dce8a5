"""Vectors at the door: whatever numbers a caller has, as finite float32 of the store's dimension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hippocore.errors import DimensionMismatch, InvalidVector

Vectors = np.ndarray[Any, np.dtype[np.float32]]  # numpy.typing takes long to import
_FLOAT32: Final = np.dtype(np.float32)


def checked_vector(value: Any, dimension: int) -> Vectors:
    """Return one vector as a contiguous float32 array (dimension,).

    Takes a list of numbers or an array of any real type and layout. Raises DimensionMismatch; InvalidVector for NaN,
    infinity, a value beyond float32, and a vector that is not zero but would be in float32; TypeError for what is no
    list of real numbers.
    """
    vector = value if _is_plain(value, dimension) else _converted(value, dimension)
    if np.count_nonzero(np.isfinite(vector)) != dimension:  # quicker than all()
        raise InvalidVector("the vector holds NaN or infinity")
    return np.ascontiguousarray(vector)


def checked_vectors(values: Sequence[Any], dimension: int, positions: Sequence[int], what: str = "item") -> Vectors:
    """Return several vectors as one array (n, dimension); an error names what is bad by its position."""
    if all(_is_plain(value, dimension) for value in values):
        stacked = np.array(values)
    else:
        stacked = np.array([_at(f"{what} {i}", value, dimension) for i, value in zip(positions, values, strict=True)])
    if not np.isfinite(stacked).all():
        first = int(np.flatnonzero(~np.isfinite(stacked).all(axis=1))[0])
        raise InvalidVector(f"{what} {positions[first]}: the vector holds NaN or infinity")
    return stacked


def _is_plain(value: Any, dimension: int) -> bool:
    return type(value) is np.ndarray and value.dtype is _FLOAT32 and value.shape == (dimension,)


def _at(place: str, value: Any, dimension: int) -> Vectors:
    try:
        return checked_vector(value, dimension)
    except (InvalidVector, DimensionMismatch, TypeError) as error:
        raise type(error)(f"{place}: {error}") from None


def _converted(value: Any, dimension: int) -> Vectors:
    array = _real_array(value)
    if array.ndim != 1:
        raise DimensionMismatch(f"one vector of dimension {dimension} is wanted, not an array of shape {array.shape}")
    if array.shape[0] != dimension:
        raise DimensionMismatch(f"the vector has dimension {array.shape[0]}, the store has {dimension}")
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        vector = np.ascontiguousarray(array, dtype=_FLOAT32)
    if not np.isfinite(vector).all() and np.isfinite(array).all():
        raise InvalidVector("the vector holds a value beyond float32's largest: scale it down")
    if not vector.any() and array.any():
        raise InvalidVector("the vector is not zero but would be in float32: scale it up")
    return vector


def _real_array(value: Any) -> np.ndarray[Any, np.dtype[Any]]:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"a vector must be a flat list or array of numbers, not {type(value).__name__}")
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        raise TypeError("a vector must be a flat list or array of numbers") from None
    if (
        array.dtype.kind == "O"
    ):  # whole numbers beyond 64 bits come as objects, and so does everything that is no number
        array = _of_objects(array)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"a vector must hold real numbers, not {array.dtype.type.__name__.rstrip('_')}")
    return array


def _of_objects(array: np.ndarray[Any, np.dtype[Any]]) -> np.ndarray[Any, np.dtype[Any]]:
    if array.ndim == 1 and all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in array):
        try:
            return array.astype(np.float64)
        except OverflowError:
            raise InvalidVector("the vector holds a value beyond float32's largest: scale it down") from None
    return array
