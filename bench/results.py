"""Rows on disk: one JSON file a scenario, in which a run replaces the rows it measured again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.scenarios.run import Row

_KEY = ("peer", "row", "count", "dimension", "scopes", "vectors", "threads", "writer")


class Results:
    """The results folder. Each row carries the machine it was measured on, as `python -m bench` prints it."""

    def __init__(self, folder: Path, machine: dict[str, Any]) -> None:
        self.folder, self.machine = folder, machine
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, row: Row) -> None:
        """Put a row in its scenario's file, in the place of an older one; a peer's failure replaces all its rows."""
        path = self.folder / f"{row['scenario']}.json"
        rows = [old for old in read(path) if not _replaced(old, row)]
        rows.append({**{key: _rounded(value) for key, value in row.items()}, "machine": self.machine})
        text = ",\n  ".join(json.dumps(each) for each in rows)
        path.write_text(f"[\n  {text}\n]\n")


def read(path: Path) -> list[Row]:
    return json.loads(path.read_text()) if path.exists() else []


def read_all(folder: Path) -> dict[str, list[Row]]:
    return {path.stem: read(path) for path in sorted(folder.glob("*.json"))}


def _replaced(old: Row, new: Row) -> bool:
    if "why" in new and "row" not in new:
        same = [key for key in _KEY if key not in ("row", "threads", "writer")]
    else:
        same = list(_KEY)
    if "why" in old and "row" not in old:
        same = [key for key in same if key != "row"]
    return all(old.get(key) == new.get(key) for key in same)


def _rounded(value: Any) -> Any:
    return float(f"{value:.4g}") if isinstance(value, float) else value
