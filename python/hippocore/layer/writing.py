"""The verbs of a MemoryLayer that write: remember, change, forget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hippocore import events
from hippocore.arguments import UNCHANGED, Unchanged, checked_flag
from hippocore.deferred import Deferred
from hippocore.links import Links
from hippocore.scopes import Scope, Scopes
from hippocore.session import Opened
from hippocore.times import Moment

if TYPE_CHECKING:
    from hippocore import changing, drafts, forgetting, quarantine, types, writing
else:
    changing = Deferred("hippocore.changing")
    drafts = Deferred("hippocore.drafts")
    forgetting = Deferred("hippocore.forgetting")
    quarantine = Deferred("hippocore.quarantine")
    types = Deferred("hippocore.types")
    writing = Deferred("hippocore.writing")

Progress = Callable[[int, int], None]


class WritingVerbs(Opened):
    """What writes memories."""

    def remember(
        self,
        content: str,
        *,
        scope: Scope = "default",
        kind: str = "episode",
        importance: float = 0.5,
        source: str | None = None,
        tags: Iterable[str] | None = (),
        trust: types.Trust = "trusted",
        event_time: Moment | None = None,
        expires_at: Moment | None = None,
        metadata: Mapping[str, Any] | None = None,
        links: Links | None = (),
        supersedes: str | None = None,
        id: str | None = None,
        embedding: Any = None,
        merge: bool = True,
    ) -> types.Remembered:
        """Store one memory, or merge it into the live one of its scope, kind and trust that says the same.

        A given id is never merged into another memory: with the content that it holds already nothing happens, with
        another one ValueError is raised. `supersedes` ends that memory where this one begins; without it, the layer's
        `corrections` say whether what this one corrects ends. What the guard refuses is "skipped", with the reason.

        `links` are ids of memories, written or yet to be, that this one belongs with; a `Link`, or a mapping with "id",
        "type" and "weight", says how and how much. `expand_links=` of `recall` and `context` walks them both ways.

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
        start = events.began()
        done = writing.remember(self._handle, draft, merge=checked_flag(merge, "merge"))
        if start is not None:
            events.tell(self, "remember", start, done._asdict())
        return done

    def remember_many(
        self, items: Iterable[Mapping[str, Any]], *, merge: bool = True, progress: Progress | None = None
    ) -> list[types.Remembered]:
        """Store mappings with `remember`'s arguments in one commit, each seeing those before it; all or nothing.

        A refused secret is that item's "skipped"; any wrong argument names the item and nothing is written.
        progress(done, total) is called while texts are embedded.
        """
        start = events.began()
        done = writing.remember_many(self._handle, items, merge=checked_flag(merge, "merge"), progress=progress)
        if start is not None:
            events.tell(self, "remember_many", start, events.remembered(done))
        return done

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
        links: Links | Unchanged | None = UNCHANGED,
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
