"""Changing what is there: update and feedback."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NamedTuple

from hippocore.arguments import UNCHANGED, checked_content, checked_flag, checked_fraction, checked_texts
from hippocore.drafts import checked_kind, checked_source, checked_trust
from hippocore.errors import SecretRefused
from hippocore.guard import Guard
from hippocore.handle import Handle
from hippocore.links import checked_links, texts_of
from hippocore.metadata import checked_metadata
from hippocore.records import Record, record_of, version_of
from hippocore.stores.protocol import NEVER, QUARANTINED, UNSET, State, Vectors
from hippocore.times import microseconds
from hippocore.types import Memory
from hippocore.vectors import checked_vector

FEEDBACK_STEP: Final = 0.05
_IN_STATE: Final = ("importance", "trust", "expires_at")
_IN_EXTRA: Final = ("tags", "metadata", "links")


class Changes(NamedTuple):
    """What update may change; UNCHANGED where an argument was not named. Its repr shows none of it."""

    content: Any
    embedding: Any
    importance: Any
    kind: Any
    tags: Any
    source: Any
    trust: Any
    metadata: Any
    links: Any
    event_time: Any
    expires_at: Any

    def __repr__(self) -> str:
        return f"Changes({', '.join(name for name, value in self._asdict().items() if value is not UNCHANGED)})"

    def checked(self) -> dict[str, Any]:
        """Return what was named, in the store's terms."""
        return {name: _CHECKS[name](value) for name, value in self._asdict().items() if value is not UNCHANGED}


def update(handle: Handle, identifier: str, named: Changes) -> Memory:
    """Change what is named; importance, trust and expiry in place, everything else as a new version."""
    changes = _screened(named.checked(), handle.guard)
    key = handle.names.key_of(identifier)
    vector = _new_vector(handle, key, identifier, changes)
    with handle.writing() as now:
        before = handle.record(key, identifier, now)
        handle.require_write(before.scope)
        if before.superseded:
            raise ValueError(f"the memory {identifier!r} was superseded: update the one that took its place")
        _commit(handle, before, _changed(before, changes, handle.guard), vector, now)
        return handle.memory(handle.store.get([key])[0])


def feedback(handle: Handle, identifiers: Any, useful: bool) -> None:
    """Move the importance of each memory a step towards 1 or 0; a useful one was used."""
    checked_flag(useful, "useful")
    with handle.writing() as now:
        keys = handle.existing_keys(identifiers)
        states = [record_of(handle.store.get([key])[0]).state for key in keys]
        judged = [(key, _judged(state, useful, now, handle.guard)) for key, state in zip(keys, states, strict=True)]
        if judged:
            handle.store.write([], None, judged)


def _judged(state: State, useful: bool, now: int, guard: Guard) -> State:
    step = FEEDBACK_STEP if useful else -FEEDBACK_STEP
    importance = guard.capped(min(1.0, max(0.0, state.importance + step)), state.trust)
    if not useful:
        return state._replace(importance=importance)
    return state.used(now)._replace(importance=importance)


_CHECKS: Final[dict[str, Any]] = {
    "content": checked_content,
    "embedding": lambda value: value,
    "importance": lambda value: checked_fraction(value, "importance"),
    "kind": checked_kind,
    "tags": lambda value: () if value is None else tuple(checked_texts(value, "tags")),
    "source": lambda value: "" if value is None else checked_source(value),
    "trust": checked_trust,
    "metadata": checked_metadata,
    "links": lambda value: () if value is None else checked_links(value),
    "event_time": lambda value: UNSET if value is None else microseconds(value, "event_time"),
    "expires_at": lambda value: NEVER if value is None else microseconds(value, "expires_at"),
}


def _screened(changes: dict[str, Any], guard: Guard) -> dict[str, Any]:
    """Apply the guard to what is new; it raises here even where remembering skips, since nothing else could tell."""
    texts = {name: changes[name] for name in ("content", "tags", "source", "metadata") if name in changes}
    screened = guard.screen_all(texts)
    names = guard.refusal_of_names(kind=changes.get("kind"), links=texts_of(changes.get("links", ())))
    if screened.refused or names:
        raise SecretRefused(f"nothing was changed: the update {screened.reason if screened.refused else names}")
    clean = dict(screened.content)
    if "tags" in clean:
        clean["tags"] = tuple(clean["tags"])
    return {**changes, **clean}


def _new_vector(handle: Handle, key: bytes, identifier: str, changes: dict[str, Any]) -> Vectors | None:
    """Return the vector (1, dimension) of the change, made before the lock; None where the old one stays."""
    given = changes.pop("embedding", None)
    if given is not None:
        return checked_vector(given, handle.store.dim).reshape(1, -1)
    if "content" not in changes or handle.record(key, identifier, handle.now()).content == changes["content"]:
        return None
    return handle.embed([changes["content"]])


def _changed(before: Record, changes: dict[str, Any], guard: Guard) -> Record:
    """Return the record with every change in it; nothing else differs from what was before."""
    columns = {name: value for name, value in changes.items() if name not in (*_IN_STATE, *_IN_EXTRA)}
    extra = before.extra._replace(**{name: changes[name] for name in _IN_EXTRA if name in changes})
    state = before.state._replace(**{name: changes[name] for name in _IN_STATE if name in changes})
    state = state._replace(importance=guard.capped(state.importance, state.trust))
    after = replace(before, extra=extra, state=state, **columns)
    if _has_to_wait(before, after, guard):
        after.state = state._replace(flags=state.flags | QUARANTINED)
    return after


def _has_to_wait(before: Record, after: Record, guard: Guard) -> bool:
    """Tell whether a change puts the memory in quarantine: what it says anew is judged, and all of it with less trust.

    What a person released is not judged again for what it said then.
    """
    lowered = after.state.trust < before.state.trust
    said = zip(_said(before), _said(after), strict=True)
    news = [new for old, new in said if lowered or new != old]
    return bool(news) and guard.reason_to_wait(after.state.trust, news) is not None


def _said(record: Record) -> tuple[Any, ...]:
    return record.content, record.kind, record.source, record.extra.tags, record.extra.metadata


def _commit(handle: Handle, before: Record, after: Record, vector: Vectors | None, now: int) -> None:
    if vector is None and after == replace(before, state=after.state):
        if after.state != before.state:
            handle.store.write([], None, [(after.key, after.state)])
        return
    if vector is None:
        vector = _vector_for(handle, before, after)
    after.version, after.valid_from = before.next_version, max(now, before.valid_from)
    after.tokens = handle.count_stored(after.content)
    handle.store.write([version_of(after)], vector)


def _vector_for(handle: Handle, before: Record, after: Record) -> Vectors:
    """Return the vector of an unchanged content, or one for a content that another writer changed meanwhile."""
    if after.content != before.content:
        return handle.embed([after.content])
    return handle.store.get_vectors([before.key])
