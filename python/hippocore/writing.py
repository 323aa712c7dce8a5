"""Remembering: from drafts to one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hippocore.deferred import Deferred
from hippocore.drafts import Draft, refusal
from hippocore.errors import AccessDenied
from hippocore.handle import Handle
from hippocore.identifiers import new_keys
from hippocore.lexical_terms import document_terms
from hippocore.plan import Plan, stored
from hippocore.stores.protocol import Vectors
from hippocore.terms import merge_keys
from hippocore.types import Remembered
from hippocore.vectors import checked_vector, checked_vectors

if TYPE_CHECKING:
    from hippocore.lifecycle import correcting, correction_questions
else:
    correcting = Deferred("hippocore.lifecycle.correcting")
    correction_questions = Deferred("hippocore.lifecycle.correction_questions")

Progress = Callable[[int, int], None]
_TEXTS_AT_ONCE: Final = 256


def remember(handle: Handle, draft: Draft, *, merge: bool) -> Remembered:
    """Write one draft; returns what became of it."""
    handle.require_write(draft.scope)
    given = None if draft.embedding is None else checked_vector(draft.embedding, handle.store.dim)
    if reason := refusal(draft, handle.guard):
        return Remembered(None, "skipped", reason)
    vector = handle.embed([draft.content])[0] if given is None else given
    return _write(handle, [draft], vector[np.newaxis], merge=merge)[0]


def remember_many(
    handle: Handle, items: Iterable[Mapping[str, Any]], *, merge: bool, progress: Progress | None
) -> list[Remembered]:
    """Write all items in one commit; an error names the item and nothing is written."""
    drafts = _drafts(items)
    _require_rights(handle, drafts)
    given = _given_vectors(drafts, handle.store.dim)
    refused = _refusals(handle, drafts)
    admitted = [i for i in range(len(drafts)) if i not in refused] if refused else range(len(drafts))
    vectors = _all_vectors(handle, drafts, given, admitted, progress)
    written = _write(handle, [drafts[i] for i in admitted], vectors, merge=merge, positions=admitted)
    if not refused:
        return written
    outcomes = dict(zip(admitted, written, strict=True))
    return [outcomes[i] if i in outcomes else Remembered(None, "skipped", refused[i]) for i in range(len(drafts))]


def _drafts(items: Iterable[Mapping[str, Any]]) -> list[Draft]:
    if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Iterable):
        raise TypeError(f"items must be a list of mappings with remember's arguments, not {type(items).__name__}")
    drafts = []
    for position, item in enumerate(items):
        try:
            drafts.append(Draft(**_arguments(item)))
        except (TypeError, ValueError) as error:
            raise _named(position, error) from None
    return drafts


def _arguments(item: Any) -> Mapping[str, Any]:
    if not isinstance(item, Mapping):
        raise TypeError(f"it must be a mapping with remember's arguments, not {type(item).__name__}")
    if not all(isinstance(name, str) for name in item):
        raise TypeError("the names of arguments must be strings")
    return item


def _named(position: int, error: Exception) -> Exception:
    return type(error)(f"item {position}: {str(error).replace('Draft.__init__()', 'remember')}")


def _require_rights(handle: Handle, drafts: Sequence[Draft]) -> None:
    for position, draft in enumerate(drafts):
        try:
            handle.require_write(draft.scope)
        except AccessDenied as error:
            raise _named(position, error) from None


def _refusals(handle: Handle, drafts: Sequence[Draft]) -> dict[int, str]:
    refused = {}
    for position, draft in enumerate(drafts):
        try:
            reason = refusal(draft, handle.guard)
        except ValueError as error:
            raise _named(position, error) from None
        if reason:
            refused[position] = reason
    return refused


def _given_vectors(drafts: Sequence[Draft], dimension: int) -> tuple[list[int], Vectors | None]:
    positions = [i for i, draft in enumerate(drafts) if draft.embedding is not None]
    if not positions:
        return positions, None
    return positions, checked_vectors([drafts[i].embedding for i in positions], dimension, positions)


def _all_vectors(
    handle: Handle,
    drafts: Sequence[Draft],
    given: tuple[list[int], Vectors | None],
    admitted: Sequence[int],
    progress: Progress | None,
) -> Vectors:
    """Return the vector of each admitted draft: the one that was given, or the embedder's."""
    positions, rows = given
    if rows is not None and len(positions) == len(drafts) == len(admitted):
        return rows
    vectors = np.zeros((len(drafts), handle.store.dim), np.float32)
    if rows is not None:
        vectors[positions] = rows
    have = set(positions)
    missing = [i for i in admitted if i not in have]
    done = len(drafts) - len(missing)
    for start in range(0, len(missing), _TEXTS_AT_ONCE):
        batch = missing[start : start + _TEXTS_AT_ONCE]
        vectors[batch] = handle.embed([drafts[i].content for i in batch])
        if progress is not None:
            progress(done + start + len(batch), len(drafts))
    return vectors[list(admitted)]


def _write(
    handle: Handle, drafts: Sequence[Draft], vectors: Vectors, *, merge: bool, positions: Sequence[int] | None = None
) -> list[Remembered]:
    if not drafts:
        return []
    for draft in drafts:
        draft.text_key, draft.merge_key = merge_keys(draft.scope, draft.kind, draft.content)
        draft.terms = document_terms(draft.content)
        draft.tokens = handle.count_stored(draft.content)
    if merge or handle.link_similar is not None or any(draft.places_itself for draft in drafts):
        return _write_planned(handle, drafts, vectors, merge=merge, positions=positions)
    now = handle.now()
    keys = new_keys(len(drafts), now)
    versions = [draft.version(key, now) for draft, key in zip(drafts, keys, strict=True)]
    handle.store.write(versions, vectors)
    return [stored(draft, key.hex()) for draft, key in zip(drafts, keys, strict=True)]


def _write_planned(
    handle: Handle, drafts: Sequence[Draft], vectors: Vectors, *, merge: bool, positions: Sequence[int] | None
) -> list[Remembered]:
    corrections = handle.corrections if merge else None
    answers = correction_questions.answers(handle, corrections, drafts, vectors) if corrections is not None else None
    with handle.writing() as now:
        corrector = correcting.Corrector(handle, corrections, answers) if corrections is not None else None
        plan = Plan(handle, now, corrector)
        placed = []
        for i, draft in enumerate(drafts):
            try:
                placed.append(plan.place(draft, vectors[i], merge=merge))
            except (ValueError, KeyError, AccessDenied) as error:
                if positions is None:
                    raise
                raise _named(positions[i], error) from None
        plan.commit()
    return placed
