"""Upkeep: vectors of another embedder, copies, and checking every byte."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from hippocore.arguments import checked_path
from hippocore.embedders import resolve
from hippocore.embedders.protocol import ResolvedEmbedder
from hippocore.embedders.registry import EmbedderSpec
from hippocore.errors import CorruptStore
from hippocore.handle import Handle
from hippocore.records import check_kept
from hippocore.stores.protocol import Rows, Store, Vectors
from hippocore.types import Damage, Verification

Progress = Callable[[int, int], None]
_VERSIONS_AT_ONCE: Final = 256


def reembed(handle: Handle, spec: EmbedderSpec, progress: Progress | None) -> Handle:
    """Replace the vectors of every version, all or nothing; returns the handle that goes on with the new embedder."""
    embedder = resolve(spec)
    if embedder is None:
        raise ValueError("reembed needs an embedder: None makes no vectors")
    with handle.writing():
        vectors = _new_vectors(handle.store, embedder, progress)
        handle.store.reembed(embedder.name, vectors)
    return handle.with_embedder(embedder)


def backup(handle: Handle, path: str | os.PathLike[str]) -> None:
    """Write a consistent copy of the store to a new directory, while others may go on."""
    handle.store.backup(checked_path(path, "path"))


def verify(handle: Handle, progress: Progress | None) -> Verification:
    """Read every byte of the store and name what is damaged."""
    report: dict[str, Any] = handle.store.verify(progress)
    found = [*report["damaged"], *_impossible_values(handle.store)]
    damaged = tuple(Damage(key.hex() if key is not None else None, what) for key, what in found)
    return Verification(not damaged, report["memories"], damaged, report["bytes"])


def _impossible_values(store: Store) -> Iterator[tuple[bytes, str]]:
    """Yield the id of each version whose bytes are intact and whose values no release writes, and what is wrong."""
    for rows in _intact_rows(store):
        for i in range(len(rows)):
            try:
                check_kept(rows[i])
            except CorruptStore as error:
                yield rows.key(i), str(error)


def _intact_rows(store: Store) -> Iterator[Rows]:
    """Yield every version that the store itself can read; a damaged one stops the store only where it stands."""
    slot, one_by_one_until = 0, 0
    while True:
        at_once = 1 if slot < one_by_one_until else _VERSIONS_AT_ONCE
        try:
            rows, following = store.versions(slot, at_once)
        except CorruptStore:
            slot, one_by_one_until = (slot + 1, one_by_one_until) if at_once == 1 else (slot, slot + at_once)
            continue
        yield rows
        if not following:
            return
        slot = following


def _new_vectors(store: Store, embedder: ResolvedEmbedder, progress: Progress | None) -> Vectors:
    """Return one vector for each version, in the order in which the store lists them."""
    total = store.stats()["versions"]
    parts: list[Vectors] = [np.zeros((0, embedder.dim), np.float32)]
    slot, done = 0, 0
    while True:
        rows, slot = store.versions(slot, _VERSIONS_AT_ONCE)
        if len(rows):
            parts.append(embedder([rows[i][1] for i in range(len(rows))]))
            done += len(rows)
        if progress is not None and len(rows):
            progress(done, total)
        if slot == 0:
            return np.concatenate(parts)
