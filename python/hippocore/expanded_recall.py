"""Recall by other wordings of a question beside its own: what each finds, from one state of the store, united.

A memory stands with the best score that any wording gives it, so that none falls below the score that the question
itself gives it; the order is that of every recall, and the limit cuts what is united. How surely there is an answer
(`Context.confidence`) is told by the question itself. The kinds:

- "paraphrase": up to three other wordings that the layer's llm writes.
- "hypothetical": the vector of a passage that the llm imagines as an answer, with the words and dates of the question
  (HyDE: Gao et al., Precise Zero-Shot Dense Retrieval without Relevance Labels, ACL 2023).
- "feedback": the question's vector moved towards those of the best memories it finds, q / |q| + 0.75 times the mean of
  their d / |d|, with its words and dates; no model (Rocchio, Relevance Feedback in Information Retrieval, 1971, with
  the weights 1 and 0.75 of Manning et al., Introduction to Information Retrieval, 2008, 9.1.1, and no bad examples).
  Of LoCoMo it finds no more in hybrid recall and less by similarity alone (evaluate/README.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hippocore import reading
from hippocore.arguments import checked_choice, checked_content
from hippocore.deferred import Deferred
from hippocore.reading import Found, Question, Told
from hippocore.scored import Scored, found_by, in_order
from hippocore.vectors import checked_vector

if TYPE_CHECKING:
    from hippocore import expansions
    from hippocore.filters import Conditions
    from hippocore.handle import Handle
    from hippocore.patient_llm import PatientLlm
    from hippocore.stores.protocol import Vectors
else:
    expansions = Deferred("hippocore.expansions")

KINDS: Final = ("paraphrase", "hypothetical", "feedback")
BEST: Final = 3
"""How many of the best memories move the question's vector."""
TOWARDS: Final = 0.75
"""How much their mean weighs beside the question's own vector."""

_SERVED: Final = {"paraphrase": "a paraphrase", "hypothetical": "a supposed answer", "feedback": "feedback"}


class _Subject(NamedTuple):
    """One question: its text, None where it is asked by vector, and its vector."""

    text: str | None
    vector: Vectors


def recall(handle: Handle, asked: Conditions, question: Question) -> Found:
    """Return what a recall finds, by other wordings too where the question says so."""
    if question.expand is None:
        return reading.recall(handle, asked, question)
    how = reading.told(handle, asked, question)
    _check(handle, question, by_text=question.query is not None)
    return _expanded(handle, question, how, [_subject(handle, question)])[0]


def recall_many(
    handle: Handle, asked: Conditions, question: Question, queries: Any, embeddings: Any
) -> list[list[Scored]]:
    """Return the hits of a recall for each of several texts or vectors, as `recall` gives them."""
    if question.expand is None:
        return reading.recall_many(handle, asked, question, queries, embeddings)
    how = reading.told(handle, asked, question)
    _check(handle, question, by_text=queries is not None)
    texts, vectors = reading.asked_many(handle, question, queries, embeddings)
    subjects = list(map(_Subject, texts if texts is not None else [None] * len(vectors), vectors))
    return [found.hits for found in _expanded(handle, question, how, subjects)]


def _check(handle: Handle, question: Question, *, by_text: bool) -> None:
    kind = checked_choice(question.expand, "expand", KINDS)
    if kind != "paraphrase" and question.mode == "lexical":
        raise ValueError(f"expand={kind!r} is of similarity: mode 'lexical' has none")
    if kind != "feedback":
        _llm(handle, kind)
        if not by_text:
            raise ValueError(f"expand={kind!r} needs a query: a language model reads texts")


def _llm(handle: Handle, kind: str) -> PatientLlm:
    if handle.llm is None:
        raise ValueError(
            f"expand={kind!r} asks a language model: open the store with MemoryLayer(llm=...), any callable str -> "
            "str, or say expand='feedback', which needs none"
        )
    anticipation = handle.anticipation
    return handle.llm if anticipation is None else anticipation.asking(handle.llm)


