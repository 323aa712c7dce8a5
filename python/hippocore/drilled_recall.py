"""Recall that drills down: from the summaries and facts that are found to what they were made of.

What became one was archived with it, and a recall leaves it out. Drilling starts from what stands for others among the
hits, asks the archived memories the same question, and lets in those of the answer that a hit was made of, or that such
a one was made of in turn, level by level. They stand by their own scores beside the rest, so that a context takes the
details that answer the question, and of everything else the summary alone, within its budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from hippocore import reading
from hippocore.arguments import checked_count, checked_flag
from hippocore.filters import repeatable
from hippocore.records import checked_extra
from hippocore.scored import Scored, row_of

if TYPE_CHECKING:
    from hippocore.filters import Conditions
    from hippocore.handle import Handle
    from hippocore.reading import Found, Question

MADE_OF_OTHERS: Final = ("summarize", "consolidate")
"""What the metadata's "made_by" says of memories whose links lead to what they were made of."""
STARTS: Final = 50
"""How many of the best hits are drilled through at least."""
ASKED: Final = 1_000
"""How many archived memories answer at most."""
_VALID_FROM: Final = 7  # where a row says when its version began

Ask = Callable[["Handle", "Conditions", "Question"], "Found"]


def recall(handle: Handle, asked: Conditions, question: Question, ask: Ask) -> Found:
    """Return what `ask` finds and, where the question says so, what lies below it."""
    if not checked_flag(question.drill_down, "drill_down"):
        return ask(handle, asked, question)
    asked = repeatable(asked)
    found = ask(handle, asked, question._replace(limit=_with_room(question.limit)))
    below = _below(handle, asked, question, found.hits)
    hits = sorted((*found.hits, *below), key=lambda hit: (-hit.score, -row_of(hit)[_VALID_FROM], hit.key))
    return found._replace(hits=hits[: question.limit])


def _with_room(limit: int) -> int:
    """Return how many are looked at for what stands for others, whatever the limit cuts then."""
    wanted = checked_count(limit, "limit")
    return wanted and max(wanted, STARTS)


def _below(handle: Handle, asked: Conditions, question: Question, hits: Iterable[Scored]) -> list[Scored]:
    """Return the archived memories that the hits lead to, those that answer the question best."""
    names, frontier = handle.names, list(filter(_stands_for_others, hits))
    if not frontier:
        return []
    alone = question._replace(limit=ASKED, approximate=False, expand=None, expand_links=0)
    archived = {hit.key: hit for hit in reading.recall(handle, asked._replace(archived=True), alone).hits}
    reached: dict[bytes, Scored] = {}
    while frontier:
        keys = {names.key_of(link) for hit in frontier for link in checked_extra(row_of(hit)).links}
        new = {key: archived[key] for key in keys if key in archived and key not in reached}
        reached |= new
        frontier = list(filter(_stands_for_others, new.values()))
    return list(reached.values())


def _stands_for_others(hit: Scored) -> bool:
    return checked_extra(row_of(hit)).metadata.get("made_by") in MADE_OF_OTHERS
