"""The examples of the page about the life of a memory run as they stand, and print what stands beside them."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "python" / "hippocore" / "lifecycle" / "README.md"
EXAMPLES = re.findall(r"^## (\d+)\. .*?```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture
def events():
    logger = logging.getLogger("hippocore.events")
    level, handlers = logger.level, list(logger.handlers)
    yield
    logger.setLevel(level)
    logger.handlers[:] = handlers


@pytest.mark.usefixtures("events")
@pytest.mark.parametrize(("number", "example"), EXAMPLES, ids=[number for number, _ in EXAMPLES])
def test_an_example_prints_what_the_page_says(number, example, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(example, f"example {number}", "exec"), {"__name__": "example"})
    said = re.findall(r"# → (.*)", example)
    assert said
    assert capsys.readouterr().out.splitlines() == said


def test_each_point_has_an_example():
    assert [number for number, _ in EXAMPLES] == [str(number) for number in range(1, 11)]


def test_every_file_that_the_page_names_exists():
    text = PAGE.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^):#]+)\)", text)
    assert targets
    for target in targets:
        assert (PAGE.parent / target).exists(), target
    for name in re.findall(r"`(\w+\.py)`", text):
        assert (PAGE.parent / name).exists(), name
