"""MemoryLayer: an open store and everything that can be asked of it."""

from __future__ import annotations

import builtins
import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hippocore.arguments import UNCHANGED, Unchanged, checked_flag
from hippocore.deferred import Deferred
from hippocore.guard import Guard
from hippocore.opening import open_handle
from hippocore.policy import Policy
from hippocore.ranking import Ranking
from hippocore.scopes import ALL, Scope, Scopes
from hippocore.session import Opened, Session
from hippocore.times import Moment

if TYPE_CHECKING:
    from hippocore import (
        changing,
        drafts,
        filters,
        forgetting,
        quarantine,
        reading,
        scored,
        transfer,
        types,
        upkeep,
        writing,
    )
    from hippocore import context as packing
    from hippocore.embedders import registry
    from hippocore.stores import protocol
else:
    changing = Deferred("hippocore.changing")
    drafts = Deferred("hippocore.drafts")
    filters = Deferred("hippocore.filters")
    forgetting = Deferred("hippocore.forgetting")
    quarantine = Deferred("hippocore.quarantine")
    reading = Deferred("hippocore.reading")
    scored = Deferred("hippocore.scored")
    transfer = Deferred("hippocore.transfer")
    types = Deferred("hippocore.types")
    upkeep = Deferred("hippocore.upkeep")
    writing = Deferred("hippocore.writing")
    packing = Deferred("hippocore.context")
    registry = Deferred("hippocore.embedders.registry")
    protocol = Deferred("hippocore.stores.protocol")

Progress = Callable[[int, int], None]


