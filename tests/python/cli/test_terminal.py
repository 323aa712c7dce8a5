"""Stored text cannot command a terminal, and is as short as asked."""

from __future__ import annotations

import pytest

from hippocore.cli.terminal import age, clean, duration, one_line, shorten


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("bell\x07 and \x9b2J", "bell and 2J"),
        ("right\u202eleft\u2066", "rightleft"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("half \ud800", "half \ufffd"),
        ("👩\u200d👧 日本語", "👩\u200d👧 日本語"),
    ],
)
def test_clean_removes_what_commands_a_terminal_and_nothing_else(text, shown):
    assert clean(text) == shown


def test_one_line_folds_white_space():
    assert one_line(" a\r\n  b\tc\n") == "a b c"


@pytest.mark.parametrize(("text", "short"), [("abcdef", "abcdef"), ("abcdefg", "abcde…"), ("ab cd\nef", "ab cd…")])
def test_shorten_keeps_to_the_length(text, short):
    assert shorten(text, 6) == short


def test_shorten_marks_a_long_text_whose_beginning_is_blank():
    assert shorten("a" + " " * 1000 + "b", 10) == "a…"


@pytest.mark.parametrize(
    ("seconds", "text"), [(-5, "0 s"), (59.9, "59 s"), (60, "1 min"), (7200, "2 h"), (86400 * 400, "1 y")]
)
def test_age_is_the_largest_whole_unit(seconds, text):
    assert age(seconds) == text


@pytest.mark.parametrize(("seconds", "text"), [(84e-6, "84 µs"), (0.0012, "1.2 ms"), (3.44, "3.4 s")])
def test_duration_reads_well(seconds, text):
    assert duration(seconds) == text
