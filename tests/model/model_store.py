"""A store in plain Python over a list: the same protocol as the native one, simple enough to be obviously right.

It is the oracle: whatever the native store answers must be what this one answers. Double precision, no files, no
threads of its own. A version is one `Slot`; a memory is the slots with its id, oldest first.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np

from hippocore.errors import (
    DimensionMismatch,
    EmbedderMismatch,
    InvalidVector,
    MemoryNotFound,
    ReadOnlyStore,
    StoreClosed,
)
from hippocore.stores.protocol import ARCHIVED, QUARANTINED, SUPERSEDED, UNSET, State

COLUMN_TYPES = {
    "created_at": np.int64, "valid_from": np.int64, "event_time": np.int64, "tokens": np.uint32,
    "last_used": np.int64, "expires_at": np.int64, "valid_until": np.int64, "archived_at": np.int64,
    "importance": np.float64, "confidence": np.float32, "stability": np.float32, "use_count": np.uint32,
    "flags": np.uint8,
}  # fmt: skip


@dataclass
class Slot:
    id: bytes
    scope: str
    kind: str
    source: str
    created_at: int
    valid_from: int
    event_time: int
    text_key: int
    merge_key: int
    tokens: int
    version: int
    state: State
    content: str
    extra: bytes
    facets: list[bytes]
    terms: bytes
    vector: np.ndarray

    def row(self):
        moments = (self.created_at, self.valid_from, self.event_time)
        place = (self.scope, self.kind, self.source)
        return (self.id, self.content, self.extra, *place, *moments, self.tokens, self.version, tuple(self.state))

    @property
    def time(self):
        return self.created_at if self.event_time == UNSET else self.event_time


class ModelRows:
    def __init__(self, slots, signals=()):
        self._rows = [slot.row() for slot in slots]
        self._vectors = [slot.vector for slot in slots]
        self._signals = list(signals)
        self.eligible = self.scored_exactly = 0
        self.confidence = None

    def __len__(self):
        return len(self._rows)

    def __getitem__(self, index):
        return self._rows[index]

    def tokens(self):
        return np.array([row[9] for row in self._rows], np.uint32)

    def vectors(self):
        return np.array(self._vectors, np.float32)

    def signals(self, index):
        return self._signals[index]

    def scores(self):
        return np.array([signals[0] for signals in self._signals], np.float64)


def new_filter(*, now, **asked):
    defaults = {
        "scopes": None, "subtree": False, "kinds": None, "source": None, "any_facets": None, "all_facets": (),
        "any_links": None, "ids": None, "since": None, "until": None, "as_of": None, "ended_by": None, "min_trust": 0,
        "archived": False, "quarantined": False, "expired": False, "superseded": False,
    }  # fmt: skip
    assert asked.keys() <= defaults.keys()
    if asked.get("ids") is not None:
        asked["ids"] = list(map(bytes, asked["ids"]))
    return SimpleNamespace(now=now, **{**defaults, **asked})


def new_weights(
    relevance, recency, importance, usage, usage_saturation, half_lives, default_half_life, recency_of, **of_words
):
    return SimpleNamespace(**locals())


def in_scope(scope, asked, subtree):
    return any(scope == one or (subtree and scope.startswith(one + "/")) for one in asked)


def matches(slot, asked):
    """Whether the version takes part, its liveness in time apart."""
    aside = is_archived(slot.state, asked.as_of), bool(slot.state.flags & QUARANTINED)
    return (
        (asked.scopes is None or in_scope(slot.scope, asked.scopes, asked.subtree))
        and (asked.kinds is None or slot.kind in asked.kinds)
        and (asked.source is None or slot.source == asked.source)
        and (asked.any_facets is None or any(facet in slot.facets for facet in asked.any_facets))
        and all(facet in slot.facets for facet in asked.all_facets)
        and (asked.any_links is None or any(facet in slot.facets for facet in asked.any_links))
        and (asked.ids is None or slot.id in asked.ids)
        and (asked.since is None or slot.time >= asked.since)
        and (asked.until is None or slot.time < asked.until)
        and slot.state.trust >= asked.min_trust
        and (asked.ended_by is not None or aside == (asked.archived, asked.quarantined))
    )


def is_archived(state, as_of):
    return bool(state.flags & ARCHIVED) and (as_of is None or state.archived_at <= as_of)


def alive(slot, asked):
    moment = asked.now if asked.as_of is None else asked.as_of
    if slot.state.expires_at <= moment and not asked.expired:
        return False
    if asked.as_of is None:
        return not slot.state.flags & SUPERSEDED
    return slot.valid_from <= moment < slot.state.valid_until


def cosine(a, b):
    if a is None or not a.any() or not b.any():
        return 0.0
    a, b = np.float64(a) / np.abs(a).max(), np.float64(b) / np.abs(b).max()
    return float(np.clip(a @ b / math.sqrt((a @ a) * (b @ b)), -1.0, 1.0))


def signals_of(slot, vector, weights, now, as_of):
    """The signals of a version at a moment, asked by vector: those of `protocol.Hits`.

    Of the uses after the moment only the last is known: it does not count, and the age goes back to the creation.
    """
    state = slot.state
    used_later = as_of and state.use_count > 0 and state.last_used > now
    uses = state.use_count - used_later
    last_used = slot.created_at if used_later else state.last_used
    since = {"created": slot.created_at, "event": slot.time, "last_used": last_used}
    age = max(0, now - since[weights.recency_of]) / 1e6
    recency = 0.5 ** (age / weights.half_lives.get(slot.kind, weights.default_half_life))
    usage = min(1.0, math.log1p(uses) / math.log1p(weights.usage_saturation))
    similarity = cosine(vector, slot.vector)
    signals = (max(0.0, similarity), recency, state.importance, usage)
    given = (weights.relevance, weights.recency, weights.importance, weights.usage)
    return (sum(w * s for w, s in zip(given, signals, strict=True)), *signals, similarity, 0.0, "")


class ModelStore:
    """Every handle of one `ModelStore` is `handle()` of it; they share the slots."""

    new_filter = staticmethod(new_filter)
    new_weights = staticmethod(new_weights)
    path, tokenizer, store_id, discarded_bytes = "model", "estimate", bytes(16), 0

    def __init__(self, dim, embedder="vectors", *, read_only=False, shared=None):
        self.dim, self.embedder, self.read_only = dim, embedder, read_only
        self._shared = shared or SimpleNamespace(slots=[], forgotten=0, entries=0, lock=threading.RLock())
        self._closed = False

    def handle(self):
        return ModelStore(self.dim, self.embedder, shared=self._shared)

    @property
    def _slots(self):
        if self._closed:
            raise StoreClosed("the store is closed")
        return self._shared.slots

    def _versions_of(self, id):
        return [slot for slot in self._slots if slot.id == id]

    def _newest(self, id):
        versions = self._versions_of(id)
        if not versions:
            raise MemoryNotFound(f"no memory {id.hex()}")
        return versions[-1]

    def close(self):
        self._closed = True

    def begin(self):
        if self.read_only:
            raise ReadOnlyStore("the store was opened read-only")
        assert self._slots is not None
        self._shared.lock.acquire()

    def end(self):
        self._shared.lock.release()

    def write(self, versions, vectors, changes=(), forgets=(), ended=()):
        if self.read_only:
            raise ReadOnlyStore("the store was opened read-only")
        self._check(versions, vectors)
        with self._shared.lock:
            for position, version in enumerate(versions):
                self._add(version, np.array(vectors[position], np.float32))
            for key, state in changes:
                self._newest(key).state = State(*state)
            for key in map(bytes, forgets):
                self._newest(key)
                self._shared.slots = [slot for slot in self._slots if slot.id != key]
                self._shared.forgotten += 1
            for key, moment in ended:
                old = {id(slot) for slot in self._versions_of(key)[:-1] if slot.state.valid_until <= moment}
                self._shared.slots = [slot for slot in self._slots if id(slot) not in old]
                self._shared.forgotten += len(old)
            self._shared.entries += 1

    def _check(self, versions, vectors):
        if versions and vectors.shape != (len(versions), self.dim):
            raise DimensionMismatch(f"vectors of shape {vectors.shape}")
        if versions and not np.isfinite(vectors).all():
            raise InvalidVector("NaN or infinity")

    def _add(self, version, vector):
        *columns, state, content, extra, facets, terms = version
        for slot in self._versions_of(version[0])[-1:]:
            flags = slot.state.flags | SUPERSEDED
            slot.state = slot.state._replace(flags=flags, valid_until=version[5])
        self._slots.append(Slot(*columns, State(*state), content, extra, list(facets), terms, vector))

    def find_duplicate(self, scope, kind, text_key, merge_key, vector, threshold, trust, now):
        live = self._live(new_filter(now=now, scopes=[scope], kinds=[kind]))
        same = [slot for slot in live if slot.merge_key == merge_key and slot.state.trust == trust]
        found = [slot for slot in same if slot.text_key == text_key or cosine(vector, slot.vector) >= threshold]
        return found[-1].id if found else None  # the last one written

    def touch(self, ids, now):
        with self._shared.lock:
            for key in ids:
                for slot in self._versions_of(key)[-1:]:
                    slot.state = slot.state.used(now)

    def contains(self, id):
        return bool(self._versions_of(id))

    def get(self, ids):
        return ModelRows([self._newest(key) for key in ids])

    def get_vectors(self, ids):
        return np.array([self._newest(key).vector for key in ids], np.float32).reshape(len(ids), self.dim)

    def history(self, id):
        return ModelRows(self._versions_of(id))

    def _live(self, asked):
        return [replace(slot) for slot in list(self._slots) if self._takes_part(slot, asked) and matches(slot, asked)]

    def _takes_part(self, slot, asked):
        if asked.ended_by is not None:
            is_old = self._versions_of(slot.id)[-1] is not slot
            return is_old and slot.state.valid_until <= asked.ended_by
        if asked.superseded and slot.state.flags & SUPERSEDED:
            return self._versions_of(slot.id)[-1] is slot and (asked.expired or slot.state.expires_at > asked.now)
        return alive(slot, asked)

    def select(self, filter, *, newest_first=True, after=None, limit=-1):
        def place(slot):
            return (slot.created_at, slot.id)

        found = sorted(self._live(filter), key=place, reverse=newest_first)
        if after is not None:
            here = place(self._newest(after))
            found = [slot for slot in found if (place(slot) < here if newest_first else place(slot) > here)]
        return ModelRows(found if limit < 0 else found[:limit])

    def select_ids(self, filter):
        return [slot.id for slot in self._live(filter)]

    def columns(self, filter):
        live = self._live(filter)
        scope_names = list(dict.fromkeys(slot.scope for slot in live))
        kind_names = list(dict.fromkeys(slot.kind for slot in live))
        states = list(COLUMN_TYPES)[4:]
        return {
            "keys": np.frombuffer(b"".join(slot.id for slot in live), np.uint8).reshape(-1, 16),
            "scopes": np.array([scope_names.index(slot.scope) for slot in live], np.uint32),
            "kinds": np.array([kind_names.index(slot.kind) for slot in live], np.uint32),
            **{
                name: np.array([getattr(slot, name) for slot in live], COLUMN_TYPES[name])
                for name in ("created_at", "valid_from", "event_time", "tokens")
            },
            **{name: np.array([getattr(slot.state, name) for slot in live], COLUMN_TYPES[name]) for name in states},
            "scope_names": scope_names,
            "kind_names": kind_names,
        }

    def extras(self, ids):
        return [self._newest(key).extra if self.contains(key) else None for key in map(bytes, ids)]

    def count(self, filter):
        return len(self._live(filter))

    def scopes(self, now):
        live = [slot.scope for slot in self._live(new_filter(now=now))]
        return sorted((scope, live.count(scope)) for scope in set(live))

    def versions(self, first_slot, limit, *, vectors=False):
        rest = self._slots[first_slot : first_slot + limit]
        following = first_slot + len(rest)
        return ModelRows(rest), following if following < len(self._slots) else 0

    def recall(self, vector, filter, weights, limit, min_relevance=-math.inf):
        now = filter.now if filter.as_of is None else filter.as_of
        scored = [
            (signals_of(slot, vector, weights, now, filter.as_of is not None), slot) for slot in self._live(filter)
        ]
        passing = [(signals, slot) for signals, slot in scored if signals[1] >= min_relevance]
        passing.sort(key=lambda hit: (-hit[0][0], -hit[1].valid_from, hit[1].id))
        return ModelRows([slot for _, slot in passing[:limit]], [signals for signals, _ in passing[:limit]])

    recall_approximately = recall  # which may leave out some of the best, and need not

    def recall_many(self, vectors, *asked):
        return [self.recall(vector, *asked) for vector in vectors]

    def newest_event(self, filter):
        return max((slot.event_time for slot in self._live(filter) if slot.event_time != UNSET), default=None)

    def sync(self):
        assert self._slots is not None

    checkpoint = compact = sync

    def reembed(self, embedder, vectors):
        if vectors.shape[0] != len(self._slots):
            raise EmbedderMismatch("one vector for each version is wanted")
        for slot, vector in zip(self._slots, vectors, strict=True):
            slot.vector = vector
        self.dim, self.embedder = vectors.shape[1], embedder

    def verify(self, progress=None):
        return {"memories": len(self._slots), "damaged": [], "bytes": 0}

    def stats(self):
        live = [slot for slot in self._slots if not slot.state.flags & SUPERSEDED]
        counts = {"memories": len(live), "versions": len(self._slots), "forgotten": self._shared.forgotten}
        counts["scopes"] = len({slot.scope for slot in live})
        rest = ("generation", "epoch", "log_bytes", "disk_bytes", "background_failures")
        return {**counts, "slots": len(self._slots), "sequence": self._shared.entries, **dict.fromkeys(rest, 0)}
