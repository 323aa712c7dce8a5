"""What is prepared for questions that are likely to come: their vectors, and what a model says to their prompts.

A vector depends on its text and embedder alone, and an answer is asked for by its whole prompt, so that neither can be
out of date or tell of a memory that whoever asks may not read. What is found by them is ranked anew at each question.
All of it is in memory only, and bounded.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np

from hippocore.patient_llm import PatientLlm

if TYPE_CHECKING:
    from hippocore.embedders.protocol import ResolvedEmbedder, Vectors

K = TypeVar("K")
V = TypeVar("V")
_MOST_KEPT: Final = 256  # vectors, and answers
_MOST_HEARD: Final = 128  # different questions


class Asked(NamedTuple):
    """A question as it was asked by text, with what decides how it is embedded and worded. Its repr has no text."""

    query: str
    scopes: tuple[str, ...] | None
    subtree: bool
    mode: str
    rewrite: bool
    expand: str | None

    def __repr__(self) -> str:
        return f"Asked(mode={self.mode!r}, expand={self.expand!r})"


class Anticipation:
    """The questions that were heard, and what is prepared for them and for others. Any thread may call."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._heard: dict[Asked, int] = {}  # how often each, the one heard last at the end
        self._vectors: dict[tuple[str, str], Vectors] = {}  # by embedder and text
        self._answers: dict[str, str] = {}
        self.served = 0

    def heard(self, asked: Asked) -> None:
        """Note that a question was asked; of too many, the one that was heard longest ago is dropped."""
        with self._lock:
            _keep(self._heard, asked, self._heard.get(asked, 0) + 1, _MOST_HEARD)

    def likely(self, most: int) -> list[Asked]:
        """Return the questions that were heard most often, and of equals last."""
        with self._lock:
            heard = list(reversed(self._heard.items()))
        return [asked for asked, _ in sorted(heard, key=lambda pair: -pair[1])[:most]]

    def vectors(self, embedder: ResolvedEmbedder, texts: Sequence[str]) -> Vectors:
        """Return the vectors (n, dim) of texts: those that are kept where all are, else the embedder's."""
        kept = []
        for text in texts if self._vectors else ():
            if (vector := self.vector(embedder.name, text)) is None:
                break
            kept.append(vector)
        if not kept or len(kept) < len(texts):
            return embedder(texts)
        self._serve()
        return np.stack(kept)

    def asking(self, llm: PatientLlm) -> PatientLlm:
        """Return a model that has the kept answers ready."""
        return _AnticipatedLlm(self, llm)

    def answer(self, llm: PatientLlm, prompt: str) -> str | None:
        """Return a model's answer to a prompt: the one that is kept, else its own."""
        kept = self.kept_answer(prompt)
        if kept is None:
            return llm.answer(prompt)
        self._serve()
        return kept

    def keep_vector(self, embedder: str, text: str, vector: Vectors) -> None:
        """Keep the vector (dim,) of a text."""
        with self._lock:
            _keep(self._vectors, (embedder, text), vector, _MOST_KEPT)

    def keep_answer(self, prompt: str, answer: str) -> None:
        """Keep the answer to a prompt."""
        with self._lock:
            _keep(self._answers, prompt, answer, _MOST_KEPT)

    def vector(self, embedder: str, text: str) -> Vectors | None:
        """Return the vector that is kept of a text; None where none is."""
        with self._lock:
            return self._vectors.get((embedder, text))

    def kept_answer(self, prompt: str) -> str | None:
        """Return the answer that is kept to a prompt; None where none is."""
        with self._lock:
            return self._answers.get(prompt)

    def _serve(self) -> None:
        with self._lock:
            self.served += 1


class _AnticipatedLlm(PatientLlm):
    def __init__(self, anticipation: Anticipation, llm: PatientLlm) -> None:
        self._anticipation = anticipation
        self._llm = llm

    def answer(self, prompt: str) -> str | None:
        return self._anticipation.answer(self._llm, prompt)


def _keep(kept: dict[K, V], key: K, value: V, most: int) -> None:
    """Put a value at the end, and let the first ones go where they are too many."""
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > most:
        del kept[next(iter(kept))]