class MemoryLayer(Opened):
    """An open store of memories. Any thread may call any verb; use it as a context manager, or close it.

    store: the path of a store directory, or a Store. create=False raises StoreNotFound where there is none.
    embedder: "auto" is the one the store remembers, else "local"; or "local", "minilm", an Embedder, a callable
    list[str] -> (n, dim) array with embedder_name=, or None: vectors are handed in, and a new store needs dim=.
    tokens: "estimate", the name of an encoding, or a callable str -> int.
    sync: what a crash may cost. A killed process loses nothing that was acknowledged; power loss costs nothing
    ("full"), about the last second ("normal"), or what came after the last checkpoint ("off"); never consistency.
    busy_timeout: seconds to wait for another writer before StoreBusy. clock: seconds since 1970.
    threads: how many work on one large recall, its caller's included. They start at the first one, and the answer is
    the same with any number. Recalls that many threads ask for run side by side in any case.
    Raises EmbedderMismatch for another embedder or dimension than the store's.
    """

    def __init__(
        self,
        store: str | os.PathLike[str] | protocol.Store,
        *,
        create: bool = True,
        embedder: registry.EmbedderSpec = "auto",
        embedder_name: str | None = None,
        dim: int | None = None,
        ranking: Ranking | None = None,
        guard: Guard | None = None,
        policy: Policy | None = None,
        tokens: str | Callable[[str], int] = "estimate",
        sync: str = "normal",
        read_only: bool = False,
        busy_timeout: float = 5.0,
        threads: int = 1,
        clock: Callable[[], float] = time.time,
    ) -> None:
        handle = open_handle(
            store,
            create=create,
            embedder=embedder,
            embedder_name=embedder_name,
            dim=dim,
            ranking=Ranking() if ranking is None else ranking,
            guard=Guard() if guard is None else guard,
            policy=policy,
            tokens=tokens,
            sync=sync,
            read_only=read_only,
            busy_timeout=busy_timeout,
            threads=threads,
            clock=clock,
        )
        self._session = Session(handle)

    def as_agent(self, name: str) -> MemoryLayer:
        """Return the same store through that agent's rights in `policy=`; without an entry there it has none.

        What the agent may not read is not there for it, by whatever verb, filter or id; a scope that it names without
        the right raises AccessDenied. An id that it gives is its own name for a memory. Closing it closes only itself.
        """
        view = object.__new__(type(self))
        view._session = self._session.as_agent(name)
        return view

    # Writing

    def remember(
        self,
        content: str,
        *,
        scope: Scope = "default",
        kind: str = "episode",
        importance: float = 0.5,
        source: str | None = None,
        tags: Iterable[str] = (),
        trust: types.Trust = "trusted",
        event_time: Moment | None = None,
        expires_at: Moment | None = None,
        metadata: Mapping[str, Any] | None = None,
        links: Iterable[str] = (),
        supersedes: str | None = None,
        id: str | None = None,
        embedding: Any = None,
        merge: bool = True,
    ) -> types.Remembered:
        """Store one memory, or merge it into the live one of its scope, kind and trust that says the same.

        A given id is never merged into another memory: with the content that it holds already nothing happens, with
        another one ValueError is raised. `supersedes` ends that memory where this one begins. What the guard refuses
        is "skipped", with the reason.

        What is untrusted has its importance capped, and what reads like an instruction to a model or hides something
        is "quarantined" unless it is trusted: it takes no part, merges with nothing and ends nothing until `release`.
        So is what would supersede a memory that is trusted more (ValueError where the guard keeps no quarantine).
        """
        draft = drafts.Draft(
            content,
            scope=scope,
            kind=kind,
            importance=importance,
            source=source,
            tags=tags,
            trust=trust,
            event_time=event_time,
            expires_at=expires_at,
            metadata=metadata,
            links=links,
            supersedes=supersedes,
            id=id,
            embedding=embedding,
        )
        return writing.remember(self._handle, draft, merge=checked_flag(merge, "merge"))

    def remember_many(
        self, items: Iterable[Mapping[str, Any]], *, merge: bool = True, progress: Progress | None = None
    ) -> builtins.list[types.Remembered]:
        """Store mappings with `remember`'s arguments in one commit, each seeing those before it; all or nothing.

        A refused secret is that item's "skipped"; any wrong argument names the item and nothing is written.
        progress(done, total) is called while texts are embedded.
        """
        return writing.remember_many(self._handle, items, merge=checked_flag(merge, "merge"), progress=progress)

    def update(
        self,
        id: str,
        *,
        content: str | Unchanged = UNCHANGED,
        embedding: Any = UNCHANGED,
        importance: float | Unchanged = UNCHANGED,
        kind: str | Unchanged = UNCHANGED,
        tags: Iterable[str] | Unchanged | None = UNCHANGED,
        source: str | Unchanged | None = UNCHANGED,
        trust: types.Trust | Unchanged = UNCHANGED,
        metadata: Mapping[str, Any] | Unchanged | None = UNCHANGED,
        links: Iterable[str] | Unchanged | None = UNCHANGED,
        event_time: Moment | Unchanged | None = UNCHANGED,
        expires_at: Moment | Unchanged | None = UNCHANGED,
    ) -> types.Memory:
        """Change what is named and return the memory; the rest stays.

        Importance, trust and expiry change in place; everything else makes a new version under the same id. Raises
        SecretRefused for what the guard refuses. Trust stays unless named, and so does quarantine until `release`; a
        memory that is not trusted goes there by a change that is suspicious, or by less trust when it is.
        """
        stated = (content, embedding, importance, kind, tags, source, trust, metadata, links, event_time, expires_at)
        return changing.update(self._handle, id, changing.Changes(*stated))

    def forget(self, ids: str | Iterable[str], *, purge: bool = False) -> int:
        """Forget one id or several with all their versions; returns how many. Raises MemoryNotFound, forgetting none.

        purge=True also rewrites the store's files, so that no byte of them is left there.
        """
        return forgetting.forget(self._handle, ids, purge=purge)

    def forget_where(
        self,
        *,
        scope: Scopes,
        subtree: bool = False,
        before: Moment | None = None,
        kinds: Iterable[str] | None = None,
        source: str | None = None,
        tags: Iterable[str] | None = None,
        purge: bool = False,
    ) -> int:
        """Forget every memory of a scope (ALL must be said) that meets all conditions; returns how many.

        `before` is compared with the event time, else the creation. Expired and superseded memories go too.
        """
        asked = forgetting.condition(scope, subtree=subtree, before=before, kinds=kinds, source=source, tags=tags)
        return forgetting.forget_where(self._handle, asked, purge=purge)

    def feedback(self, ids: str | Iterable[str], useful: bool) -> None:
        """Move the importance of each memory by 0.05 towards 1 (the cap, if untrusted) or 0; a useful one was used."""
        changing.feedback(self._handle, ids, useful)

    def release(self, ids: str | Iterable[str]) -> None:
        """Let memories out of quarantine, all or none: they take part from then on, with the trust that they have.

        For a person who has read them (`list(quarantined=True)`, `get`). What one was to supersede ends now. One that
        is not in quarantine stays as it is. Raises MemoryNotFound naming every id that is not there.
        """
        quarantine.release(self._handle.of_the_owner("release"), ids)

    # Reading

    def recall(
        self,
        query: str | None = None,
        *,
        scope: Scopes = "default",
        subtree: bool = False,
        limit: int = 20,
        kinds: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
        tags_match: str = "any",
        since: Moment | None = None,
        until: Moment | None = None,
        as_of: Moment | None = None,
        min_relevance: float | None = None,
        min_trust: types.Trust | None = None,
        metadata: Mapping[str, Any] | None = None,
        mode: reading.Mode = "hybrid",
        ranking: Ranking | None = None,
        embedding: Any = None,
        approximate: bool = False,
    ) -> builtins.list[scored.Scored]:
        """Return the memories with the highest scores: by score, then newest, then id. Writes nothing.

        Asks by text or by vector; without either the other signals rank. None is no condition and an empty list one
        that nothing meets. `since <= time < until` compares the event time, else the creation; `as_of` sees the store
        as it was then, without what was forgotten since. `metadata` holds values to be equal to.

        mode="hybrid" measures relevance by similarity and by the query's words together, each against what the eligible
        memories have on average: 0.5 is four deviations above. Where one of them tells nothing, the other decides.
        "lexical" asks by words alone (the share of what they tell), and needs no embedder; "dense" by similarity alone,
        max(0, cosine), as does whoever asks by vector or approximately.

        approximate=True (extra `ann`) ranks only what a graph of the vectors leads to, which may leave out some of the
        best. The first call makes the graph in the background; until then, and where the exact answer is as fast, that
        is given. Needs about as much memory as all vectors take.
        """
        asked = filters.Conditions(scope, subtree, kinds, tags, tags_match, since, until, as_of, min_trust, metadata)
        question = reading.Question(query, embedding, limit, min_relevance, mode, ranking, approximate)
        return reading.recall(self._handle, asked, question)

    def recall_many(
        self,
        queries: Iterable[str] | None = None,
        *,
        embeddings: Any = None,
        scope: Scopes = "default",
        subtree: bool = False,
        limit: int = 20,
        kinds: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
        tags_match: str = "any",
        since: Moment | None = None,
        until: Moment | None = None,
        as_of: Moment | None = None,
        min_relevance: float | None = None,
        min_trust: types.Trust | None = None,
        metadata: Mapping[str, Any] | None = None,
        mode: reading.Mode = "hybrid",
        ranking: Ranking | None = None,
        approximate: bool = False,
    ) -> builtins.list[builtins.list[scored.Scored]]:
        """Return what `recall` gives for each of several texts or vectors (n, dim), from one moment and state.

        Quicker than one after another: texts are embedded together, and what is searched is read once for several (not
        with approximate=True, which asks one after another). An error names the query by its position.
        """
        asked = filters.Conditions(scope, subtree, kinds, tags, tags_match, since, until, as_of, min_trust, metadata)
        question = reading.Question(None, None, limit, min_relevance, mode, ranking, approximate)
        return reading.recall_many(self._handle, asked, question, queries, embeddings)

    def context(
        self,
        query: str | None = None,
        *,
        budget: int = 800,
        max_per_memory: int = 400,
        pool: int = 200,
        strategy: packing.Strategy = "score",
        diversity: float = 0.0,
        touch: bool = True,
        scope: Scopes = "default",
        subtree: bool = False,
        kinds: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
        tags_match: str = "any",
        since: Moment | None = None,
        until: Moment | None = None,
        as_of: Moment | None = None,
        min_relevance: float | None = None,
        min_trust: types.Trust | None = None,
        metadata: Mapping[str, Any] | None = None,
        mode: reading.Mode = "hybrid",
        ranking: Ranking | None = None,
        embedding: Any = None,
        approximate: bool = False,
    ) -> packing.Context:
        """Recall a pool and pack what fits `budget` tokens, headings included, into a block that is safe in a prompt.

        A memory too large for what is left is skipped and the next ones are tried. strategy: by "score", by "density"
        (score a token), or the "best" of the two sums. diversity (0..1) takes worth from what is like a memory taken
        before. touch=True counts a use of what went in.
        """
        limits = packing.Limits(budget, max_per_memory, pool, strategy, diversity, touch)
        asked = filters.Conditions(scope, subtree, kinds, tags, tags_match, since, until, as_of, min_trust, metadata)
        question = reading.Question(query, embedding, pool, min_relevance, mode, ranking, approximate)
        handle = self._handle
        return packing.context(handle, reading.recall(handle, asked, question), limits)

    def get(self, id: str) -> types.Memory:
        """Return a memory's newest version, in quarantine too; MemoryNotFound where there is none or it has expired."""
        return reading.get(self._handle, id)

    def history(self, id: str) -> builtins.list[types.Memory]:
        """Return every version of a memory, oldest first, after the versions of what it superseded."""
        return reading.history(self._handle, id)

    def embeddings(self, ids: str | Iterable[str]) -> protocol.Vectors:
        """Return the vectors of memories, float32 (n, dim), as they were given."""
        return reading.embeddings(self._handle, ids)

    def __contains__(self, id: object) -> bool:
        return reading.contains(self._handle, id)

    def list(
        self,
        *,
        scope: Scopes = ALL,
        subtree: bool = False,
        kinds: Iterable[str] | None = None,
        quarantined: bool = False,
        archived: bool = False,
        limit: int | None = None,
        after: str | None = None,
        order: reading.Order = "newest",
    ) -> builtins.list[types.Memory]:
        """Return memories in the order of creation, then id; `after` an id goes on behind it: pages do not shift.

        Those in quarantine (or archived) only when asked for, and then only those.
        """
        handle = self._handle
        asked = filters.listing_filter(handle.store, handle.now(), scope, subtree, kinds, quarantined, archived)
        return reading.listed(handle, asked, limit=limit, after=after, order=order)

    def count(
        self,
        *,
        scope: Scopes = ALL,
        subtree: bool = False,
        kinds: Iterable[str] | None = None,
        quarantined: bool = False,
        archived: bool = False,
    ) -> int:
        """Return how many memories `list` would give."""
        handle = self._handle
        asked = filters.listing_filter(handle.store, handle.now(), scope, subtree, kinds, quarantined, archived)
        return handle.store.count(asked)

    def scopes(self) -> builtins.list[types.ScopeInfo]:
        """Return every scope with live memories, and how many."""
        return reading.scopes(self._handle)

    def stats(self) -> types.StoreStats:
        """Return how much the store holds and takes."""
        return reading.stats(self._handle.of_the_owner("stats"))

    # Upkeep

    def checkpoint(self) -> None:
        """Fold the log into the store's files; what was acknowledged survives a power loss from here on."""
        self._handle.store.checkpoint()

    def compact(self) -> None:
        """Write new files without what was forgotten and unlink the old ones."""
        self._handle.store.compact()

    def reembed(self, embedder: registry.EmbedderSpec, *, progress: Progress | None = None) -> None:
        """Give every version the vector of another embedder, all or nothing; other writers wait meanwhile.

        progress(done, total) counts versions.
        """
        self._session.go_on_with(upkeep.reembed(self._handle.of_the_owner("reembed"), embedder, progress))

    def build_approximate(self, *, progress: Progress | None = None) -> None:
        """Wait until the graph that `approximate=True` searches knows every memory, and is kept beside the store.

        progress(done, total) counts memories. Nobody has to call it: recall starts the same in the background. Raises
        MissingExtra without the extra `ann`.
        """
        self._handle.of_the_owner("build_approximate").store.build_approximate(progress)

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Write a consistent copy of the store to a directory that holds none; reading and writing go on."""
        upkeep.backup(self._handle.of_the_owner("backup"), path)

    def verify(self, *, progress: Progress | None = None) -> types.Verification:
        """Read every byte of the store and name what is damaged."""
        return upkeep.verify(self._handle.of_the_owner("verify"), progress)

    def export(self, path: str | os.PathLike[str], *, embeddings: bool = True, progress: Progress | None = None) -> int:
        """Write every version as JSON Lines; returns how many. progress(done, total) counts them."""
        with_vectors = checked_flag(embeddings, "embeddings")
        handle = self._handle
        shown = transfer.as_kept if handle.rights is None else handle.names.shown
        return transfer.export_store(handle.store, path, embeddings=with_vectors, progress=progress, shown=shown)

    def import_(self, path: str | os.PathLike[str], *, progress: Progress | None = None) -> int:
        """Read an export into this store, with ids, versions and state as they were; returns how many versions.

        Everything is checked first, nothing is merged, and what is there already stays as it is. The guard refuses,
        redacts and caps as in `remember`; what was in quarantine stays there, and nothing else is put there.
        """
        handle = self._handle.of_the_owner("import_")
        store, guard, embed, count = handle.store, handle.guard, handle.embed, handle.count_tokens
        return transfer.import_store(store, path, guard=guard, embed=embed, count_tokens=count, progress=progress)