def _subject(handle: Handle, question: Question) -> _Subject:
    query, embedding = question.query, question.embedding
    if query is None:
        if embedding is None:
            raise ValueError("expand= needs a query or an embedding: without either there is nothing to word anew")
        return _Subject(None, checked_vector(embedding, handle.store.dim))
    if embedding is not None:
        raise ValueError("give query or embedding, not both: they could disagree")
    text = checked_content(query, "query")
    return _Subject(text, reading.text_vectors(handle, question, [text])[0])


def _expanded(handle: Handle, question: Question, how: Told, subjects: Sequence[_Subject]) -> list[Found]:
    """Return what each finds by its own wording and the others, all asked together."""
    others = _others(handle, question, how, subjects)
    asked = [one for own, more in zip(subjects, others, strict=True) for one in (own, *more)]
    texts = [one.text for one in asked if one.text is not None]
    vectors = np.array([one.vector for one in asked], np.float32)
    found = iter(reading.find_many(handle, question, how, texts or None, vectors))
    by = _SERVED[str(question.expand)]
    return [_united(list(islice(found, 1 + len(more))), by, how.limit) for more in others]


def _others(handle: Handle, question: Question, how: Told, subjects: Sequence[_Subject]) -> list[list[_Subject]]:
    if not how.limit:
        return [[] for _ in subjects]
    texts = [one.text for one in subjects if one.text is not None]
    if question.expand == "paraphrase":
        return _paraphrased(handle, question, texts)
    if question.expand == "hypothetical":
        return _supposed(handle, texts)
    return _moved(handle, question, how, subjects)


def _paraphrased(handle: Handle, question: Question, texts: Sequence[str]) -> list[list[_Subject]]:
    llm = _llm(handle, "paraphrase")
    wordings = [expansions.paraphrases(llm, text) for text in texts]
    together = [wording for some in wordings for wording in some]
    others = map(_Subject, together, reading.text_vectors(handle, question, together))
    return [list(islice(others, len(some))) for some in wordings]


def _supposed(handle: Handle, texts: Sequence[str]) -> list[list[_Subject]]:
    llm = _llm(handle, "hypothetical")
    passages = [expansions.passage(llm, text) for text in texts]
    together = [passage for passage in passages if passage is not None]
    vectors = iter(handle.embed(together)) if together else iter(())
    return [
        [] if passage is None else [_Subject(text, next(vectors))]
        for text, passage in zip(texts, passages, strict=True)
    ]


def _moved(handle: Handle, question: Question, how: Told, subjects: Sequence[_Subject]) -> list[list[_Subject]]:
    texts = [one.text for one in subjects if one.text is not None]
    vectors = np.array([one.vector for one in subjects], np.float32).reshape(len(subjects), handle.store.dim)
    found = reading.find_many(handle, question, how._replace(limit=BEST), texts or None, vectors)
    return [
        [_Subject(one.text, moved(one.vector, reading.hit_vectors(handle, best.hits)))] if best.hits else []
        for one, best in zip(subjects, found, strict=True)
    ]


def moved(vector: Vectors, good: Vectors) -> Vectors:
    """Return a question's vector (dimension,) moved towards the mean of memories' vectors (n, dimension), n > 0."""
    towards = _directions(good).mean(axis=0)
    nearer: Vectors = (_directions(vector[None])[0] + TOWARDS * towards).astype(np.float32)
    return nearer


def _directions(vectors: Vectors) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return vectors at length 1, zero where they are zero; in double precision, where no square is lost."""
    wide = vectors.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    units: np.ndarray[Any, np.dtype[np.float64]] = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0)
    return units


def _united(found: Sequence[Found], by: str, limit: int) -> Found:
    """Return each memory once with its best score; what the question itself found first, where equal."""
    own, *others = found
    best = {hit.key: hit for hit in own.hits}
    for hit in _hits(others):
        kept = best.get(hit.key)
        if kept is None or hit.score > kept.score:
            best[hit.key] = found_by(hit, by)
    return Found(in_order(best.values())[:limit], own.confidence)


def _hits(found: Iterable[Found]) -> Iterable[Scored]:
    return (hit for one in found for hit in one.hits)
