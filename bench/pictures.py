"""Pictures of the results: latency against size, one scope among many, writes, memory, growth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.ticker import FuncFormatter

from bench.scenarios.run import HIPPOCORE, Row

OURS, OTHER = "#c1121f", "#5c677d"
RIGHT_ENOUGH = 0.98
Results = dict[str, list[Row]]


def draw(results: Results, folder: Path) -> list[Path]:
    """Write a PNG for each scenario there are rows of; returns them."""
    made = []
    for name, picture in _PICTURES.items():
        rows = [row for row in results.get(name.split("-")[0], []) if "why" not in row]
        figure = picture(rows) if rows else None
        if figure is not None:
            path = folder / f"{name}.png"
            figure.tight_layout()
            figure.savefig(path, dpi=110, metadata={"Software": None})
            pyplot.close(figure)
            made.append(path)
    return made


def _lines(rows: list[Row], title: str, across: str) -> Any:
    """Draw p50 against the count, a line a peer: left those that give the right answer, right all others."""
    figure, both = pyplot.subplots(1, 2, figsize=(16, 7), sharey=True)
    lines: dict[str, list[Row]] = {}
    for row in rows:
        name = f"{row['peer']} + rerank" if row["row"] == "rerank" else row["peer"]
        lines.setdefault(name, []).append(row)
    for axes, correct in zip(both, (True, False), strict=True):
        _log(axes, across)
        ends = []
        for name, of in lines.items():
            if name == HIPPOCORE or correct == (min(row["right_four_signals"] for row in of) >= RIGHT_ENOUGH):
                ends.append(_line(axes, name, of))
        _label(axes, ends)
    both[0].set_title("ranked by four signals, at least 98 % of the answers right")
    both[1].set_title("ranked by something else (similarity, or the peer's own), and hippocore")
    both[0].set_ylabel("p50 of one recall, milliseconds")
    figure.suptitle(title)
    return figure


def _line(axes: Any, name: str, rows: list[Row]) -> tuple[int, float, str, str]:
    points = sorted((row["count"], row["p50_ms"]) for row in rows)
    ours = name == HIPPOCORE
    colour = OURS if ours else OTHER
    axes.plot(*zip(*points, strict=True), color=colour, marker="o", markersize=4, linewidth=3 if ours else 1.3)
    return *points[-1], name, colour


def _log(axes: Any, across: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(across)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.grid(which="both", alpha=0.2)
    axes.spines[["top", "right"]].set_visible(False)


def _label(axes: Any, ends: list[tuple[int, float, str, str]]) -> None:
    """Write each line's name right of the picture, in order of its last point, moved apart where they would overlap."""
    axes.figure.canvas.draw()
    inside = axes.transAxes.inverted()
    places = sorted((float(inside.transform(axes.transData.transform((x, y)))[1]), x, y, n, c) for x, y, n, c in ends)
    heights: list[float] = []
    for place, *_ in places:
        heights.append(max(place, heights[-1] + 0.034) if heights else place)
    overshoot = max(0.0, heights[-1] - 1.0) if heights else 0.0
    for height, (_, x, y, name, colour) in zip(heights, places, strict=True):
        axes.annotate(
            name,
            xy=(x, y),
            xytext=(1.03, height - overshoot),
            textcoords="axes fraction",
            color=colour,
            fontsize=9,
            fontweight="bold" if name == HIPPOCORE else "normal",
            va="center",
            arrowprops={"arrowstyle": "-", "color": colour, "alpha": 0.3, "linewidth": 0.8},
        )


def _size(rows: list[Row]) -> Any:
    return _lines(rows, f"Recall by vector, {rows[0]['dimension']} dimensions, top 40, one thread", "memories")


def _scopes(rows: list[Row]) -> Any:
    return _lines(rows, "Recall in one scope of 100 memories, top 40, one thread", "memories in all scopes")


def _bars(rows: list[Row], value: Callable[[Row], float], title: str, across: str, text: str) -> Any:
    """Draw a bar a row, longest last, on a logarithmic axis."""
    rows = sorted(rows, key=value)
    figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.36 * len(rows)))
    names = [f"{row['peer']} + rerank" if row.get("row") == "rerank" else row["peer"] for row in rows]
    colours = [OURS if row["peer"] == HIPPOCORE else OTHER for row in rows]
    bars = axes.barh(names, [value(row) for row in rows], color=colours)
    axes.bar_label(bars, [text.format(value(row)) for row in rows], padding=4, fontsize=9)
    axes.set_xscale("log")
    axes.margins(x=0.15)
    axes.set_xlabel(across)
    axes.set_title(title)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _writes(rows: list[Row]) -> Any:
    title = "One memory at a time, each committed (what a crash may cost differs)"
    return _bars(rows, lambda row: row["a_second"], title, "memories a second", "{:,.0f}")


def _turns(rows: list[Row]) -> Any:
    title = f"{rows[0]['count']:,} turns ({rows[0]['vectors']}), top 10"
    return _bars(rows, lambda row: row["p50_ms"], title, "p50 of one recall, milliseconds", "{:.3g}")


def _at_largest(rows: list[Row], key: str) -> list[Row]:
    """Return the rows of the size that most peers were measured at, the larger of two."""
    of = [row for row in rows if key in row and row["row"] == "own"]
    counts = [row["count"] for row in of]
    chosen = max(set(counts), key=lambda count: (counts.count(count), count)) if counts else 0
    return [row for row in of if row["count"] == chosen]


def _memory(rows: list[Row]) -> Any:
    rows = _at_largest(rows, "resident_mb")
    title = f"Resident memory after the queries, {rows[0]['count']:,} memories (mapped pages included)"
    return _bars(rows, lambda row: row["resident_mb"], title, "MB", "{:,.0f}")


def _open(rows: list[Row]) -> Any:
    rows = _at_largest(rows, "open_ms")
    title = f"Open {rows[0]['count']:,} memories in a new process and answer once"
    return _bars(rows, lambda row: row["open_ms"] + row["first_ms"], title, "milliseconds", "{:,.3g}")


def _growth(rows: list[Row]) -> Any:
    rows = sorted(rows, key=lambda row: row["count"])
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    counts = [row["count"] for row in rows]
    axes.plot(counts, [row["times_half"] for row in rows], color=OURS, marker="o")
    axes.axhline(2, color=OTHER, linestyle=":", label="twice the memories, twice the time")
    axes.set_xscale("log")
    axes.set_ylim(bottom=1)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.set_xlabel("memories")
    axes.set_ylabel("time of half as many × …")
    axes.set_title("hippocore: what twice the memories cost")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


_PICTURES: dict[str, Callable[[list[Row]], Any]] = {
    "size": _size,
    "size-open": _open,
    "size-memory": _memory,
    "scopes": _scopes,
    "turns": _turns,
    "writes": _writes,
    "growth": _growth,
}
