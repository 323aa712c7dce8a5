"""Makes the demo's store: the library's docstrings, then the week, each turn at its own time."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from pathlib import Path

from hippocore import MemoryLayer, StoreNotFound
from hippocore.cli.demo.docstrings import Docstring, collect, source_files
from hippocore.cli.demo.week import AGENT, USES, WEEK, Turn, Use
from hippocore.cli.progress import Advance, bar

DAYS = 7
BATCH = 500
NAME = "hippocore-demo.mem"


class Clock:
    """A clock that is set by hand, for the week to be written at its own dates."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the seconds since 1970 that it was set to."""
        return self.now


def default_path() -> Path:
    """Return the demo's place in the user's cache folder, or in the temporary one where that cannot be written."""
    cache = _cache_folder()
    return cache / NAME if cache else Path(tempfile.gettempdir()) / f"{os.getuid()}-{NAME}"


def build(path: Path, *, now: float, limit: int | None = None) -> None:
    """Make the store at a path where there is none; it appears there only when it is complete.

    `limit` is how many docstrings at most, `now` in seconds since 1970 is when the week ends.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f"{path.name}.", dir=path.parent))
    try:
        clock = Clock()
        with MemoryLayer(unfinished / "store", embedder="local", clock=clock) as memory_layer:
            _remember_library(memory_layer, clock, now, limit)
            _live_week(memory_layer, clock, now)
            memory_layer.checkpoint()
        (unfinished / "store").rename(path)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def is_demo(path: Path) -> bool:
    """Return whether the store at the path holds the demo's week; False where there is no store."""
    try:
        with MemoryLayer(path, create=False, read_only=True, embedder=None) as memory_layer:
            return bool(memory_layer.count(scope=AGENT))
    except StoreNotFound:
        return False


def moment(day: int, clock_time: str, now: float) -> float:
    """Return seconds since 1970 of a time of day of the week, of which day 6 is the day before `now`."""
    midnight = datetime.fromtimestamp(now, timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    hour, minute = map(int, clock_time.split(":"))
    return (midnight + timedelta(days=day - DAYS, hours=hour, minutes=minute)).timestamp()


def _cache_folder() -> Path | None:
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # RuntimeError: the user has no home
        return None
    return cache if os.access(cache, os.W_OK) else None


def _remember_library(memory_layer: MemoryLayer, clock: Clock, now: float, limit: int | None) -> None:
    """Remember the docstrings, as read in the first hour of the week."""
    clock.now = moment(0, "08:00", now)
    with bar("Reading the standard library", len(source_files())) as read:
        docstrings = collect(limit=limit, read=read)
    with bar("Remembering its docstrings", len(docstrings)) as remembered:
        _remember_docstrings(memory_layer, docstrings, remembered)


def _remember_docstrings(memory_layer: MemoryLayer, docstrings: list[Docstring], remembered: Advance) -> None:
    for start in range(0, len(docstrings), BATCH):
        batch = docstrings[start : start + BATCH]
        memory_layer.remember_many(
            [
                {
                    "content": docstring.text,
                    "scope": docstring.scope,
                    "kind": "fact",
                    "importance": 0.3,
                    "source": docstring.source,
                    "tags": ["documentation"],
                }
                for docstring in batch
            ],
            merge=False,
        )
        remembered(len(batch))


def _live_week(memory_layer: MemoryLayer, clock: Clock, now: float) -> None:
    """Go through the week as it happened: every turn is remembered, and every use counted, at its own time."""
    ids: dict[str, str] = {}
    events: Iterable[Turn | Use] = sorted((*WEEK, *USES), key=lambda event: (event.day, event.time))
    for event in events:
        clock.now = moment(event.day, event.time, now)
        if isinstance(event, Use):
            memory_layer.feedback([ids[event.name]], useful=True)
            continue
        remembered = memory_layer.remember(
            event.text,
            scope=event.scope,
            kind=event.kind,
            importance=event.importance,
            metadata={"turn": event.name} if event.name else None,
            supersedes=ids[event.corrects] if event.corrects else None,
        )
        if event.name and remembered.id is not None:
            ids[event.name] = remembered.id
