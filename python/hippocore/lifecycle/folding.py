"""Folding: one memory is written for several, and these are put aside, in one entry of the log.

So a crash leaves all of it or nothing, and no reader ever sees both or neither. What a model or an embedder takes long
for is done before; under the writer's lock the members are looked at again, and where one of them changed meanwhile,
nothing is written. The id is made of the members' ids and versions: who folds the same ones again finds it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from hippocore.drafts import Draft, refusal
from hippocore.embedders.protocol import DEFAULT_DUPLICATE_THRESHOLD
from hippocore.errors import MemoryNotFound, SecretRefused
from hippocore.facets import pair_facets
from hippocore.handle import Handle
from hippocore.identifiers import key_of
from hippocore.lexical_terms import document_terms
from hippocore.lifecycle.compression import Left, Made
from hippocore.lifecycle.gathering import happened_at
from hippocore.lifecycle.wording import Worded
from hippocore.merging import merged_record
from hippocore.ranking import Ranking
from hippocore.records import Record, record_of, version_of
from hippocore.stores.protocol import ARCHIVED, LARGEST_COUNT, NEVER, QUARANTINED, SUPERSEDED, TRUST_NAMES, State
from hippocore.terms import merge_keys
from hippocore.times import as_datetime

MOST_LINKS: Final = 256
"""The most members that a memory links to: where more came together, the newest."""
_MADE_OF: Final = ("member", "evidence")  # types of links to what was put aside, and to what was not
_MOST_TAGS: Final = 64
_MOST_SOURCES: Final = 64
_ALIKE: Final = 8  # of what was made before, of whatever trust
_LARGEST_SUM: Final = 1 << 53
_OUT: Final = SUPERSEDED | ARCHIVED | QUARANTINED


class Fold(NamedTuple):
    """What is to be made: a memory of a kind, what it says, of which memories in order of time, and what of these.

    `verb` and `level` stand in its metadata; `archive`: the members are put aside. `near`: what the verb made before is
    added to where it is as like as that, so that it does not matter how often it is called. Its repr shows no content.
    """

    verb: str
    kind: str
    worded: Worded
    members: Sequence[Record]
    reason: str
    level: int = 1
    archive: bool = True
    near: float | None = None

    def __repr__(self) -> str:
        return f"Fold(verb={self.verb!r}, kind={self.kind!r}, members={len(self.members)})"


def public_ids(handle: Handle, members: Iterable[Record]) -> tuple[str, ...]:
    """Return the ids under which memories are shown to whom the handle is for."""
    return tuple(handle.names.id_of(member.key, member.extra) for member in members)


def write(handle: Handle, fold: Fold) -> Made | Left:
    """Write what is to be made and put its members aside, all or nothing; returns why not where nothing was written.

    It has the largest importance of its members, the least trust, all their tags, the metadata that they agree in, the
    time of the first; its metadata says what made it, how many they are, from when until when, of which sources. Where
    a live memory of the scope says the same already, or is `near` and was made so too, it is merged into that one.
    """
    ids = public_ids(handle, fold.members)
    with handle.writing() as now:
        members = _as_they_are(handle, fold.members, now)
        if members is None:
            return Left(ids, "one of them was changed, put aside or forgotten meanwhile")
        draft = _draft(handle, fold, members)
        if (reason := _reason_against(handle, draft)) is not None:
            return Left(ids, f"what they would become {reason}")
        key = key_for(fold.verb, members)
        changes = [(member.key, _archived(member.state, now)) for member in members] if fold.archive else []
        if handle.store.contains(key):  # made before, of these very memories
            if changes:
                handle.store.write([], None, changes)
        else:
            key = _write_new(handle, fold, draft, key, members, changes, now)
        shown = handle.memory(handle.store.get([key])[0]).id
    return Made(shown, fold.kind, ids, fold.archive, f"{fold.reason}; {fold.worded.whose}")


def key_for(verb: str, members: Sequence[Record]) -> bytes:
    """Return the id of what a verb makes of these versions of these memories, in whatever order."""
    from hashlib import blake2b

    said = sorted(member.key + member.version.to_bytes(4, "little") for member in members)
    return blake2b(verb.encode() + b"\0" + b"".join(said), digest_size=16, person=b"hippocore folded").digest()


def _as_they_are(handle: Handle, members: Sequence[Record], now: int) -> list[Record] | None:
    """Return the members as they are now; None where one is gone, takes no part any more or says something else."""
    try:
        rows = handle.store.get([member.key for member in members])
    except MemoryNotFound:
        return None
    found = [record_of(rows[i]) for i in range(len(rows))]
    same = all(
        new.version == old.version and new.scope == old.scope and not new.state.flags & _OUT and not new.expired(now)
        for new, old in zip(found, members, strict=True)
    )
    return found if same else None


def _draft(handle: Handle, fold: Fold, members: Sequence[Record]) -> Draft:
    states = [member.state for member in members]
    sources = list(dict.fromkeys(member.source for member in members if member.source))
    ends = max(state.expires_at for state in states)
    draft = Draft(
        fold.worded.content,
        scope=members[0].scope,
        kind=fold.kind,
        importance=max(state.importance for state in states),
        source=sources[0] if len(sources) == 1 else None,
        tags=list(dict.fromkeys(tag for member in members for tag in member.extra.tags))[:_MOST_TAGS],
        trust=TRUST_NAMES[min(state.trust for state in states)],
        event_time=as_datetime(min(map(happened_at, members))),
        expires_at=None if ends == NEVER else as_datetime(ends),
        metadata={**_agreed(members), **_origin(fold, members, sources)},
        links=[_link(handle, member, fold) for member in members[-MOST_LINKS:]],
    )
    draft.text_key, draft.merge_key = merge_keys(draft.scope, draft.kind, draft.content)
    return draft


def _origin(fold: Fold, members: Sequence[Record], sources: list[str]) -> dict[str, Any]:
    """Return what a filter may ask for, and one value for the rest, since each value is a facet."""
    times = [as_datetime(happened_at(member)).isoformat() for member in members]
    of = {"members": len(members), "from": min(times), "until": max(times), "sources": sources[-_MOST_SOURCES:]}
    return {"made_by": fold.verb, "level": fold.level, "of": of}


def _agreed(members: Sequence[Record]) -> dict[str, Any]:
    """Return the metadata that all members have alike, so that a filter by it finds what they became."""
    first = members[0].extra.metadata
    return {
        name: value
        for name, value in first.items()
        if all(name in other.extra.metadata and other.extra.metadata[name] == value for other in members[1:])
    }


def _link(handle: Handle, member: Record, fold: Fold) -> dict[str, Any]:
    """Return a link that leads to a member for whoever may read it; an agent's own names lead nobody else."""
    identifier = member.public_id if handle.names.all_as_kept else member.key.hex()
    return {"id": identifier, "type": _MADE_OF[0] if fold.archive else _MADE_OF[1]}


