"""A plan: drafts turned into one commit while the writer's lock is held, so that what it found still holds.

Drafts are placed one after the other, each seeing those before it, as if they had been written one by one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hippocore.deferred import Deferred
from hippocore.drafts import Draft
from hippocore.embedders.protocol import DEFAULT_DUPLICATE_THRESHOLD
from hippocore.handle import Handle
from hippocore.identifiers import key_of, new_keys
from hippocore.links import united
from hippocore.merging import merged_record
from hippocore.outdated import is_outdated, outdating_link, outdating_links
from hippocore.records import Record, record_of, superseded, version_of
from hippocore.stores.protocol import State, Vectors, VersionTuple
from hippocore.types import Remembered

if TYPE_CHECKING:
    from hippocore import similar_links
    from hippocore.lifecycle.correcting import Corrector, Finding
else:
    similar_links = Deferred("hippocore.similar_links")

CONTRADICTED: Final = 0.5
"""By what a confidence is multiplied where two memories that contradict each other are both kept."""


class Plan:
    """The versions and changes of one commit. Used under `Handle.writing`, by one thread."""

    def __init__(self, handle: Handle, now: int, corrector: Corrector | None = None) -> None:
        self._handle = handle
        self._now = now
        self._corrector = corrector
        self._records: dict[bytes, Record] = {}  # the newest version of what the plan touched, once it is asked for
        self._versions: list[VersionTuple] = []
        self._vectors: list[Vectors] = []
        self._newest: dict[bytes, int] = {}  # where in _versions an id's newest one is, if it is there
        self._ended: set[bytes] = set()  # memories that it superseded
        self._outdated: set[bytes] = set()  # memories that what it writes seems to outdate
        self._alike: dict[tuple[str, str, int, int], list[bytes]] = {}  # planned ids that may be duplicates

    def place(self, draft: Draft, vector: Vectors, *, merge: bool) -> Remembered:
        """Add a draft to the commit: as a new memory, into one that says the same, or not at all."""
        if draft.id is not None and (same := self._already_there(draft)):
            return same
        in_sight = merge and not draft.places_itself and self._handle.may_read(draft.scope)
        key = self._duplicate(draft, vector) if in_sight and draft.quarantine is None else None
        if key is not None and not (self._corrector is not None and self._is_outdated(key)):
            return self._merge(key, draft, vector)
        if merge and self._corrector is not None and self._handle.may_read(draft.scope):
            return self._corrected(draft, vector, self._corrector)
        return self._add(draft, vector)

    def commit(self) -> None:
        """Write everything in one entry of the log; a plan without anything to write writes nothing."""
        changes = [(key, record.state) for key, record in self._records.items() if key not in self._newest]
        if self._versions or changes:
            self._handle.store.write(self._versions, np.array(self._vectors) if self._vectors else None, changes)

    def _already_there(self, draft: Draft) -> Remembered | None:
        record = self._find(self._key_of(draft.id))
        if record is None or record.expired(self._now):
            return None
        if record.content != draft.content:
            raise ValueError(f"id {draft.id!r} holds another content already: update it, or give another id")
        waits = ", in quarantine" if record.quarantined else ""
        return Remembered(draft.id, "skipped", f"this id holds this content already{waits}")

    def _duplicate(self, draft: Draft, vector: Vectors) -> bytes | None:
        planned = self._planned_duplicate(draft, vector)
        if planned is not None:
            return planned
        place = (draft.scope, draft.kind, draft.text_key, draft.merge_key)
        found = self._handle.store.find_duplicate(*place, vector, self._threshold, draft.trust, self._now)
        return None if found is not None and self._moved(found) else found

    def _moved(self, key: bytes) -> bool:
        """Whether the plan rewrote or ended a memory, so that what the store says about it no longer holds."""
        return key in self._newest or (key in self._records and self._records[key].superseded)

    def _planned_duplicate(self, draft: Draft, vector: Vectors) -> bytes | None:
        alike = self._alike.get((draft.scope, draft.kind, draft.trust, draft.merge_key), ())
        for key in reversed(alike):
            text_key, planned = self._versions[self._newest[key]][7], self._vectors[self._newest[key]]
            record = self._known(key)
            if record.superseded or record.quarantined or record.expired(self._now):
                continue
            if text_key == draft.text_key or _cosine(planned, vector) >= self._threshold:
                return key
        return None

    @property
    def _threshold(self) -> float:
        embedder = self._handle.embedder
        return embedder.duplicate_threshold if embedder is not None else DEFAULT_DUPLICATE_THRESHOLD

    def _is_outdated(self, key: bytes) -> bool:
        """Whether a newer memory says otherwise: what is said again then holds again, and is a memory of its own."""
        return key in self._outdated or is_outdated(self._handle, key, self._now)

    def _merge(self, key: bytes, draft: Draft, vector: Vectors) -> Remembered:
        before = self._known(key)
        handle, confirmed = self._handle, self._is_confirmed(before, draft)
        decay = handle.retention.decay_of(before.kind)
        record, reworded = merged_record(before, draft, self._now, handle.guard, decay, confirmed=confirmed)
        if not reworded:
            self._change(record)
        else:
            same_text = record.content == before.content
            self._write(record, self._vector_of(key) if same_text else vector)
        return Remembered(self._handle.names.id_of(key, record.extra), "merged", "the memory was there already")

    def _is_confirmed(self, before: Record, draft: Draft) -> bool:
        """Whether a source says it that never said it before; the versions of a memory keep their sources."""
        if not draft.source or not before.source or draft.source == before.source:
            return False
        kept = self._handle.store.history(before.key)
        return draft.source not in {kept[i][5] for i in range(len(kept))}

    def _corrected(self, draft: Draft, vector: Vectors, corrector: Corrector) -> Remembered:
        """Add a draft in the place of what it corrects, or beside what it contradicts, as the handle's choice says."""
        choice = self._handle.corrections
        if choice is None or not corrector.takes(draft):
            return self._add(draft, vector)
        found, outdated = corrector.find(draft, vector, self._now, self._planned)
        self._note_outdated(draft, outdated)
        if found is None:
            return self._add(draft, vector)
        if found.contradicts and choice.contradictions == "keep":
            return self._keep_both(draft, vector, found)
        old, less_trusted = found.record, draft.trust < found.record.state.trust
        if less_trusted and self._handle.guard.quarantine == "never":
            return self._add(draft, vector)
        draft.supersedes = old.public_id
        if found.contradicts and choice.contradictions == "ask":
            draft.quarantine = f"it contradicts a memory: {found.correction.reason}"
        begins = self._end(draft, old)
        done = self._add(draft, vector, begins)
        if draft.quarantine is None:
            self._end_too(draft, found.also, begins)
        return done if draft.quarantine is not None else done._replace(reason=found.correction.reason)

    def _note_outdated(self, draft: Draft, records: tuple[Record, ...]) -> None:
        draft.links = united((*draft.links, *(outdating_link(record.public_id) for record in records)))
        self._outdated.update(record.key for record in records)

    def _keep_both(self, draft: Draft, vector: Vectors, found: Finding) -> Remembered:
        floor = self._handle.retention.decay_of(draft.kind).floor
        if draft.trust >= found.record.state.trust:
            self._change(_doubted(found.record, floor))
        done = self._add(draft, vector)
        self._change(_doubted(self._known(self._versions[-1][0]), floor))
        return done._replace(reason=f"it contradicts a memory, and both are kept: {found.correction.reason}")

    def _add(self, draft: Draft, vector: Vectors, begins: int | None = None) -> Remembered:
        now = self._supersede(draft) if begins is None else begins
        key, held = self._placed(draft, now)
        done = stored(draft, draft.id or key.hex())
        if held is not None and not held.expired(self._now):
            return done  # said before, in a scope that its writer cannot read
        if (least := self._handle.link_similar) is not None:
            self._link_to_similar(draft, vector, least)
        version = draft.version(key, now, **({} if draft.id is None else self._handle.names.kept(draft.id)))
        if held is not None:
            began = max(now, held.valid_from)
            version = (*version[:5], began, *version[6:10], held.next_version, *version[11:])
        self._put(key, version, vector)
        return done

    def _link_to_similar(self, draft: Draft, vector: Vectors, least: float) -> None:
        """Add the links that the handle was asked to make; what its writer cannot read is linked to nothing."""
        if self._handle.may_read(draft.scope):
            found = similar_links.similar_links(self._handle, draft.scope, vector, self._now, least, self._ended)
            draft.links = united((*draft.links, *found))

    def _placed(self, draft: Draft, now: int) -> tuple[bytes, Record | None]:
        """Return a new memory's key and what holds it: an expired one, or this very one out of its writer's sight."""
        if draft.id is None:
            return new_keys(1, now)[0], None
        names = self._handle.names
        if not self._handle.may_read(draft.scope):
            return self._unseen(names.key_unseen(draft.scope, draft.id, draft.content))
        key = names.key_for(draft.id)
        held = self._find(key)
        if held is not None and held.scope != draft.scope:
            raise ValueError(
                f"id {draft.id!r} has expired in the scope {held.scope!r}, and an id never changes its scope: "
                "forget it first, or give another id"
            )
        return key, held

    def _unseen(self, key: bytes) -> tuple[bytes, Record | None]:
        if (planned := self._planned(key)) is not None:
            return key, planned
        row = self._handle.names.hidden_row(key)
        return key, None if row is None else record_of(row)

    def _supersede(self, draft: Draft) -> int:
        """End the memory that the draft supersedes, if any; return the moment at which the draft begins."""
        if draft.supersedes is None:
            return self._now
        if draft.supersedes == draft.id:
            raise ValueError(f"{draft.id!r} cannot supersede itself: update it")
        key = self._key_of(draft.supersedes)
        ended = self._planned(key) or self._handle.record(key, draft.supersedes, self._now)
        if ended.superseded:
            raise ValueError(f"the memory {draft.supersedes!r} was superseded before: supersede the one that holds now")
        self._handle.require_write(ended.scope)
        if key != key_of(draft.supersedes):
            draft.supersedes = key.hex()  # what its agent calls it may lead others elsewhere
        return self._end(draft, ended)

    def _end(self, draft: Draft, ended: Record) -> int:
        """End a memory that a draft takes the place of, unless that has to wait; return when the draft begins."""
        if draft.scope == ended.scope:
            draft.links = united((*draft.links, *outdating_links(ended.extra.links)))
        if draft.trust < ended.state.trust and draft.quarantine is None:
            draft.quarantine = self._less_trusted(draft)
        if draft.quarantine is not None:  # it ends nothing before a person has released it
            return self._now
        begins = max(self._now, ended.valid_from)
        self._change(superseded(ended, begins))
        self._ended.add(ended.key)
        return begins

    def _end_too(self, draft: Draft, also: tuple[Record, ...], begins: int) -> None:
        """End what says in other words what a draft ended; what is trusted more than the draft stays."""
        for record in also:
            if draft.trust >= record.state.trust:
                self._change(superseded(record, max(begins, record.valid_from)))
                self._ended.add(record.key)

    def _less_trusted(self, draft: Draft) -> str:
        if self._handle.guard.quarantine == "never":
            raise ValueError("the memory that supersedes= names is trusted more than what is to take its place")
        return "it would supersede a memory that is trusted more"

    def _key_of(self, identifier: Any) -> bytes:
        return self._handle.names.key_of(identifier, self._holds)

    def _holds(self, key: bytes) -> bool:
        """Whether there is a memory that may be read, in the store or in this plan."""
        if (planned := self._planned(key)) is not None:
            return self._handle.may_read(planned.scope)
        return self._handle.store.contains(key)

    def _find(self, key: bytes) -> Record | None:
        if (planned := self._planned(key)) is not None:
            return planned
        return record_of(self._handle.store.get([key])[0]) if self._handle.store.contains(key) else None

    def _known(self, key: bytes) -> Record:
        return self._planned(key) or record_of(self._handle.store.get([key])[0])

    def _planned(self, key: bytes) -> Record | None:
        """Return the newest version of what the plan touched, None for everything else."""
        if key not in self._records and (written := self._newest.get(key)) is not None:
            self._records[key] = record_of(_row(self._versions[written]))
        return self._records.get(key)

    def _vector_of(self, key: bytes) -> Vectors:
        planned = self._newest.get(key)
        return self._vectors[planned] if planned is not None else self._handle.store.get_vectors([key])[0]

    def _change(self, record: Record) -> None:
        """Change the state of a memory's newest version, where that is: in the store or in this plan."""
        self._records[record.key] = record
        if (planned := self._newest.get(record.key)) is not None:
            self._versions[planned] = _with_state(self._versions[planned], record.state)

    def _write(self, record: Record, vector: Vectors) -> None:
        record.tokens = self._handle.count_stored(record.content)
        self._put(record.key, version_of(record), vector)

    def _put(self, key: bytes, version: VersionTuple, vector: Vectors) -> None:
        self._records.pop(key, None)
        self._newest[key] = len(self._versions)
        self._versions.append(version)
        self._vectors.append(vector)
        if self._corrector is not None:
            self._corrector.planned(key, version[1], version[2], vector)
        _, scope, kind, _, _, _, _, _, merge_key, _, _, state, *_ = version
        self._alike.setdefault((scope, kind, state[5], merge_key), []).append(key)


def stored(draft: Draft, identifier: str) -> Remembered:
    """Return what became of a draft that was written as a memory of its own."""
    if draft.quarantine is not None:
        return Remembered(identifier, "quarantined", draft.quarantine)
    return Remembered(identifier, "superseded" if draft.supersedes else "stored")


def _doubted(record: Record, floor: float) -> Record:
    confidence = record.state.confidence
    halved = min(confidence, max(floor, confidence * CONTRADICTED))  # one below the floor stays as it is
    return replace(record, state=record.state._replace(confidence=halved))


def _row(version: VersionTuple) -> Any:
    key, scope, kind, source, created_at, valid_from, event_time, _, _, tokens, number, state, content, extra, _, _ = (
        version
    )
    return key, content, extra, scope, kind, source, created_at, valid_from, event_time, tokens, number, state


def _with_state(version: VersionTuple, state: State) -> VersionTuple:
    return (*version[:11], state, *version[12:])


def _cosine(a: Vectors, b: Vectors) -> float:
    x, y = a.astype(np.float64), b.astype(np.float64)
    lengths = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / lengths if lengths else 0.0
