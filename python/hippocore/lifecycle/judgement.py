"""Which memories are to go, and by what. Pure: columns of memories, settings and the moment in; causes out."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple, cast

import numpy as np

from hippocore.lifecycle.strength import Array, faded, recency, sampling_order, spaced_half_life, strength, usage
from hippocore.ranking import Ranking
from hippocore.retention import Retention
from hippocore.stores.protocol import NEVER, SUPERSEDED, UNSET, Columns
from hippocore.times import seconds


class Cause(IntEnum):
    """Why a memory goes."""

    STAYS = 0
    EXPIRED = 1  # an expires_at of its own
    TOO_OLD = 2  # the ttl of its kind
    TOO_WEAK = 3
    CROWDED_SCOPE = 4
    CROWDED_STORE = 5
    SUPERSEDED_LONG_AGO = 6
    ARCHIVED_LONG_AGO = 7


class Settings(NamedTuple):
    """What decides beside the memories themselves: the moment in microseconds, and whether all of the store is seen."""

    retention: Retention
    ranking: Ranking
    now: int
    whole_store: bool

    @property
    def forgotten_until(self) -> int | None:
        """The moment that is the last whose history is not kept; None where all of it is."""
        kept = self.retention.history
        return None if kept is None else self.now - round(seconds(kept, "history") * 1e6)


def judge(memories: Columns, settings: Settings) -> Array:
    """Return the Cause of each memory. Superseded ones go by an expires_at of their own, or as history only."""
    causes = expired(memories, settings.now)
    _add_superseded(causes, memories, settings)
    may_go = _may_go(memories, settings)
    counted = _holds(memories)  # a protected memory counts, and stays
    causes[(causes == Cause.STAYS) & may_go & _is_too_old(memories, settings)] = Cause.TOO_OLD
    causes[_too_weak(memories, (causes == Cause.STAYS) & may_go, settings)] = Cause.TOO_WEAK
    for cause, most, places in _capacities(memories, settings):
        _add_crowded(causes, cause, (counted, may_go), (most, places), memories, settings)
    return causes


def judge_archived(memories: Columns, settings: Settings) -> Array:
    """Return the Cause of each archived memory: by age alone, and where memories are only archived not even so."""
    causes = expired(memories, settings.now)
    _add_superseded(causes, memories, settings)
    if settings.retention.action == "forget":
        may_go = _may_go(memories, settings)
        causes[(causes == Cause.STAYS) & may_go & _is_too_old(memories, settings)] = Cause.TOO_OLD
        if (until := settings.forgotten_until) is not None:
            lives_on = np.isinf(_ttl(memories, settings)) & (memories["expires_at"] == NEVER)
            is_due = may_go & lives_on & (memories["archived_at"] <= until)
            causes[(causes == Cause.STAYS) & is_due] = Cause.ARCHIVED_LONG_AGO
    return causes


def _add_superseded(causes: Array, memories: Columns, settings: Settings) -> None:
    """Let go of memories that another one superseded, once that is history that is not kept."""
    if (until := settings.forgotten_until) is not None:
        ended = ~_holds(memories) & (memories["valid_until"] <= until) & _is_unprotected(memories, settings)
        causes[(causes == Cause.STAYS) & ended] = Cause.SUPERSEDED_LONG_AGO


def expired(memories: Columns, now: int) -> Array:
    """Return the Cause of each memory that may go by an expires_at of its own only."""
    return np.where(memories["expires_at"] <= now, Cause.EXPIRED, Cause.STAYS).astype(np.uint8)


def chosen_rows(memories: Columns, rows: Array) -> Columns:
    """Return the columns of some memories, by position."""
    chosen: dict[str, Any] = {
        name: column[rows] if isinstance(column, np.ndarray) else column for name, column in memories.items()
    }
    return cast("Columns", chosen)


def strengths(memories: Columns, settings: Settings) -> Array:
    """Return the strength of each memory, 0..1, as Retention says."""
    retention, ranking, now = settings.retention, settings.ranking, settings.now
    half_lives = {kind: seconds(duration, kind) for kind, duration in ranking.half_life.items()}
    half_life = _by_kind(memories, lambda kind: half_lives.get(kind, half_lives["fact"]))
    half_life = spaced_half_life(half_life, memories["stability"], retention.spaced_growth)
    idle = (now - memories["last_used"]) / 1e6
    kept = _by_kind(memories, lambda kind: retention.decay_of(kind).importance)
    every = _by_kind(memories, lambda kind: seconds(retention.decay_of(kind).every, "every"))
    importance = faded(memories["importance"], kept, idle, every)
    age = idle if ranking.recency_of == "last_used" else (now - _since(memories, ranking)) / 1e6
    return strength(recency(age, half_life), importance, usage(memories["use_count"], ranking.usage_saturation))


def _holds(memories: Columns) -> Array:
    """Whether each still holds: no other memory took its place."""
    return np.asarray((memories["flags"] & SUPERSEDED) == 0)


def _may_go(memories: Columns, settings: Settings) -> Array:
    return _holds(memories) & _is_unprotected(memories, settings)


def _is_unprotected(memories: Columns, settings: Settings) -> Array:
    return np.asarray(memories["importance"] < settings.retention.protect_importance)


def _is_too_old(memories: Columns, settings: Settings) -> Array:
    """Whether each is older than its kind lives; one with an expires_at of its own lives until then."""
    age = (settings.now - memories["created_at"]) / 1e6
    return np.asarray((age >= _ttl(memories, settings)) & (memories["expires_at"] == NEVER))


def _ttl(memories: Columns, settings: Settings) -> Array:
    """Return how many seconds each lives by its kind, infinity where it lives on."""
    retention = settings.retention
    return _by_kind(memories, lambda kind: np.inf if (found := retention.ttl_of(kind)) is None else found)


def _too_weak(memories: Columns, asked: Array, settings: Settings) -> Array:
    """Return the positions, of those asked, that are weaker than their kind may be; only these cost a strength each."""
    least = _by_kind(memories, lambda kind: settings.retention.prune_below.get(kind, 0.0))
    rows = np.flatnonzero(asked & (least > 0))
    return rows[strengths(chosen_rows(memories, rows), settings) < least[rows]]


def _capacities(memories: Columns, settings: Settings) -> list[tuple[Cause, int, Array]]:
    """Return how many may stay in each place, with the place of each memory: its scope, and then the store."""
    found = []
    if (most := settings.retention.most("scope")) is not None:
        found.append((Cause.CROWDED_SCOPE, most, memories["scopes"].astype(np.intp)))
    if (most := settings.retention.most("store")) is not None and settings.whole_store:
        found.append((Cause.CROWDED_STORE, most, np.zeros(len(memories["keys"]), np.intp)))
    return found


def _add_crowded(
    causes: Array,
    cause: Cause,
    who: tuple[Array, Array],
    capacity: tuple[int, Array],
    memories: Columns,
    settings: Settings,
) -> None:
    """Let the first in the order of eviction go, in each place with more than it may hold."""
    (counted, may_go), (most, places) = who, capacity
    stays = causes == Cause.STAYS
    excess = np.maximum(np.bincount(places[stays & counted], minlength=1) - most, 0)
    if not excess.any():
        return
    rows = np.flatnonzero(stays & may_go)
    rows = rows[excess[places[rows]] > 0]
    worth = _worth(memories, settings)
    if np.count_nonzero(excess) == 1 and excess.max() < len(rows):  # of one place only those that can go are sorted
        most_worth = np.partition(worth[rows], excess.max() - 1)[excess.max() - 1]
        rows = rows[worth[rows] <= most_worth]
    rows = rows[np.lexsort((memories["created_at"][rows], worth[rows], places[rows]))]
    first_of_place = np.searchsorted(places[rows], places[rows])
    causes[rows[np.arange(len(rows)) - first_of_place < excess[places[rows]]]] = cause


def _worth(memories: Columns, settings: Settings) -> Array:
    """Return what keeps each memory when there are too many; the lowest goes first."""
    if settings.retention.evict == "least_recently_used":
        return memories["last_used"]
    if settings.retention.evict == "sample":
        return sampling_order(memories["importance"], memories["keys"], settings.retention.seed)
    return strengths(memories, settings)


def _by_kind(memories: Columns, value: Callable[[str], Any]) -> Array:
    values = np.array([value(kind) for kind in memories["kind_names"]], np.float64)
    return np.asarray(values[memories["kinds"]])


def _since(memories: Columns, ranking: Ranking) -> Array:
    """Return from when recency counts the age, where that is not the last use."""
    if ranking.recency_of == "created":
        return memories["created_at"]
    return np.where(memories["event_time"] == UNSET, memories["created_at"], memories["event_time"])