def _reason_against(handle: Handle, draft: Draft) -> str | None:
    """Return why the guard lets nobody see what the draft says, so that its members have to stay."""
    try:
        reason = refusal(draft, handle.guard)
    except SecretRefused:
        reason = "holds a secret"
    if reason is None and draft.quarantine is not None:
        reason = f"would wait in quarantine: {draft.quarantine}"
    return reason


def _archived(state: State, now: int) -> State:
    return state._replace(flags=state.flags | ARCHIVED, archived_at=now)


def _write_new(
    handle: Handle,
    fold: Fold,
    draft: Draft,
    key: bytes,
    members: Sequence[Record],
    changes: list[tuple[bytes, State]],
    now: int,
) -> bytes:
    """Write the draft as a memory of that key, or into the one that says the same; returns where it is."""
    vector = fold.worded.vector
    if draft.content != fold.worded.content and handle.embedder is not None:  # the guard redacted it
        vector = handle.embed([draft.content])[0]
    before = _says_the_same(handle, draft, vector, members, now) or _made_before(handle, fold, draft, vector, now)
    if before is not None:
        version = version_of(_merged(handle, before, draft, now))
    else:
        draft.text_key, draft.merge_key = merge_keys(draft.scope, draft.kind, draft.content)
        draft.terms, draft.tokens = document_terms(draft.content), handle.count_stored(draft.content)
        made = draft.version(key, now)
        version = (*made[:11], _state(State(*made[11]), members), *made[12:]) if fold.archive else made
    handle.store.write([version], vector[np.newaxis], changes)
    return version[0]


def _state(state: State, members: Sequence[Record]) -> State:
    """Return the state of what is made: as sure as its members and used as often, and not as if it were used now."""
    states = [member.state for member in members]
    return state._replace(
        confidence=max(one.confidence for one in states),
        use_count=min(sum(one.use_count for one in states), LARGEST_COUNT),
        last_used=max(one.last_used for one in states),
    )


def _says_the_same(handle: Handle, draft: Draft, vector: Any, members: Sequence[Record], now: int) -> Record | None:
    threshold = DEFAULT_DUPLICATE_THRESHOLD if handle.embedder is None else handle.embedder.duplicate_threshold
    place = (draft.scope, draft.kind, draft.text_key, draft.merge_key)
    key = handle.store.find_duplicate(*place, vector, threshold, draft.trust, now)
    if key is None or any(member.key == key for member in members):
        return None
    return record_of(handle.store.get([key])[0])


def _made_before(handle: Handle, fold: Fold, draft: Draft, vector: Any, now: int) -> Record | None:
    """Return the nearest memory that the same verb made of such memories, of the scope and trust; None for none."""
    if fold.near is None:
        return None
    facets = pair_facets({"made_by": fold.verb, "level": fold.level})
    asked = handle.store.new_filter(now=now, scopes=[draft.scope], kinds=[draft.kind], all_facets=facets)
    weights = Ranking(relevance=1, recency=0, importance=0, usage=0).compiled(handle.store.new_weights)
    hits = handle.store.recall(vector, asked, weights, _ALIKE, fold.near)
    found = (record_of(hits[i]) for i in range(len(hits)))
    return next((one for one in found if one.state.trust == draft.trust), None)


def _merged(handle: Handle, before: Record, draft: Draft, now: int) -> Record:
    """Return a memory with what is folded into it: of both its members, and what is known of them.

    Links to members that are forgotten lead nowhere and go, so that a version does not grow with all there ever were.
    """
    was, is_now = before.extra.metadata.get("of"), draft.metadata["of"]
    if isinstance(was, dict):
        for name, joined in _JOINED.items():
            if type(was.get(name)) is type(is_now[name]):  # a caller may have changed it
                is_now[name] = joined((was[name], is_now[name]))
    decay = handle.retention.decay_of(before.kind)
    record, _ = merged_record(before, draft, now, handle.guard, decay, confirmed=False)
    links = [link for link in record.extra.links if link.type not in _MADE_OF or handle.store.contains(key_of(link))]
    happened = min(happened_at(before), draft.event_time)
    return replace(
        record,
        extra=record.extra._replace(links=tuple(links[-MOST_LINKS:])),
        event_time=happened,
        tokens=handle.count_stored(record.content),
    )


_JOINED: Final[dict[str, Callable[[Any], Any]]] = {
    "members": lambda both: min(sum(both), _LARGEST_SUM),
    "from": min,
    "until": max,
    "sources": lambda both: list(dict.fromkeys(map(str, [*both[0], *both[1]])))[-_MOST_SOURCES:],
}
