"""What the commands show to people: memories with their scores, memories with their ids, names with values."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hippocore.cli.rows import Side, print_rows
from hippocore.cli.terminal import age, clean, one_line, shorten

if TYPE_CHECKING:
    from hippocore import Memory, Scored

CONTENT_LENGTH = 240
SIGNALS = ("score", "relevance", "recency", "importance", "usage")

NUMBERS: list[tuple[str, Side]] = [(name, "right") for name in (*SIGNALS, "age")]
ID: list[tuple[str, Side]] = [("id", "left")]
PLACE: list[tuple[str, Side]] = [("kind", "left"), ("scope", "left")]
CONTENT: list[tuple[str, Side]] = [("content", "left")]


def print_scored(found: Sequence[Scored], *, ids: bool = False) -> None:
    """Print memories in their order with the score, the four signals and what they are."""
    if not found:
        print("nothing found")
        return
    columns: list[tuple[str, Side]] = [("#", "right"), *NUMBERS, *PLACE, *(ID if ids else []), *CONTENT]
    print_rows(columns, (_scored_row(rank, scored, ids) for rank, scored in enumerate(found, 1)))


def print_memories(memories: Sequence[Memory]) -> None:
    """Print memories with the ids that the other commands take."""
    if not memories:
        print("nothing found")
        return
    columns: list[tuple[str, Side]] = [
        *ID,
        ("age", "right"),
        ("importance", "right"),
        ("uses", "right"),
        *PLACE,
        *CONTENT,
    ]
    print_rows(columns, map(_memory_row, memories))


def print_quarantined(memories: Sequence[Memory]) -> None:
    """Print memories that wait for a person, with their trust and why they wait."""
    if not memories:
        print("nothing found")
        return
    columns: list[tuple[str, Side]] = [*ID, ("age", "right"), ("trust", "left"), ("why", "left"), *PLACE, *CONTENT]
    print_rows(columns, map(_quarantined_row, memories))


def print_fields(fields: Mapping[str, object], *, last: str | None = None) -> None:
    """Print names and values, one a line; the value of `last` comes below them, whole."""
    width = max(map(len, fields), default=0)
    for name, value in fields.items():
        if name != last:
            print(f"{name:<{width}}  {one_line(str(value))}")
    if last is not None and last in fields:
        print(f"\n{clean(str(fields[last]))}")


def signals(scored: Scored, digits: int = 3) -> list[str]:
    """Return the score and the four signals, as SIGNALS names them."""
    return [f"{getattr(scored, name):.{digits}f}" for name in SIGNALS]


def memory_age(memory: Memory) -> str:
    """Return how long ago it happened, or else was written in this version."""
    moment = memory.event_time or memory.valid_from
    return age(time.time() - moment.timestamp())


def _scored_row(rank: int, scored: Scored, ids: bool) -> list[object]:
    memory = scored.memory
    place = [memory.kind, memory.scope, *([memory.id] if ids else [])]
    return [rank, *signals(scored), memory_age(memory), *place, shorten(memory.content, CONTENT_LENGTH)]


def _quarantined_row(memory: Memory) -> list[object]:
    place = [memory.kind, memory.scope]
    content = shorten(memory.content, CONTENT_LENGTH)
    return [memory.id, memory_age(memory), memory.trust, _why_it_waits(memory), *place, content]


def _why_it_waits(memory: Memory) -> str:
    from hippocore import Guard

    said = (memory.content, memory.kind, memory.source or "", memory.tags, memory.metadata)
    if (reason := Guard().suspicion(said)) is not None:
        return reason
    return f"would supersede {memory.supersedes}" if memory.supersedes else f"is {memory.trust}"


def _memory_row(memory: Memory) -> list[object]:
    numbers = [memory_age(memory), f"{memory.importance:.2f}", memory.use_count]
    return [memory.id, *numbers, memory.kind, memory.scope, shorten(memory.content, CONTENT_LENGTH)]
