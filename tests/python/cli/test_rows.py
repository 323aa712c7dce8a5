"""Rows fit the terminal, however narrow, and lose nothing."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from hippocore.cli import rows

COLUMNS = [("id", "left"), ("age", "right"), ("scope", "left"), ("content", "left")]
LONG = "The staging database moved, 港の潮位 is read every six minutes and the gulls are not fed. " * 2
ROWS = [["5d0c41" * 5, "3 d", "user:ada/agent:coder", LONG], ["b" * 30, "12 min", "python/dbm", "short"]]


@pytest.fixture
def printed(monkeypatch):
    """Print the rows on a terminal of a width; return its lines."""

    def prints(width):
        out = io.StringIO()
        monkeypatch.setattr(rows, "console", lambda: Console(width=width, file=out, markup=False, highlight=False))
        rows.print_rows(COLUMNS, ROWS)
        return out.getvalue().splitlines()

    return prints


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
def test_no_line_is_wider_than_the_terminal_and_every_text_is_whole(printed, width):
    lines = printed(width)
    assert all(cell_len(line.rstrip()) <= width for line in lines)
    text = " ".join(" ".join(lines).split())
    for row in ROWS:
        assert row[0] in text
        assert row[2] in text
        assert all(word in text for word in row[1].split())
    assert "".join(word for word in ROWS[0][3].split()[:2]) in text.replace(" ", "")


def test_a_wide_terminal_has_one_line_a_row(printed):
    lines = printed(260)
    assert sum("5d0c41" in line for line in lines) == 1
    assert any("5d0c41" in line and "fed." in line for line in lines)


def test_a_narrow_terminal_has_the_long_text_below(printed):
    lines = printed(80)
    place = next(number for number, line in enumerate(lines) if "5d0c41" in line)
    assert lines[place].split()[-1] == "user:ada/agent:coder"
    assert lines[place + 1].startswith("    The staging database moved")


def test_a_very_narrow_terminal_puts_words_on_a_line_of_their_own(printed):
    lines = printed(50)
    place = next(number for number, line in enumerate(lines) if "5d0c41" in line)
    assert lines[place].split() == ["5d0c41" * 5, "3", "d"]
    assert lines[place + 1].strip() == "user:ada/agent:coder"


def test_no_rows_leave_the_headings(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(rows, "console", lambda: Console(width=80, file=out))
    rows.print_rows(COLUMNS, [])
    assert out.getvalue().split()[:4] == ["id", "age", "scope", "content"]
