"""The Markdown tables of the results, `README.md` beside them, and the pictures where matplotlib is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from bench.results import read_all
from bench.scenarios.run import Row

Column = tuple[str, Callable[[Row], str]]


def write_tables(folder: Path) -> list[Path]:
    """Write README.md and the pictures of a results folder; returns what was written."""
    results = read_all(folder)
    try:
        from bench.pictures import draw
    except ModuleNotFoundError:
        pictures = []
    else:
        pictures = draw(results, folder)
    page = folder / "README.md"
    page.write_text("\n".join(_page(results, pictures)))
    return [page, *pictures]


def _page(results: dict[str, list[Row]], pictures: list[Path]) -> Iterator[str]:
    yield "# Results"
    yield ""
    yield "Written by `python -m bench`; [how to read it](../README.md). One thread where there is a knob."
    yield ""
    yield from _machines(row for rows in results.values() for row in rows)
    for name, title, tables in _SECTIONS:
        rows = results.get(name, [])
        if not rows:
            continue
        yield from ("", f"## {title}", "")
        yield from (f"![{title}]({path.name})\n" for path in pictures if path.stem.split("-")[0] == name)
        yield from tables(rows)


def _machines(rows: Iterable[Row]) -> Iterator[str]:
    seen = {tuple((key, str(value)) for key, value in row["machine"].items()) for row in rows}
    for each in sorted(seen):
        said = dict(each)
        unset = said["unset"].strip("[]").replace("'", "") or "none"
        yield (
            f"Machine: {said['cpu']}, {said['cores']} cores, cache {said['cache']}, kernels {said['kernels']}; Python "
            f"{said['python']}, numpy {said['numpy']} with {said['blas']}; unset: {unset}."
        )


def _name(row: Row) -> str:
    version = f" {row['version']}" if row.get("version", "").count(" ") == 0 and row.get("version") else ""
    rerank = f" + rerank of {row['pool']:,}" if "pool" in row else ", reranked" if row.get("row") == "rerank" else ""
    return f"{row['peer']}{version}{rerank}"


def milliseconds(value: float | None) -> str:
    """Return three digits, never an exponent."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _figure(key: str, shown: Callable[[float | None], str] = milliseconds) -> Callable[[Row], str]:
    return lambda row: shown(row.get(key))


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}" if value < 0.9995 else "100%"


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}×" if value >= 100 else f"{value:.2g}×"


def _question(row: Row) -> str:
    ranks = row.get("ranks", "four signals")
    return {"its own": "its own", "similarity": "similarity"}.get(ranks, "four signals")


RECALL: list[Column] = [
    ("peer", _name),
    ("ranks by", _question),
    ("p50 ms", _figure("p50_ms")),
    ("p99 ms", _figure("p99_ms")),
    ("÷ hippocore", _figure("times_hippocore", _ratio)),
    ("right, four signals", _figure("right_four_signals", _percent)),
    ("right, similarity", _figure("right_similarity", _percent)),
]
STORE: list[Column] = [
    ("peer", _name),
    ("open ms", _figure("open_ms")),
    ("first answer ms", _figure("first_ms")),
    ("resident MB", _figure("resident_mb")),
    ("of that anonymous", _figure("anonymous_mb")),
    ("disk MB", _figure("disk_mb")),
    ("fill s", _figure("fill_seconds")),
]
WRITES: list[Column] = [
    ("peer", _name),
    ("p50 ms", _figure("p50_ms")),
    ("p99 ms", _figure("p99_ms")),
    ("a second", _figure("a_second")),
    ("÷ hippocore (mean)", _figure("times_hippocore", _ratio)),
    ("what is lost", lambda row: row.get("keeps", "")),
]
TURNS: list[Column] = [*RECALL[:1], *RECALL[2:5], ("fewest given of 10", lambda row: str(row.get("fewest_given", "")))]
BUSY: list[Column] = [
    ("peer", _name),
    ("writer", lambda row: row["writer"]),
    ("idle p50 ms", _figure("idle_p50_ms")),
    ("busy p50 ms", _figure("busy_p50_ms")),
    ("idle p99 ms", _figure("idle_p99_ms")),
    ("busy p99 ms", _figure("busy_p99_ms")),
    ("p99 ratio", _figure("p99_ratio", _ratio)),
    ("writes a second", _figure("writes_a_second")),
]
GROWTH: list[Column] = [
    ("memories", lambda row: f"{row['count']:,}"),
    ("codes and metadata MB", _figure("codes_mb")),
    ("p50 ms", _figure("p50_ms")),
    ("half as many, p50 ms", _figure("half_p50_ms")),
    ("ratio", _figure("times_half", _ratio)),
]


