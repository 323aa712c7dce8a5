"""The scenarios by name: each yields rows, one a peer and question, as it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.scenarios import growth, recall, together, turns, writes
from bench.scenarios.run import Row, Run

SCENARIOS: dict[str, tuple[Callable[[Run], Iterator[Row]], str]] = {
    "size": (recall.size, "recall by vector against the number of memories; opening; memory; answers right or not"),
    "scopes": (recall.scopes, "recall in one scope of 100 memories among ever more others"),
    "wide": (recall.wide, "recall at 1536 dimensions, 100,000 memories"),
    "real": (recall.real, "recall on embedded sentences of docstrings and of --text"),
    "writes": (writes.writes, "remembering one at a time, each committed"),
    "turns": (turns.turns, "5,000 conversation turns in one scope, top 10, words and vectors"),
    "busy": (together.busy, "p99 of recall while a writer runs flat out, against idle"),
    "threads": (together.threads, "answers a second of 1 to 8 threads"),
    "growth": (growth.growth, "twice the memories: the ratio of times, hippocore alone"),
}
