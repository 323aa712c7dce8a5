"""What becomes of a memory when the same is said again."""

from __future__ import annotations

from dataclasses import replace

from hippocore.drafts import Draft
from hippocore.extra import Extra
from hippocore.guard import Guard
from hippocore.links import united
from hippocore.records import Record
from hippocore.retention import CONFIRMATION, Decay
from hippocore.stores.protocol import UNSET


def merged_record(
    before: Record, draft: Draft, now: int, guard: Guard, decay: Decay, *, confirmed: bool
) -> tuple[Record, bool]:
    """Return the memory after the draft merged into it, and whether that takes a new version.

    The newer wording, source and event time win; tags and links are united (of
    equal links the stronger stays), metadata is updated. The larger importance
    (within the guard's cap) and the later expiry stay, and the use counts. Without anything new but that, only the
    state changes. A new version begins with the confidence that time has left, and what a confirmation adds.
    """
    used = before.state.used(now)._replace(
        importance=guard.capped(max(before.state.importance, draft.importance), draft.trust),
        expires_at=max(before.state.expires_at, draft.expires_at),
    )
    said = replace(
        before,
        content=draft.content,
        extra=_united(before.extra, draft),
        source=draft.source or before.source,
        event_time=draft.event_time if draft.event_time != UNSET else before.event_time,
    )
    if said == before:
        return replace(before, state=used), False
    began = max(now, before.valid_from)
    left = decay.confidence_after(before.state.confidence, (began - before.valid_from) / 1e6)
    used = used._replace(confidence=min(1.0, left + CONFIRMATION) if confirmed else left)
    return replace(said, state=used, version=before.next_version, valid_from=began), True


def _united(extra: Extra, draft: Draft) -> Extra:
    return extra._replace(
        tags=tuple(dict.fromkeys((*extra.tags, *draft.tags))),
        metadata={**extra.metadata, **draft.metadata},
        links=united((*extra.links, *draft.links)),
    )
