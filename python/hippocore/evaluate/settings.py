"""A setting: how memories are written and how questions are asked of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, NamedTuple

from hippocore import Ranking
from hippocore.evaluate.variations import ORDERS, SPEAKERS

PLAIN: Final = ("bm25", "rrf")
"""What to hold `MemoryLayer` against: see `plain`. They have no ranking but their own."""

MODES: Final = ("hybrid", "dense", "lexical", *PLAIN)
EXPANSIONS: Final = ("none", "feedback")
"""The other wordings that a question is asked by: those of `recall` that need no language model."""

WEIGHTS: Final = ("relevance", "recency", "importance", "usage")


class Written(NamedTuple):
    """What of a setting decides the memories."""

    embedder: str
    speakers: str
    sources: bool
    times: bool
    order: str
    seed: int


@dataclass(frozen=True)
class Setting:
    """What one run of a data set does; the defaults are those of `MemoryLayer`, limit and budget those of the figures.

    `ranking` holds the arguments of `Ranking` that are not its defaults; where it names any of the four weights, those
    that it does not name are 0. `speakers`, `sources`, `times`, `order` and `seed`: see `variations`.
    """

    embedder: str = "local"
    mode: str = "hybrid"
    limit: int = 10
    budget: int = 1000
    speakers: str = "said"
    sources: bool = True
    times: bool = True
    order: str = "said"
    seed: int = 0
    expand: str = "none"
    ranking: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        words_of = {"mode": MODES, "speakers": SPEAKERS, "order": ORDERS, "expand": EXPANSIONS}
        for name, words in words_of.items():
            if getattr(self, name) not in words:
                raise ValueError(f"{name} must be one of {', '.join(words)}, not {getattr(self, name)!r}")
        for name in ("limit", "budget"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, not {getattr(self, name)}")
        self.made_ranking()
        if self.mode in PLAIN and self.ranking:
            raise ValueError(f"mode {self.mode} has no weights: leave out {', '.join(self.ranking)}")
        if self.expand != "none" and self.mode not in ("hybrid", "dense"):
            raise ValueError(f"mode {self.mode} is asked by no vector: leave out expand")

    @property
    def written(self) -> Written:
        """What decides the memories: settings that have it in common can ask the same store."""
        return Written(self.embedder, self.speakers, self.sources, self.times, self.order, self.seed)

    @property
    def how(self) -> dict[str, Any]:
        """What recall and context are told of it."""
        expand = None if self.expand == "none" else self.expand
        return {"mode": self.mode, "ranking": self.made_ranking(), "expand": expand}

    def made_ranking(self) -> Ranking:
        """Return the ranking; raises ValueError or TypeError for what it does not take."""
        others = {} if not set(self.ranking).intersection(WEIGHTS) else dict.fromkeys(WEIGHTS, 0.0)
        return Ranking(**{**others, **self.ranking})

    def changed(self, text: str) -> Setting:
        """Return this setting with the NAME=VALUE,… of a text changed; raises ValueError for what it cannot be."""
        said = dict(_pair(part) for part in text.split(",") if part.strip())
        if not said:
            raise ValueError(f"a setting must be NAME=VALUE,… with names of {', '.join(_names())}")
        own = {name: _value(name, value, getattr(self, name)) for name, value in said.items() if name in _OWN}
        ranking = {n: _value(n, v, getattr(Ranking(), n)) for n, v in said.items() if n not in _OWN}
        kept = {} if set(ranking).intersection(WEIGHTS) else self.ranking
        return replace(self, **own, ranking={**kept, **ranking})

    def __str__(self) -> str:
        others = [f"{f.name}={_shown(getattr(self, f.name))}" for f in fields(self) if f.name in _SAID_IF_CHANGED]
        changed = [said for said in others if said not in _DEFAULTS]
        ranking = [f"{name}={_shown(value)}" for name, value in self.ranking.items()]
        return ", ".join([self.embedder, self.mode, *changed, *ranking])


_OWN: Final = ("embedder", "mode", "limit", "budget", "speakers", "sources", "times", "order", "seed", "expand")
_SAID_IF_CHANGED: Final = ("speakers", "sources", "times", "order", "expand")
_DEFAULTS: Final = ("speakers=said", "sources=yes", "times=yes", "order=said", "expand=none")
_YES_OR_NO: Final = {"yes": True, "no": False}


def _names() -> list[str]:
    ranking = [f.name for f in fields(Ranking) if isinstance(getattr(Ranking(), f.name), (int, float, str))]
    return [*_OWN, *ranking]


def _pair(part: str) -> tuple[str, str]:
    name, equals, value = (piece.strip() for piece in part.partition("="))
    if not equals or name not in _names():
        raise ValueError(f"{part.strip()!r} is no setting: say NAME=VALUE with one of {', '.join(_names())}")
    return name, value


def _value(name: str, text: str, like: Any) -> Any:
    """Return a value of the type of the one that it replaces."""
    if isinstance(like, bool):
        if text not in _YES_OR_NO:
            raise ValueError(f"{name} must be yes or no, not {text!r}")
        return _YES_OR_NO[text]
    if isinstance(like, str):
        return text
    try:
        # A float of Ranking may have a whole number for its default.
        return int(text) if isinstance(like, int) and name in _OWN else float(text)
    except ValueError:
        raise ValueError(f"{name} must be a number, not {text!r}") from None


def _shown(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
