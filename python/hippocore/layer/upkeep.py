"""The verbs of a MemoryLayer that are about the store as a whole."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from hippocore.arguments import checked_flag, checked_progress
from hippocore.deferred import Deferred
from hippocore.scopes import ALL, Scopes, scope_texts
from hippocore.session import Opened
from hippocore.times import Moment, microseconds

if TYPE_CHECKING:
    from hippocore import transfer, types, upkeep
    from hippocore.embedders import registry
    from hippocore.lifecycle import consolidate as consolidating
    from hippocore.lifecycle import maintenance
else:
    consolidating = Deferred("hippocore.lifecycle.consolidate")
    maintenance = Deferred("hippocore.lifecycle.maintenance")
    transfer = Deferred("hippocore.transfer")
    types = Deferred("hippocore.types")
    upkeep = Deferred("hippocore.upkeep")
    registry = Deferred("hippocore.embedders.registry")

Progress = Callable[[int, int], None]


class UpkeepVerbs(Opened):
    """What keeps a store in order, checks it and moves it."""

    def maintain(
        self,
        *,
        scope: Scopes = ALL,
        subtree: bool = False,
        now: Moment | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> types.Maintenance:
        """Forget, or archive, what `retention=` lets go of; returns what went and why.

        Runs only when called, and again right away does nothing more. Recalls go on meanwhile, and other writers wait
        for one batch at most; a memory that is used or changed meanwhile stays. Superseded and quarantined memories go
        by an `expires_at` of their own only, archived ones also by the ttl of their kind; old versions, and what was
        superseded or archived, also by Retention(history=...). The bytes of what went are given back by `compact`. How
        many the store may hold is looked at with ALL scopes and by the owner only. An agent's ALL is what it reads and
        writes.

        dry_run=True writes nothing, on a read-only handle too. progress(done, total) counts memories and versions that
        go. Looking costs little: `python bench/maintain.py`. Where `retention=` says so, what is left is consolidated
        then: that takes seconds for 20,000 episodes of a scope, and ages count from the clock, not from `now`.
        """
        handle, places = self._handle, maintenance.Places(scope_texts(scope), checked_flag(subtree, "subtree"))
        moment = handle.now() if now is None else microseconds(now, "now")
        dry_run, progress = checked_flag(dry_run, "dry_run"), checked_progress(progress)
        done = maintenance.maintain(handle, places, moment, dry_run=dry_run, progress=progress)
        if (near := handle.retention.consolidate) is None:
            return done
        return consolidating.maintained(handle, done, scope, near, subtree=subtree, now=moment)

    def checkpoint(self) -> None:
        """Fold the log into the store's files; what was acknowledged survives a power loss from here on."""
        self._handle.of_the_owner("checkpoint").store.checkpoint()

    def compact(self) -> None:
        """Write new files without what was forgotten and unlink the old ones."""
        self._handle.of_the_owner("compact").store.compact()

    def reembed(self, embedder: registry.EmbedderSpec, *, progress: Progress | None = None) -> None:
        """Give every version the vector of another embedder, all or nothing; other writers wait meanwhile.

        progress(done, total) counts versions.
        """
        shown = checked_progress(progress)
        self._session.go_on_with(upkeep.reembed(self._handle.of_the_owner("reembed"), embedder, shown))

    def build_approximate(self, *, progress: Progress | None = None) -> None:
        """Wait until the graph that `approximate=True` searches knows every memory, and is kept beside the store.

        progress(done, total) counts memories. Nobody has to call it: recall starts the same in the background. Raises
        MissingExtra without the extra `ann`.
        """
        self._handle.of_the_owner("build_approximate").store.build_approximate(checked_progress(progress))

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Write a consistent copy of the store to a directory that holds none; reading and writing go on."""
        upkeep.backup(self._handle.of_the_owner("backup"), path)

    def verify(self, *, progress: Progress | None = None) -> types.Verification:
        """Read every byte of the store and name what is damaged."""
        return upkeep.verify(self._handle.of_the_owner("verify"), checked_progress(progress))

    def export(self, path: str | os.PathLike[str], *, embeddings: bool = True, progress: Progress | None = None) -> int:
        """Write every version as JSON Lines; returns how many. progress(done, total) counts them."""
        with_vectors, progress = checked_flag(embeddings, "embeddings"), checked_progress(progress)
        handle = self._handle
        shown = transfer.as_kept if handle.rights is None else handle.names.shown
        return transfer.export_store(handle.store, path, embeddings=with_vectors, progress=progress, shown=shown)

    def import_(self, path: str | os.PathLike[str], *, progress: Progress | None = None) -> int:
        """Read an export into this store, with ids, versions and state as they were; returns how many versions.

        Everything is checked first, nothing is merged, and what is there already stays as it is. The guard refuses,
        redacts and caps as in `remember`; what was in quarantine stays there, and nothing else is put there.
        """
        handle = self._handle.of_the_owner("import_")
        store, guard, embed, count = handle.store, handle.guard, handle.embed, handle.count_stored
        shown = checked_progress(progress)
        return transfer.import_store(store, path, guard=guard, embed=embed, count_tokens=count, progress=shown)
