"""History that is not kept: old versions that ended by a moment are let go of, batch by batch.

Only ids and the moment are written, so that it does not matter what happens to a memory meanwhile: a version that
holds, or that ended later, never goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from hippocore.handle import Handle

_AT_ONCE: Final = 2_000  # memories


class OldVersions:
    """The old versions in some scopes that ended by a moment, but those of memories that leave as a whole."""

    def __init__(self, handle: Handle, places: dict[str, Any], until: int | None, leaving: set[bytes]) -> None:
        self._handle, self._until = handle, until
        self._of: Counter[bytes] = Counter()
        if until is not None:
            asked = handle.store.new_filter(now=until, ended_by=until, **places)
            self._of.update(map(bytes, handle.store.columns(asked)["keys"]))
        for key in leaving & self._of.keys():
            del self._of[key]

    def __len__(self) -> int:
        return self._of.total()

    def let_go(self, progress: Callable[[int], None]) -> int:
        """Forget them, a commit for each batch; returns how many went. Calls progress with those of each batch."""
        keys, gone = iter(self._of), 0
        while batch := list(islice(keys, _AT_ONCE)):
            with self._handle.writing():
                gone += self._forget(batch)
            progress(sum(self._of[key] for key in batch))
        return gone

    def _forget(self, keys: list[bytes]) -> int:
        assert self._until is not None, "no old version is due"
        store, until = self._handle.store, self._until
        went = store.count(store.new_filter(now=until, ended_by=until, ids=keys))
        there = [key for key in keys if store.contains(key)]
        store.write([], None, ended=[(key, until) for key in there])
        return went