def _table(columns: list[Column], rows: list[Row]) -> Iterator[str]:
    if not rows:
        return
    yield f"| {' | '.join(name for name, _ in columns)} |"
    yield f"|{' --- |' * len(columns)}"
    for row in rows:
        yield f"| {' | '.join(show(row) for _, show in columns)} |"
    yield ""


def _why(rows: Iterable[Row]) -> Iterator[str]:
    """Yield one line for each peer without a figure, and the reason."""
    said = dict.fromkeys(f"- {_name(row)}: {row['why']}" for row in rows if "why" in row)
    yield from said
    if said:
        yield ""


def _by_set(columns: list[Column], *, stores: bool) -> Callable[[list[Row]], Iterator[str]]:
    """Return what writes a table for each set of memories, fastest first, hippocore's rows among the others."""

    def tables(rows: list[Row]) -> Iterator[str]:
        for key in sorted({_set_of(row) for row in rows}):
            of_set = [row for row in rows if _set_of(row) == key]
            measured = sorted((row for row in of_set if "why" not in row), key=lambda row: row["p50_ms"])
            count, dimension, scopes, vectors = key
            among = f" in {scopes:,} scopes, one asked" if scopes > 1 else ""
            yield f"### {count:,} × {dimension}{among} ({vectors})\n"
            yield from _table(columns, measured)
            yield from _why(of_set)
            if stores:
                yield "Opening (a new process, page cache warm, after the imports), memory after the queries, disk:\n"
                yield from _table(STORE, [row for row in measured if row.get("row") == "own"])

    return tables


def _set_of(row: Row) -> tuple[int, int, int, str]:
    return row["count"], row["dimension"], row["scopes"], row["vectors"]


def _writes(rows: list[Row]) -> Iterator[str]:
    yield from _table(WRITES, sorted((row for row in rows if "why" not in row), key=lambda row: -row["a_second"]))
    yield from _why(rows)


def _busy(rows: list[Row]) -> Iterator[str]:
    yield from _table(BUSY, [row for row in rows if "why" not in row])
    yield from _why(rows)


def _threads(rows: list[Row]) -> Iterator[str]:
    numbers = sorted({row["threads"] for row in rows if "threads" in row})
    rates: dict[str, dict[int, Any]] = {}
    for row in rows:
        if "threads" in row:
            rates.setdefault(_name(row), {})[row["threads"]] = row["a_second"]
    columns: list[Column] = [("peer", lambda row: row["peer"])]
    columns += [(f"{n} threads, a second", _figure(str(n))) for n in numbers]
    yield from _table(
        columns, [{"peer": name, **{str(n): rate for n, rate in of.items()}} for name, of in rates.items()]
    )
    yield from _why(rows)


def _growth(rows: list[Row]) -> Iterator[str]:
    yield from _table(GROWTH, sorted(rows, key=lambda row: row["count"]))


_SECTIONS: list[tuple[str, str, Callable[[list[Row]], Iterator[str]]]] = [
    ("size", "Recall against the number of memories", _by_set(RECALL, stores=True)),
    ("scopes", "One scope among many", _by_set(RECALL, stores=False)),
    ("wide", "Wide vectors", _by_set(RECALL, stores=False)),
    ("real", "Real sentences", _by_set(RECALL, stores=False)),
    ("turns", "Conversation turns, top 10", _by_set(TURNS, stores=False)),
    ("writes", "Writes, one at a time, each committed", _writes),
    ("busy", "Recall while a writer runs flat out", _busy),
    ("threads", "Many threads at once", _threads),
    ("growth", "Twice the memories", _growth),
]
