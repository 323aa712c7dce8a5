"""The script that measures the page's figures, on a data set of the test's own."""

from __future__ import annotations

from bench.quality import CLOSING, OPENING, PAGE, tables


def test_the_tables_have_every_method_and_say_what_is_missing(locomo, haystacks, written):
    text = "\n".join(tables(written(locomo, name="l"), written(haystacks, name="h"), ["local"]))
    assert "### LoCoMo: 2 conversations, 7 memories, 5 questions" in text
    assert "| **hippocore, the default** | 1.000 (1.000 / 1.000) |" in text
    assert "| 5 | 1 | 1 | 0.000 |" not in text
    assert "| session, local | reply, local |" in text
    missing = "\n".join(tables(None, None, ["local"]))
    assert "LoCoMo: not measured." in missing


def test_the_page_has_a_place_for_them():
    page = PAGE.read_text(encoding="utf-8")
    assert page.index(OPENING) < page.index(CLOSING)
