"""What an embedder is: a name, a dimension and a call from texts to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

Vectors = np.ndarray[Any, np.dtype[np.float32]]  # numpy.typing takes long to import

DEFAULT_DUPLICATE_THRESHOLD = 0.92
"""Cosine from which two texts may be called duplicates where an embedder does not say better."""


class Embedder(Protocol):
    """Turns texts into vectors that can be compared by cosine.

    `name` identifies the weights, not the code: a store remembers it and refuses vectors of another name.
    `dim` is the length of every vector. An embedder may also have a `duplicate_threshold` (a cosine, 0..1);
    `DEFAULT_DUPLICATE_THRESHOLD` holds for one that has none. The call may come from any thread.
    """

    @property
    def name(self) -> str:
        """The name of the weights."""

    @property
    def dim(self) -> int:
        """The length of a vector."""

    def __call__(self, texts: Sequence[str], /) -> Vectors:
        """Return float32 vectors of shape (len(texts), dim), row by row as the texts came."""


class ResolvedEmbedder(Embedder, Protocol):
    """An embedder as `resolve` returns it: the threshold is there and every result has been checked."""

    @property
    def duplicate_threshold(self) -> float:
        """The cosine from which two texts may be called duplicates."""
