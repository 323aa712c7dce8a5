"""The figures of one or two settings as a picture: an SVG of bars, written without any library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

from hippocore.evaluate.report import Means, Report

FIGURE: Final = "recall@10"
COLOURS: Final = ("#c1121f", "#5c677d")
_LEFT, _WIDTH, _RIGHT = 240, 480, 70  # names, the bars, the numbers behind them
_BAR, _GAP, _TOP = 16, 12, 64


def drawn(reports: Sequence[Report]) -> str:
    """Return an SVG: for each group of questions a bar a report, as long as its share of the evidence at 10."""
    groups = [groups_of(report) for report in reports]
    names = list(groups[0])
    step = _BAR * len(reports) + _GAP
    parts = [_legend(reports)]
    for place, name in enumerate(names):
        top = _TOP + place * step
        parts.append(_text(_LEFT - 10, top + step / 2 - 2, name, "end"))
        for row, of in enumerate(groups):
            parts.append(_bar(top + row * _BAR, of[name].figures[FIGURE], COLOURS[row % len(COLOURS)]))
    size = f'width="{_LEFT + _WIDTH + _RIGHT}" height="{_TOP + len(names) * step}"'
    style = 'font-family="sans-serif" font-size="12"'
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n{body}\n</svg>\n'


def groups_of(report: Report) -> dict[str, Means]:
    """Return every group of questions of a report under the name that a reader sees."""
    named = {"all": report.all} if report.all.questions else {}
    named |= {f"category {name}" if name else "no category": means for name, means in report.categories.items()}
    named |= {f"conversations {name}": means for name, means in report.halves.items()}
    return named | {f"apart: category {name}" if name else "apart": means for name, means in report.apart.items()}


def _legend(reports: Sequence[Report]) -> str:
    lines = [_text(_LEFT, 18, f"share of the evidence among the first 10 ({FIGURE})", "start")]
    for row, report in enumerate(reports):
        lines.append(_text(_LEFT, 34 + 14 * row, report.setting, "start", COLOURS[row % len(COLOURS)]))
    return "\n".join(lines)


def _bar(top: float, value: float, colour: str) -> str:
    length = round(_WIDTH * value, 1)
    bar = f'<rect x="{_LEFT}" y="{top}" width="{length}" height="{_BAR - 3}" fill="{colour}"/>'
    return bar + _text(_LEFT + length + 6, top + _BAR - 5, f"{value:.3f}", "start")


def _text(x: float, y: float, words: str, anchor: str, colour: str = "#222") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'
