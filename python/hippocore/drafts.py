"""Drafts: what a caller asked to remember, checked, guarded, and not yet in the store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from hippocore.arguments import checked_content, checked_fraction, checked_text, checked_texts
from hippocore.errors import SecretRefused
from hippocore.extra import pack_extra
from hippocore.facets import facets_of
from hippocore.guard import Guard
from hippocore.links import Link, Links, checked_links, texts_of
from hippocore.metadata import checked_metadata
from hippocore.scopes import Scope, scope_text
from hippocore.stores.protocol import NEVER, QUARANTINED, TRUST, UNSET, WRITTEN, VersionTuple
from hippocore.times import Moment, microseconds

KINDS: Final = frozenset({"episode", "fact", "preference", "procedure", "summary", "insight"})
_NO_EXTRA: Final = pack_extra()


class Draft:
    """A memory to be: remember's arguments in the store's terms. Times are microseconds, trust is its number.

    The keys, the terms and the count of tokens are made from the content that the guard lets through, before it is
    written. `quarantine` is why it has to wait for a person, None where it takes part at once.
    """

    __slots__ = (
        "content",
        "embedding",
        "event_time",
        "expires_at",
        "id",
        "importance",
        "kind",
        "links",
        "merge_key",
        "metadata",
        "quarantine",
        "scope",
        "source",
        "supersedes",
        "tags",
        "terms",
        "text_key",
        "tokens",
        "trust",
    )
    text_key: int
    merge_key: int
    terms: bytes
    tokens: int

    def __init__(
        self,
        content: str,
        *,
        scope: Scope = "default",
        kind: str = "episode",
        importance: float = 0.5,
        source: str | None = None,
        tags: Iterable[str] | None = (),
        trust: str = "trusted",
        event_time: Moment | None = None,
        expires_at: Moment | None = None,
        metadata: Mapping[str, Any] | None = None,
        links: Links | None = (),
        supersedes: str | None = None,
        id: str | None = None,
        embedding: Any = None,
    ) -> None:
        self.content = checked_content(content)
        self.scope = scope_text(scope)
        self.kind = checked_kind(kind)
        self.importance = checked_fraction(importance, "importance")
        self.trust = checked_trust(trust)
        self.source = checked_source(source) if source is not None else ""
        self.tags = tuple(checked_texts(tags, "tags")) if tags is not None and tags != () else ()
        self.links: tuple[Link, ...] = checked_links(links) if links is not None and links != () else ()
        self.metadata = checked_metadata(metadata) if metadata is not None else {}
        self.event_time = microseconds(event_time, "event_time") if event_time is not None else UNSET
        self.expires_at = microseconds(expires_at, "expires_at") if expires_at is not None else NEVER
        self.supersedes = checked_text(supersedes, "supersedes") if supersedes is not None else None
        self.id = checked_text(id, "id") if id is not None else None
        self.embedding = embedding
        self.quarantine: str | None = None

    @property
    def places_itself(self) -> bool:
        """Whether the caller named an id, its own or one to supersede, so that the store must be asked first."""
        return self.id is not None or self.supersedes is not None

    def version(self, key: bytes, now: int, kept_id: str | None = None, name: str | None = None) -> VersionTuple:
        """Return the first version of a new memory, as the store takes it."""
        plain = not (self.tags or self.metadata or self.links or self.supersedes or kept_id or name)
        flags = WRITTEN if self.quarantine is None else WRITTEN | QUARANTINED
        said = (self.tags, self.metadata, self.links, self.supersedes, kept_id, name)
        extra = _NO_EXTRA if plain else pack_extra(*said)
        return (
            key,
            self.scope,
            self.kind,
            self.source,
            now,
            now,
            self.event_time,
            self.text_key,
            self.merge_key,
            self.tokens,
            1,
            (self.importance, 1.0, 1.0, 0, flags, self.trust, now, self.expires_at, NEVER, UNSET),
            self.content,
            extra,
            () if plain else facets_of(self.tags, self.metadata, self.links),
            self.terms,
        )


def refusal(draft: Draft, guard: Guard) -> str | None:
    """Apply the guard: return why nothing of the draft may be stored, or None after what it redacts and caps.

    Says in the draft whether it has to wait. Raises SecretRefused where the guard was asked to raise.
    """
    if draft.importance < guard.min_importance:
        return f"its importance is below the guard's {guard.min_importance:g}"
    draft.importance = guard.capped(draft.importance, draft.trust)
    screened = guard.screen(draft.content)
    draft.content = screened.content
    reason = screened.reason if screened.refused else _names_refused(draft, guard)
    if draft.metadata or draft.tags or draft.source:
        reason = reason or _screen_surroundings(draft, guard)
    if reason and guard.on_refused == "raise":
        raise SecretRefused(f"nothing was stored: the memory {reason}")
    said = (draft.content, draft.kind, draft.source, draft.tags, draft.metadata)
    draft.quarantine = guard.reason_to_wait(draft.trust, said)
    return reason


def checked_kind(kind: Any) -> str:
    """Return a kind: any non-empty string."""
    return kind if type(kind) is str and kind in KINDS else checked_text(kind, "kind")


def checked_source(source: Any) -> str:
    """Return a source as the store keeps it."""
    return checked_text(source, "source")


def checked_trust(trust: Any) -> int:
    """Return the number of a trust: "untrusted", "unverified" or "trusted"."""
    try:
        return TRUST[trust]
    except (KeyError, TypeError):
        raise ValueError(f"trust must be one of {', '.join(map(repr, TRUST))}") from None


def _names_refused(draft: Draft, guard: Guard) -> str | None:
    links = draft.links and texts_of(draft.links)
    return guard.refusal_of_names(
        scope=draft.scope, kind=draft.kind, id=draft.id, links=links, supersedes=draft.supersedes
    )


def _screen_surroundings(draft: Draft, guard: Guard) -> str | None:
    around = {"metadata": draft.metadata, "tags": list(draft.tags), "source": draft.source}
    screened = guard.screen_all(around)
    if screened.refused:
        return screened.reason
    draft.metadata = screened.content["metadata"]
    draft.tags = tuple(screened.content["tags"])
    draft.source = screened.content["source"]
    return None
