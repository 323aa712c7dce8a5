"""A user's function or object as a checked embedder."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hippocore.arguments import checked_count, refuse_async
from hippocore.embedders.protocol import DEFAULT_DUPLICATE_THRESHOLD, Vectors
from hippocore.embedders.vectors import checked_texts, checked_vectors
from hippocore.errors import EmbedderError, place_of


class CallableEmbedder:
    """Wraps `list[str] -> (n, dim) array` and checks the count, shape and finiteness of what comes back.

    `dim` is what was given, else what the first result had; asked for before any result, the function is
    called once with a word of its own. An exception of the function becomes an EmbedderError that names its class
    and the line that raised it. What it says is not shown, for it may repeat the texts: the exception itself is kept
    as the error's `__context__`, which tracebacks leave out. As thread-safe as the function is.
    """

    def __init__(
        self,
        function: Callable[[list[str]], Any],
        name: str | None,
        *,
        dim: int | None = None,
        duplicate_threshold: float = DEFAULT_DUPLICATE_THRESHOLD,
    ) -> None:
        if not callable(function):
            raise TypeError(f"an embedder must be callable, not {type(function).__name__}")
        refuse_async(function, "embedder")
        if not isinstance(name, str) or not name.strip():
            raise ValueError(
                "a callable embedder needs embedder_name=: the store remembers it, to refuse the vectors of another one"
            )
        if dim is not None and checked_count(dim, "the embedder's dim") < 1:
            raise ValueError(f"dim must be at least 1, not {dim}")
        if not 0 <= duplicate_threshold <= 1:
            raise ValueError(f"duplicate_threshold must be a cosine between 0 and 1, not {duplicate_threshold!r}")
        self.name = name
        self.duplicate_threshold = float(duplicate_threshold)
        self._function = function
        self._dim = None if dim is None else operator.index(dim)

    @property
    def dim(self) -> int:
        """The length of a vector; the first question may call the function."""
        return self._dim if self._dim is not None else self(["dimension"]).shape[1]

    def __call__(self, texts: Sequence[str], /) -> Vectors:
        """Return float32 vectors (n, dim); no texts do not reach the function. Raises EmbedderError."""
        asked = checked_texts(texts)
        if not asked:
            return np.zeros((0, self.dim), np.float32)
        try:
            result = self._function(asked)
        except Exception as error:
            raise EmbedderError(f"embedder {self.name!r} failed with {type(error).__name__}{place_of(error)}") from None
        vectors = checked_vectors(result, rows=len(asked), dim=self._dim, name=self.name)
        self._dim = vectors.shape[1]
        return vectors

    def __repr__(self) -> str:
        return f"CallableEmbedder(name={self.name!r}, dim={self._dim})"
