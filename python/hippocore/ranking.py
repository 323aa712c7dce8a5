"""How recall ranks: the weights of the four signals and how fast each kind is forgotten."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from hippocore.arguments import checked_choice, checked_fraction, checked_number, checked_text
from hippocore.times import Duration, seconds

HALF_LIFE: Final[Mapping[str, Duration]] = {
    "episode": "3d",
    "fact": "30d",
    "procedure": "90d",
    "preference": "180d",
    "summary": "30d",
    "insight": "90d",
}
"""The half-lives that hold unless said otherwise; a kind without one uses that of `fact`."""

_RECENCY_OF: Final = ("last_used", "created", "event")
_FUSIONS: Final = ("convex", "rrf")
_ROUNDING: Final = 1e-9


@dataclass(frozen=True)
class Ranking:
    """score = relevance, recency, importance and usage, each 0..1, times these weights, which sum to 1.

    relevance is as `MemoryLayer.recall` says; recency = 0.5 ** (age / half_life[kind]), the age counted from the last
    use, the creation or the event; usage = min(1, ln(1 + uses) / ln(1 + usage_saturation)). `half_life` changes the
    kinds it names; the others keep their default. Raises ValueError for a negative weight or a sum other than 1.

    Of hybrid recall: `lexical_weight`, 0 to 1, is the share of words against similarity. fusion="rrf" takes the places
    that a memory has by both instead of how much each says: (1 / (rrf_k + place by similarity) + 1 / (rrf_k + place by
    words)) * (rrf_k + 1) / 2, without labels, dates and neighbours (Cormack et al., SIGIR 2009). It found less wherever
    it was measured.

    Of words: one that a memory of `length` words has n times counts idf * n / (n + k1 * (1 - b + b * length / mean)),
    idf = ln(1 + (N - df + 0.5) / (df + 0.5)) where df of the N eligible memories have it and `mean` is their length
    (BM25 as Lucene computes it; Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009). k1 from 0 says
    how much repeating a word adds, b from 0 to 1 how much length takes away. Hybrid recall squares the idf.
    """

    relevance: float = 0.5
    recency: float = 0.25
    importance: float = 0.15
    usage: float = 0.10
    half_life: Mapping[str, Duration] = field(default_factory=dict)
    recency_of: Literal["last_used", "created", "event"] = "last_used"
    usage_saturation: float = 99
    lexical_weight: float = 0.5
    fusion: Literal["convex", "rrf"] = "convex"
    rrf_k: float = 60
    k1: float = 0.9
    b: float = 0.3

    def __post_init__(self) -> None:
        for name, weight in zip(("relevance", "recency", "importance", "usage"), self.weights, strict=True):
            if not checked_number(weight, f"Ranking's {name}") >= 0:
                raise ValueError(f"Ranking's {name} must be 0 or more, not {weight!r}")
        if not abs(sum(self.weights) - 1) <= _ROUNDING:
            raise ValueError(f"Ranking's weights must sum to 1, not {sum(self.weights):.6g}")
        checked_choice(self.recency_of, "recency_of", _RECENCY_OF)
        if not 0 < checked_number(self.usage_saturation, "usage_saturation") < float("inf"):
            raise ValueError(f"usage_saturation must be a finite number above 0, not {self.usage_saturation!r}")
        checked_fraction(self.lexical_weight, "lexical_weight")
        checked_choice(self.fusion, "fusion", _FUSIONS)
        if not 0 < checked_number(self.rrf_k, "rrf_k") < float("inf"):
            raise ValueError(f"rrf_k must be a finite number above 0, not {self.rrf_k!r}")
        if not 0 <= checked_number(self.k1, "k1") < float("inf"):
            raise ValueError(f"k1 must be a finite number of 0 or more, not {self.k1!r}")
        checked_fraction(self.b, "b")
        if not isinstance(self.half_life, Mapping):
            raise TypeError(f"half_life must be a mapping from kind to duration, not {type(self.half_life).__name__}")
        for kind, duration in self.half_life.items():
            seconds(duration, f"the half-life of {checked_text(kind, 'a kind')!r}")
        object.__setattr__(self, "half_life", {**HALF_LIFE, **self.half_life})

    @property
    def weights(self) -> tuple[float, float, float, float]:
        """The four weights, in the order of the signals."""
        return self.relevance, self.recency, self.importance, self.usage

    def compiled(self, new_weights: Callable[..., Any]) -> Any:
        """Return a store's own form of this ranking."""
        half_lives = {kind: seconds(duration, kind) for kind, duration in self.half_life.items()}
        numbers = (*map(float, self.weights), float(self.usage_saturation))
        rrf_k = float(self.rrf_k) if self.fusion == "rrf" else None
        fading = (half_lives, half_lives["fact"], self.recency_of)
        words = {"lexical_weight": float(self.lexical_weight), "rrf_k": rrf_k, "k1": float(self.k1), "b": float(self.b)}
        return new_weights(*numbers, *fading, **words)
