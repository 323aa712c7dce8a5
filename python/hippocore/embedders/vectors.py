"""The checks at an embedder's two doors: the texts that go in and the vectors that come out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hippocore.embedders.protocol import Vectors
from hippocore.errors import EmbedderError


def checked_texts(texts: Sequence[str]) -> list[str]:
    """Return the texts as a list, each of them encodable as UTF-8 (a lone surrogate becomes `?`).

    Raises TypeError for a single string, which would otherwise be embedded letter by letter, and for items
    that are not strings.
    """
    if isinstance(texts, str):
        raise TypeError("an embedder takes a list of texts, not one str: pass [text]")
    found = list(texts)
    for position, text in enumerate(found):
        if not isinstance(text, str):
            raise TypeError(f"an embedder takes str, not {type(text).__name__} (text {position})")
    return [text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8") for text in found]


def checked_vectors(result: Any, *, rows: int, dim: int | None, name: str) -> Vectors:
    """Return what an embedder gave as a contiguous float32 array of shape (rows, dim).

    Any numeric type is converted; `dim=None` accepts every dimension from 1 on. Raises EmbedderError, naming
    the embedder and the shapes but no text, when the count or shape is wrong, when the result is no array of
    real numbers, or when a value is not finite as float32.
    """
    array = _as_numbers(result, name)
    wanted = f"({rows}, {dim if dim is not None else 'dim'})"
    if array.ndim != 2 or array.shape[0] != rows or array.shape[1] != (dim or array.shape[1] or 1):
        raise EmbedderError(f"embedder {name!r} returned an array of shape {array.shape}, expected {wanted}")
    with np.errstate(over="ignore"):
        vectors = np.ascontiguousarray(array, dtype=np.float32)
    bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if bad.size:
        raise EmbedderError(f"embedder {name!r} returned NaN or infinity for {bad.size} texts, first at {bad[0]}")
    return vectors


def normalised(vectors: Vectors) -> Vectors:
    """Return the rows at length 1; a zero row stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return units


def _as_numbers(result: Any, name: str) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(result)
    except (TypeError, ValueError):
        raise EmbedderError(f"embedder {name!r} returned no (n, dim) array: rows of unequal length?") from None
    if array.dtype.kind not in "fiu":
        raise EmbedderError(f"embedder {name!r} returned {type(result).__name__}, expected an (n, dim) array of floats")
    return array
