"""The results that the verbs return: frozen, plain data that outlives the handle. No repr shows content."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from hippocore.links import Link

Action = Literal["stored", "merged", "superseded", "skipped", "quarantined"]
Trust = Literal["untrusted", "unverified", "trusted"]
WAYS: Final = ("expired", "pruned", "evicted", "consolidated", "archived", "ended")
"""What `maintain` does with memories: fields of Maintenance."""


class Remembered(NamedTuple):
    """What became of a memory that was handed in.

    `id` is the memory that holds it now, None when nothing does. `action` is "stored", "merged" (into `id`, which was
    there), "superseded" (stored, and the memory that it named, or that it corrects, has ended), "quarantined" (stored,
    but it takes no part and has ended nothing until it is released) or "skipped": the guard refused it, or the id that
    was given holds this very content already. `reason` says which, by what rule it corrects, or why it waits.
    """

    id: str | None
    action: Action
    reason: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Memory:
    """One version of one memory. Times are aware UTC datetimes; `valid_until` is None while the version holds.

    `links` are ids that know the type and weight of the link. `quarantined`: it takes no part until a person releases
    it. `confidence`, 0..1, is what it was when this version began; each other source that says the same adds 0.1, up to
    1, a contradiction that is kept beside it halves it, and `Retention.confidence_at` says what time has left of it.
    """

    id: str
    content: str
    scope: str
    kind: str
    importance: float
    tags: tuple[str, ...]
    source: str | None
    trust: Trust
    metadata: dict[str, Any]
    links: tuple[Link, ...]
    tokens: int
    created_at: datetime
    event_time: datetime | None
    last_used_at: datetime | None
    use_count: int
    expires_at: datetime | None
    version: int
    valid_from: datetime
    valid_until: datetime | None
    supersedes: str | None
    archived_at: datetime | None
    quarantined: bool
    confidence: float

    def __hash__(self) -> int:
        return hash((self.id, self.version))

    def __repr__(self) -> str:
        return (
            f"Memory(id={self.id!r}, kind={self.kind!r}, version={self.version}, importance={self.importance:.3g}, "
            f"use_count={self.use_count}, tokens={self.tokens})"
        )


class Gone(NamedTuple):
    """A memory that `maintain` let go of, or would: its id, why, its kind, and its age in seconds since it was written.

    The reason is made of kinds, numbers and settings, never of content.
    """

    id: str
    reason: str
    kind: str
    age: float


@dataclass(frozen=True, slots=True, repr=False)
class Maintenance:
    """What `maintain` did, or with dry_run would do.

    Forgotten are `expired` (an expires_at of their own, or the ttl of their kind), `pruned` (too weak) and `evicted`
    (too many); `archived` are those that Retention(action="archive") put aside instead; `consolidated` are those that
    Retention(consolidate=...) made one of, and put aside. `ended` are forgotten since they were superseded or archived
    longer ago than Retention(history=...) keeps; `versions` counts the old versions, of memories that stay, that went
    so. `looked_at` counts all that were judged.
    """

    expired: tuple[Gone, ...]
    pruned: tuple[Gone, ...]
    evicted: tuple[Gone, ...]
    consolidated: tuple[Gone, ...]
    archived: tuple[Gone, ...]
    looked_at: int
    dry_run: bool
    ended: tuple[Gone, ...] = ()
    versions: int = 0

    def __repr__(self) -> str:
        ways = {name: len(getattr(self, name)) for name in WAYS}
        counts = ", ".join(f"{name}={count}" for name, count in ways.items())
        return f"Maintenance({counts}, versions={self.versions}, looked_at={self.looked_at}, dry_run={self.dry_run})"


class ScopeInfo(NamedTuple):
    """A scope and how many live memories are directly in it."""

    scope: str
    memories: int


@dataclass(frozen=True, slots=True)
class StoreStats:
    """How much a store holds: live memories, versions with those that ended, slots in its files, bytes on disk."""

    path: str
    dim: int
    embedder: str
    tokenizer: str
    memories: int
    versions: int
    forgotten: int
    scopes: int
    slots: int
    generation: int
    epoch: int
    sequence: int
    log_bytes: int
    disk_bytes: int
    background_failures: int = 0
    quarantined: int = 0  # of the memories


class Damage(NamedTuple):
    """One thing that `verify` found: the id it belongs to, where that is known, and what is wrong."""

    id: str | None
    what: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify` found after reading every byte; `memories` is how many were checked."""

    ok: bool
    memories: int
    damaged: tuple[Damage, ...]
    bytes: int
