"""What may be forgotten, and when: how long each kind lives, how weak is too weak, how many are too many."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from hippocore.arguments import checked_choice, checked_count, checked_fraction, checked_number, checked_text
from hippocore.times import Duration, Moment, microseconds, seconds

if TYPE_CHECKING:
    from hippocore.types import Memory

TTL: Final[Mapping[str, Duration]] = {"episode": "30d"}
PRUNE_BELOW: Final[Mapping[str, float]] = {"episode": 0.05}
CONFIRMATION: Final = 0.1
"""What a confirmation by another source adds to a memory's confidence, up to 1."""

_EVICT: Final = ("score", "least_recently_used", "sample")
_ACTIONS: Final = ("forget", "archive")
_PLACES: Final = ("scope", "store")
Place = Literal["scope", "store"]
T = TypeVar("T")


@dataclass(frozen=True)
class Decay:
    """What time takes from a memory of a kind that nobody confirms, or uses.

    Confidence is multiplied by `confidence` for each whole period of `every` since the memory was written or last
    confirmed, and never falls below `floor` by that. Importance is multiplied by `importance` for each whole period
    since the last use; that counts in what `maintain` prunes and evicts, never in what it protects, nor in recall,
    where recency says it already. Both are functions of time alone: nothing is written, so that they are right however
    often `maintain` runs.
    """

    confidence: float = 0.9
    importance: float = 0.9
    every: Duration = "30d"
    floor: float = 0.3

    def __post_init__(self) -> None:
        for name in ("confidence", "importance", "floor"):
            checked_fraction(getattr(self, name), f"Decay's {name}")
        seconds(self.every, "Decay's every")

    def confidence_after(self, confidence: float, unconfirmed: float) -> float:
        """Return what is left of a confidence after that many seconds; one below the floor stays as it is."""
        periods = int(max(0.0, unconfirmed) // seconds(self.every, "every"))
        left = confidence * math.pow(self.confidence, periods)
        return min(confidence, max(self.floor, left))


@dataclass(frozen=True)
class Retention:
    """What `MemoryLayer.maintain` lets go of. Raises ValueError or TypeError naming what is wrong.

    `ttl`: how long a memory of a kind lives from its creation, used or not; a kind that is not named lives on. A memory
    with an `expires_at` of its own lives until then instead.
    `prune_below`: a memory of a kind goes when its strength is below this; a kind that is not named is not pruned.
    strength = recency * (0.5 + 0.5 * importance) * (0.5 + 0.5 * usage), with `Ranking`'s recency and usage, the
    half-life multiplied by 1 + spaced_growth * (uses that came a day or more after the one before), and what `decay`
    leaves of the importance.
    `max_memories`: how many may live in the store, or {"store": n, "scope": m} with m in each scope; those that are
    protected count and stay. `evict` says which go first: "score", the weakest; "least_recently_used"; or "sample": who
    stays is drawn without replacement with importance as the weight (Efraimidis and Spirakis, Information Processing
    Letters 97, 2006), the same for the same `seed`.
    `protect_importance`: from this importance on, a memory goes by nothing but an `expires_at` of its own.
    `action`: "forget", or "archive", which keeps a memory for `list(archived=True)`, `get`, `history` and `as_of` only.
    What is archived, by this or by `consolidate`, goes by the ttl of its kind where the action is "forget", else never.
    `history`: how long what has ended is kept. What ended longer ago goes: the old versions of every memory, then also
    memories that another one superseded, and, where the action is "forget", archived ones of a kind without a ttl,
    unless they are protected or in quarantine. For `as_of` such a moment is one before they were known. None: all of it
    is kept, and `as_of` and `history` answer for every moment.
    `consolidate`: the similarity from which three episodes or more of one scope become one fact and are put aside, as
    `MemoryLayer.consolidate` does, once the others have gone; None: they do not.
    `decay`: what time takes from confidence and importance, for all kinds or by kind; a kind that is not named has
    `Decay()`.
    """

    ttl: Mapping[str, Duration] = field(default_factory=lambda: dict(TTL))
    max_memories: int | Mapping[str, int] | None = None
    protect_importance: float = 0.9
    prune_below: Mapping[str, float] = field(default_factory=lambda: dict(PRUNE_BELOW))
    decay: Decay | Mapping[str, Decay] = field(default_factory=Decay)
    evict: Literal["score", "least_recently_used", "sample"] = "score"
    seed: int = 0
    spaced_growth: float = 1.0
    action: Literal["forget", "archive"] = "forget"
    consolidate: float | None = None
    history: Duration | None = None

    def __post_init__(self) -> None:
        for kind, duration in _by_kind(self.ttl, "ttl").items():
            seconds(duration, f"the ttl of {kind!r}")
        for kind, strength in _by_kind(self.prune_below, "prune_below").items():
            checked_fraction(strength, f"prune_below of {kind!r}")
        _check_decay(self.decay)
        _check_capacity(self.max_memories)
        if not checked_number(self.protect_importance, "protect_importance") >= 0:
            raise ValueError("protect_importance must be 0 or more: above 1 protects nothing")
        if not 0 <= checked_number(self.spaced_growth, "spaced_growth") < float("inf"):
            raise ValueError(f"spaced_growth must be a finite number of 0 or more, not {self.spaced_growth!r}")
        checked_choice(self.evict, "evict", _EVICT)
        checked_choice(self.action, "action", _ACTIONS)
        if self.history is not None:
            seconds(self.history, "history")
        if self.consolidate is not None:
            checked_fraction(self.consolidate, "consolidate, a similarity such as 0.8,")
        if not checked_count(self.seed, "seed") < 2**64:
            raise ValueError("seed must be below 2**64")

    def ttl_of(self, kind: str) -> float | None:
        """Return how many seconds a kind lives, None where it lives on."""
        return seconds(self.ttl[kind], "ttl") if kind in self.ttl else None

    def decay_of(self, kind: str) -> Decay:
        """Return what time takes from a kind."""
        return self.decay if isinstance(self.decay, Decay) else self.decay.get(kind, Decay())

    def most(self, place: Place) -> int | None:
        """Return how many memories may live in each scope, or in the store; None for any number."""
        if isinstance(self.max_memories, Mapping):
            return self.max_memories.get(place)
        return self.max_memories if place == "store" else None

    def confidence_at(self, memory: Memory, moment: Moment) -> float:
        """Return what is left at a moment of a memory's confidence, as `decay` of its kind says."""
        unconfirmed = microseconds(moment, "moment") - microseconds(memory.valid_from, "valid_from")
        return self.decay_of(memory.kind).confidence_after(memory.confidence, unconfirmed / 1e6)


def _by_kind(values: Mapping[str, T], name: str) -> Mapping[str, T]:
    if not isinstance(values, Mapping):
        raise TypeError(f"{name} must be a mapping from kinds, not {type(values).__name__}")
    for kind in values:
        checked_text(kind, f"a kind in {name}")
    return values


def _check_decay(decay: Any) -> None:
    if isinstance(decay, Decay):
        return
    if not isinstance(decay, Mapping):
        raise TypeError(f"decay must be a Decay, or a mapping from kinds to one, not {type(decay).__name__}")
    for kind, one in _by_kind(decay, "decay").items():
        if not isinstance(one, Decay):
            raise TypeError(f"decay of {kind!r} must be a Decay, not {type(one).__name__}")


def _check_capacity(most: Any) -> None:
    if most is None:
        return
    places = most if isinstance(most, Mapping) else {"store": most}
    if not set(places) <= set(_PLACES):
        raise ValueError('max_memories must be a number, or a mapping of "scope" and "store" to numbers')
    for place, number in places.items():
        checked_count(number, f"max_memories of the {place}")
