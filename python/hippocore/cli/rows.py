"""Rows for people: a table where the terminal is wide enough, else each row over several lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from hippocore.cli.terminal import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

WIDTH_OF_FILES = 160  # where no terminal says how wide it is
LEAST_FOR_TEXT = 50  # columns that the long text needs to stand beside the others
INDENT = 4

Side = Literal["left", "right"]
Columns = Sequence[tuple[str, Side]]


def console() -> Console:
    """Return a console on stdout that takes every text as it is: no markup, no highlighting, no emoji codes."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else WIDTH_OF_FILES
    return Console(width=width, markup=False, highlight=False, emoji=False)


def print_rows(columns: Columns, rows: Iterable[Sequence[object]]) -> None:
    """Print rows under (heading, side) columns, of which the last is the long text."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = _widths(columns, cells)
    if sum(widths[:-1]) + 2 * len(widths) + min(widths[-1], LEAST_FOR_TEXT) <= console().width:
        print_table(columns, cells)
    else:
        _print_stacked(columns, cells, widths)


def print_table(columns: Columns, rows: Iterable[Sequence[object]]) -> None:
    """Print a table, however narrow its columns get; texts fold, numbers do not."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for heading, side in columns:
        table.add_column(heading, justify=side, no_wrap=side == "right" or heading == "id", overflow="fold")
    for row in rows:
        table.add_row(*map(_cell, row))
    console().print(table)


def _print_stacked(columns: Columns, rows: list[list[Text]], widths: list[int]) -> None:
    """Print each row as one line of its short columns, and its long text below.

    Where even the short columns do not fit, those of words (but for the first column) get a line of their own.
    """
    from rich.padding import Padding

    out = console()
    short = range(len(columns) - 1)
    beside = list(short)
    if sum(widths[:-1]) + 2 * (len(widths) - 2) > out.width:
        beside = [place for place in short if place == 0 or columns[place][1] == "right"]
    out.print(_line(columns, [_cell(heading) for heading, _ in columns], widths, beside), style="bold")
    for row in rows:
        out.print(_line(columns, row, widths, beside))
        for below in (*_joined([row[place] for place in short if place not in beside]), row[-1]):
            out.print(Padding(below, (0, 0, 0, INDENT), expand=False))


def _line(columns: Columns, cells: Sequence[Text], widths: Sequence[int], places: Iterable[int]) -> Text:
    """Return the cells of those places, each as wide as its column."""
    from rich.text import Text

    line = Text(no_wrap=True)
    for place in places:
        cell, gap = cells[place], Text(" " * (widths[place] - cells[place].cell_len))
        line.append_text(gap + cell if columns[place][1] == "right" else cell + gap).append("  ")
    line.rstrip()
    return line


def _joined(cells: list[Text]) -> list[Text]:
    from rich.text import Text

    return [Text("  ").join(cells)] if cells else []


def _widths(columns: Columns, rows: list[list[Text]]) -> list[int]:
    return [
        max(len(heading), *(row[place].cell_len for row in rows if place < len(row)), 0)
        for place, (heading, _) in enumerate(columns)
    ]


def _cell(value: object) -> Text:
    from rich.text import Text

    return value if isinstance(value, Text) else Text(one_line(str(value)))
