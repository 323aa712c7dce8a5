"""Corrections: whether what is remembered may end what it corrects, and what becomes of what contradicts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from hippocore.arguments import checked_choice, checked_count, checked_flag, checked_fraction, checked_texts

_CONTRADICTIONS: Final = ("supersede", "keep", "ask")
_MOST_CANDIDATES: Final = 100


@dataclass(frozen=True, slots=True)
class Corrections:
    """How a memory ends that another one corrects or contradicts, by `remember` and `remember_many` (merge=True).

    Compared are memories of one scope and kind that are live, the `candidates` nearest. What corrects one takes its
    place as with `supersedes=`: the old one ends, and with it what else says the same in other words; `as_of` keeps
    them, and `history` the one that it names. The rules are those of
    `hippocore.lifecycle.corrections` and `contradictions`: of English, strict, and deaf to more than one sentence.
    kinds: which take part; never "episode", since what happened stays true.
    contradictions: of two that cannot both hold without one plainly correcting the other, "supersede" ends the old one,
    "keep" keeps both and halves the confidence of each (not below the floor of `Retention`'s decay; what is trusted
    less halves its own alone), "ask" writes the new one into quarantine with what it would end, for `release`.
    candidates: of 475 memories in one scope, the one that a statement corrects or contradicts was among the nearest 8
    for 99.6 of 100 (local embedder, `python -m bench.corrections`).
    outdated: also note, by a link of type "outdates" and weight 0, which older memories a new one seems to make
    outdated in other words than the rules are sure of (`hippocore.lifecycle.outdating`). Nothing ends by it: `context`
    leaves the older one out where the newer one is in sight, and every other verb shows both.
    llm: also ask the layer's `llm`, where it has one, about what the rules say nothing of: one call for each memory
    that is written and has a candidate of at least `llm_similarity`, which nine in ten contradictions of the same bench
    reach. It is asked before the writer's lock is taken, about what the store held then, not about items of the same
    call; what it names is contradicted.
    What is trusted less never ends what is trusted more: it waits in quarantine. Nothing is ended by what its
    `event_time` says is older, nor where two candidates have values of their own that are corrected: they are a list.
    Raises ValueError or TypeError for other values.
    """

    kinds: Iterable[str] = ("fact", "preference", "procedure")
    contradictions: Literal["supersede", "keep", "ask"] = "supersede"
    candidates: int = 8
    outdated: bool = True
    llm: bool = True
    llm_similarity: float = 0.6

    def __post_init__(self) -> None:
        kinds = frozenset(checked_texts(self.kinds, "Corrections' kinds"))
        if "episode" in kinds:
            raise ValueError("Corrections' kinds cannot have 'episode': what happened is not corrected by what happens")
        object.__setattr__(self, "kinds", kinds)
        checked_choice(self.contradictions, "Corrections' contradictions", _CONTRADICTIONS)
        if not 1 <= checked_count(self.candidates, "Corrections' candidates") <= _MOST_CANDIDATES:
            raise ValueError(
                f"Corrections' candidates must lie between 1 and {_MOST_CANDIDATES}, not {self.candidates}"
            )
        checked_flag(self.outdated, "Corrections' outdated")
        checked_flag(self.llm, "Corrections' llm")
        checked_fraction(self.llm_similarity, "Corrections' llm_similarity")
