"""Upkeep: vectors of another embedder, copies, and checking every byte."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from hippocore.embedders import resolve
from hippocore.embedders.protocol import ResolvedEmbedder
from hippocore.embedders.registry import EmbedderSpec
from hippocore.handle import Handle
from hippocore.stores.protocol import Store, Vectors
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
    return replace(handle, embedder=embedder)


def backup(handle: Handle, path: str | os.PathLike[str]) -> None:
    """Write a consistent copy of the store to a new directory, while others may go on."""
    handle.store.backup(os.fspath(path))


def verify(handle: Handle, progress: Progress | None) -> Verification:
    """Read every byte of the store and name what is damaged."""
    report: dict[str, Any] = handle.store.verify(progress)
    damaged = tuple(Damage(key.hex() if key is not None else None, what) for key, what in report["damaged"])
    return Verification(not damaged, report["memories"], damaged, report["bytes"])


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
