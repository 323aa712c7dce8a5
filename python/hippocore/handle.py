"""What every verb works with: an open store and the choices made when it was opened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from hippocore.embedders.protocol import ResolvedEmbedder
from hippocore.errors import EmbedderMissing, MemoryNotFound
from hippocore.guard import Guard
from hippocore.identifiers import keys_of
from hippocore.ranking import Ranking
from hippocore.records import Record, record_of
from hippocore.stores.protocol import Store, Vectors
from hippocore.times import microseconds


@dataclass(slots=True)
class Handle:
    """An open store, its embedder, and how this handle guards, ranks, counts tokens and reads the clock."""

    store: Store
    embedder: ResolvedEmbedder | None
    guard: Guard
    ranking: Ranking
    weights: Any
    count_tokens: Callable[[str], int]
    clock: Callable[[], float]

    def now(self) -> int:
        """Return the clock's moment in microseconds."""
        return microseconds(self.clock(), "the clock's time")

    @contextmanager
    def writing(self) -> Iterator[int]:
        """Hold the writer's lock, caught up with all other writers; gives the moment at which it was taken."""
        self.store.begin()
        try:
            yield self.now()
        finally:
            self.store.end()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts; raises EmbedderMissing where vectors are handed in."""
        if self.embedder is None:
            raise EmbedderMissing("this store was opened with embedder=None: pass embedding=, or open it with one")
        return self.embedder(texts)

    def record(self, key: bytes, identifier: str, now: int) -> Record:
        """Return a memory's newest version; raises MemoryNotFound where there is none or it has expired."""
        if not self.store.contains(key):
            raise not_found([identifier])
        record = record_of(self.store.get([key])[0])
        if record.expired(now):
            raise MemoryNotFound(f"the memory {identifier!r} has expired")
        return record

    def existing_keys(self, identifiers: Any) -> list[bytes]:
        """Return the keys of one id or several, each once; raises MemoryNotFound naming all that are not there."""
        keys = keys_of(identifiers)
        missing = [identifier for key, identifier in keys.items() if not self.store.contains(key)]
        if missing:
            raise not_found(missing)
        return list(keys)


def not_found(identifiers: Iterable[str]) -> MemoryNotFound:
    """Return the error that names ids that are not in the store."""
    return MemoryNotFound(f"no memory {', '.join(map(repr, identifiers))}: it never was, or was forgotten")
