"""The store as an agent sees it: one in which the memories that it may not read were never written.

Every verb of an agent's layer works on this store instead of the one beneath, so that a verb cannot forget to ask: what
is not readable is not there, in whatever way it is asked for, and what is not writable cannot be written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from hippocore.errors import CorruptStore, MemoryNotFound
from hippocore.rights import Rights
from hippocore.stores.protocol import Keys, Rows, RowTuple, StateTuple, Store, Vectors, VersionTuple

_SCOPE: Final = 3  # where a row has its scope


class AgentStore:
    """A Store through an agent's rights. It owns nothing: closing it is for the layer that opened the store beneath.

    A memory is where its newest version is. Raises AccessDenied for a scope that is named, or written to, without the
    right, and for what is about the whole store; MemoryNotFound for memories that are not readable.
    """

    def __init__(self, beneath: Store, rights: Rights) -> None:
        self._beneath = beneath
        self._rights = rights
        self.new_weights = beneath.new_weights
        self.begin, self.end = beneath.begin, beneath.end
        # These ask by a filter of `new_filter`, or for keys that such a filter let through.
        self.touch, self.select_ids, self.columns = beneath.touch, beneath.select_ids, beneath.columns
        self.extras = beneath.extras
        self.count, self.recall, self.recall_many = beneath.count, beneath.recall, beneath.recall_many
        self.recall_approximately, self.newest_event = beneath.recall_approximately, beneath.newest_event
        self.sync, self.checkpoint, self.compact = beneath.sync, beneath.checkpoint, beneath.compact

    @property
    def path(self) -> str:
        """Where the store is."""
        return self._beneath.path

    @property
    def dim(self) -> int:
        """The dimension of its vectors."""
        return self._beneath.dim

    @property
    def embedder(self) -> str:
        """The name of the embedder that made its vectors."""
        return self._beneath.embedder

    @property
    def tokenizer(self) -> str:
        """The name of the counter that made its token counts."""
        return self._beneath.tokenizer

    @property
    def store_id(self) -> bytes:
        """The 16 bytes that tell it from every other store."""
        return self._beneath.store_id

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written."""
        return self._beneath.read_only

    @property
    def discarded_bytes(self) -> int:
        """Bytes of an unfinished write that were found at opening."""
        return self._beneath.discarded_bytes

    def new_filter(
        self, *, now: int, scopes: Sequence[str] | None = None, subtree: bool = False, **conditions: Any
    ) -> Any:
        """Return the store's own filter; without scopes it is about all that may be read."""
        if scopes is None:
            return self._beneath.new_filter(now=now, scopes=list(self._rights.read), subtree=True, **conditions)
        self._rights.require_read(scopes)
        return self._beneath.new_filter(now=now, scopes=scopes, subtree=subtree, **conditions)

    def write(
        self,
        versions: Sequence[VersionTuple],
        vectors: Vectors | None,
        changes: Sequence[tuple[bytes, StateTuple]] = (),
        forgets: Keys = (),
        ended: Sequence[tuple[bytes, int]] = (),
    ) -> None:
        """Write what lies in writable scopes only, all or nothing."""
        self._rights.require_write(version[1] for version in versions)
        touched = [*(key for key, _ in (*changes, *ended)), *map(bytes, forgets)]
        if touched:
            rows = self.get(touched)
            self._rights.require_write(rows[i][_SCOPE] for i in range(len(rows)))
        self._beneath.write(versions, vectors, changes, forgets, ended)

    def find_duplicate(
        self,
        scope: str,
        kind: str,
        text_key: int,
        merge_key: int,
        vector: Vectors,
        threshold: float,
        trust: int,
        now: int,
    ) -> bytes | None:
        """Return the memory to merge into; none where merging would tell what is there."""
        if not self._rights.may_read(scope):
            return None
        return self._beneath.find_duplicate(scope, kind, text_key, merge_key, vector, threshold, trust, now)

    def contains(self, id: bytes) -> bool:
        """Return whether there is a memory that may be read."""
        return self._visible_row(id) is not None

    def hidden_row(self, id: bytes) -> RowTuple | None:
        """Return what holds a key without being readable. For placing names; nothing of it may be shown."""
        return None if self.contains(id) or not self._beneath.contains(id) else self._beneath.get([id])[0]

    def get(self, ids: Sequence[bytes]) -> Rows:
        """Return the newest version of each; raises MemoryNotFound where one may not be read."""
        rows = [self._visible_row(key) for key in ids]
        found = [row for row in rows if row is not None]
        if len(found) < len(rows):
            raise MemoryNotFound(f"no memory {ids[rows.index(None)].hex()}")
        return _SomeRows(found)

    def get_vectors(self, ids: Sequence[bytes]) -> Vectors:
        """Return the vector of each; raises MemoryNotFound where one may not be read."""
        self.get(ids)
        return self._beneath.get_vectors(ids)

    def history(self, id: bytes) -> Rows:
        """Return every version that may be read of a memory that may be read; empty where there is none."""
        return self._readable(self._beneath.history(id)) if self.contains(id) else _SomeRows([])

    def select(self, filter: Any, *, newest_first: bool = True, after: bytes | None = None, limit: int = -1) -> Rows:
        """Return what a filter of `new_filter` lets through; raises MemoryNotFound for an `after` not readable."""
        if after is not None:
            self.get([after])
        return self._beneath.select(filter, newest_first=newest_first, after=after, limit=limit)

    def scopes(self, now: int) -> list[tuple[str, int]]:
        """Return the readable scopes that have live memories."""
        return [(scope, count) for scope, count in self._beneath.scopes(now) if self._rights.may_read(scope)]

    def versions(self, first_slot: int, limit: int, *, vectors: bool = False) -> tuple[Rows, int]:
        """Return those of the next `limit` versions that may be read, which may be none, and the slot to go on from."""
        rows, following = self._beneath.versions(first_slot, limit, vectors=vectors)
        return self._readable(rows, vectors=vectors), following

    def close(self) -> None:
        """Do nothing."""

    def reembed(self, embedder: str, vectors: Vectors) -> None:
        """Raise AccessDenied."""
        self._refuse("reembed")

    def build_approximate(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Raise AccessDenied."""
        self._refuse("build_approximate")

    def backup(self, path: str) -> None:
        """Raise AccessDenied."""
        self._refuse("backup")

    def verify(self, progress: Callable[[int, int], None] | None = None) -> dict[str, Any]:
        """Raise AccessDenied."""
        self._refuse("verify")

    def stats(self) -> dict[str, int]:
        """Raise AccessDenied."""
        self._refuse("stats")

    def searches_graph(self) -> bool:
        """Raise AccessDenied."""
        self._refuse("build_approximate")

    def become_worker(self) -> bool:
        """Raise AccessDenied."""
        self._refuse("background")

    def resign_worker(self) -> None:
        """Raise AccessDenied."""
        self._refuse("background")

    def sequence(self) -> int:
        """Raise AccessDenied: it tells of writes that an agent may not see."""
        self._refuse("background")

    def _refuse(self, verb: str) -> NoReturn:
        raise self._rights.of_the_owner(verb)

    def _readable(self, rows: Rows, *, vectors: bool = False) -> Rows:
        kept = [i for i in range(len(rows)) if self._rights.may_read(rows[i][_SCOPE])]
        return _SomeRows([rows[i] for i in kept], rows.vectors()[kept] if vectors else None)

    def _visible_row(self, key: bytes) -> RowTuple | None:
        if not self._beneath.contains(key):
            return None
        try:
            row = self._beneath.get([key])[0]
        except MemoryNotFound:  # forgotten meanwhile
            return None
        except CorruptStore:
            if self._is_selected(key):
                raise
            return None
        return row if self._rights.may_read(row[_SCOPE]) else None

    def _is_selected(self, key: bytes) -> bool:
        """Whether a memory that cannot be read, because it is damaged, is in a readable scope."""
        for archived, quarantined in product((False, True), repeat=2):
            everything = self.new_filter(
                now=0, expired=True, superseded=True, archived=archived, quarantined=quarantined
            )
            if key in self.select_ids(everything):
                return True
        return False


class _SomeRows:
    """Rows that were taken from others."""

    def __init__(self, rows: list[RowTuple], vectors: Vectors | None = None) -> None:
        self._rows = rows
        self._vectors = vectors

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int, /) -> RowTuple:
        return self._rows[index]

    def key(self, index: int, /) -> bytes:
        return self._rows[index][0]

    def tokens(self) -> npt.NDArray[np.uint32]:
        return np.array([row[9] for row in self._rows], np.uint32)

    def vectors(self) -> Vectors:
        assert self._vectors is not None, "asked for without vectors"
        return self._vectors
