"""Tables for people. rich is imported when the first one is printed."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hippocore.cli.terminal import age, clean, one_line, shorten

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from hippocore import Memory, Scored

WIDTH_OF_FILES = 160  # where no terminal says how wide it is
CONTENT_LENGTH = 240


def console() -> Console:
    """Return a console on stdout that takes every text as it is: no markup, no highlighting, no emoji codes."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else WIDTH_OF_FILES
    return Console(width=width, markup=False, highlight=False, emoji=False)


def print_rows(
    columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[object]], *, title: str | None = None
) -> None:
    """Print a table. Columns are (heading, justification); the last one takes the room that is left."""
    table = _table(columns, title)
    for row in rows:
        table.add_row(*map(_cell, row))
    console().print(table)


def print_scored(found: Sequence[Scored], *, ids: bool = False, now: float | None = None) -> None:
    """Print memories in their order with the score, the four signals and what they are."""
    if not found:
        print("nothing found")
        return
    columns = [
        ("#", "right"),
        *((name, "right") for name in ("score", "relevance", "recency", "importance", "usage", "age")),
    ]
    columns += [("kind", "left"), ("scope", "left"), *([("id", "left")] if ids else []), ("content", "left")]
    print_rows(columns, (_scored_row(rank, scored, ids, now) for rank, scored in enumerate(found, 1)))


def print_memories(memories: Sequence[Memory], *, now: float | None = None) -> None:
    """Print memories with the ids that the other commands take."""
    if not memories:
        print("nothing found")
        return
    columns = [
        ("id", "left"),
        ("age", "right"),
        ("kind", "left"),
        ("scope", "left"),
        ("importance", "right"),
        ("uses", "right"),
        ("content", "left"),
    ]
    print_rows(
        columns,
        (
            (
                m.id,
                memory_age(m, now),
                m.kind,
                m.scope,
                f"{m.importance:.2f}",
                m.use_count,
                shorten(m.content, CONTENT_LENGTH),
            )
            for m in memories
        ),
    )


def print_fields(fields: Mapping[str, object], *, last: str | None = None) -> None:
    """Print names and values, one a line; the value of `last` comes below them, whole."""
    width = max(map(len, fields), default=0)
    for name, value in fields.items():
        if name != last:
            print(f"{name:<{width}}  {one_line(str(value))}")
    if last is not None and last in fields:
        print(f"\n{clean(str(fields[last]))}")


def memory_age(memory: Memory, now: float | None = None) -> str:
    """Return how long ago it happened, or else was written in this version."""
    moment = memory.event_time or memory.valid_from
    return age((time.time() if now is None else now) - moment.timestamp())


def _scored_row(rank: int, scored: Scored, ids: bool, now: float | None) -> list[object]:
    memory = scored.memory
    signals = (scored.score, scored.relevance, scored.recency, scored.importance, scored.usage)
    return [
        rank,
        *(f"{signal:.3f}" for signal in signals),
        memory_age(memory, now),
        memory.kind,
        memory.scope,
        *([memory.id] if ids else []),
        shorten(memory.content, CONTENT_LENGTH),
    ]


def _table(columns: Sequence[tuple[str, str]], title: str | None) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, expand=False)
    for heading, justify in columns[:-1]:
        side: Any = justify
        # A number or an id that is cut is worse than none; words may fold.
        table.add_column(heading, justify=side, no_wrap=justify == "right" or heading == "id", overflow="fold")
    table.add_column(columns[-1][0], overflow="fold", ratio=1)
    return table


def _cell(value: object) -> Any:
    from rich.text import Text

    return Text(one_line(str(value)))
