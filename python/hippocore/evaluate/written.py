"""A temporary store that holds a data set, written as a user of `MemoryLayer` would write it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hippocore import MemoryLayer
from hippocore.embedders import ResolvedEmbedder, resolve
from hippocore.evaluate.dataset import Conversation, DataSet, Entry, Question
from hippocore.evaluate.settings import Setting
from hippocore.evaluate.variations import varied

Advance = Callable[[int], None]


@contextmanager
def written_store(data: DataSet, setting: Setting, advance: Advance = lambda steps: None) -> Iterator[WrittenStore]:
    """Give a temporary store that holds the data set, each conversation in a scope of its own."""
    _, speakers, sources, times, order, seed = setting.written
    data = varied(data, speakers=speakers, sources=sources, times=times, order=order, seed=seed)
    embedder = TimedEmbedder(setting.embedder)
    clock = Clock()
    with (
        tempfile.TemporaryDirectory(prefix="hippocore-eval.") as folder,
        MemoryLayer(Path(folder) / "store", embedder=embedder, sync="off", clock=clock) as layer,
    ):
        store = WrittenStore(layer, embedder, clock, data)
        for number, conversation in enumerate(data.conversations):
            store.write(number, conversation)
            advance(len(conversation.entries))
        yield store


class Clock:
    """The real clock, or the moment that it is set to (seconds since 1970)."""

    def __init__(self) -> None:
        self.moment: float | None = None

    def __call__(self) -> float:
        """Return seconds since 1970."""
        return time.time() if self.moment is None else self.moment


class TimedEmbedder:
    """An embedder that counts its seconds, and keeps its last vector: a question asked again costs none."""

    def __init__(self, name: str) -> None:
        found = resolve(name)
        if found is None:
            raise ValueError("an evaluation embeds its texts: name an embedder")
        self._embedder: ResolvedEmbedder = found
        self._last: tuple[list[str], Any] = ([], None)
        self.seconds = 0.0
        self.name = found.name
        self.dim = found.dim
        self.duplicate_threshold = found.duplicate_threshold

    def __call__(self, texts: Sequence[str]) -> Any:
        """Return the vectors (n, dim)."""
        asked = list(texts)
        if asked != self._last[0]:
            start = time.perf_counter()
            self._last = (asked, self._embedder(asked))
            self.seconds += time.perf_counter() - start
        return self._last[1]


class WrittenStore:
    """A store that holds a data set; it knows which memory is which entry."""

    def __init__(self, layer: MemoryLayer, embedder: TimedEmbedder, clock: Clock, data: DataSet) -> None:
        self.layer = layer
        self.data = data
        self.refused = 0
        self.embedder = embedder
        self._clock = clock
        self._entry_of: dict[str, str] = {}

    def write(self, number: int, conversation: Conversation) -> None:
        """Remember the entries of a conversation, which has that number, in one commit, in order, without merging."""
        self._clock.moment = _last_moment(conversation)
        superseded = {entry.supersedes for entry in conversation.entries}
        items = [_item(entry, scope_of(number), entry.id in superseded) for entry in conversation.entries]
        outcomes = self.layer.remember_many(items, merge=False)
        for entry, outcome in zip(conversation.entries, outcomes, strict=True):
            if outcome.id is None or outcome.action == "quarantined":
                self.refused += 1
            else:
                self._entry_of[outcome.id] = entry.id

    def recall(self, number: int, question: Question, **how: Any) -> list[Any]:
        """Return what a recall gives, at the question's present and in its conversation's scope."""
        self._clock.moment = question.asked_at
        return self.layer.recall(question.text, scope=scope_of(number), **how)

    def names(self, found: Sequence[Any]) -> tuple[str, ...]:
        """Return the entries that recalled memories are."""
        return tuple(self._entry_of[hit.id] for hit in found)

    def name(self, memory: str) -> str:
        """Return the entry that the memory of an id is."""
        return self._entry_of[memory]


def scope_of(number: int) -> str:
    """Return the scope of a conversation: names of conversations may be anything, and the same."""
    return f"conversation:{number + 1}"


def _item(entry: Entry, scope: str, is_superseded: bool) -> dict[str, Any]:
    """Return the arguments of `remember`; only what is corrected later needs an id that is known before."""
    item: dict[str, Any] = {"content": entry.content, "scope": scope, **entry.given}
    if entry.source is not None:
        item["source"] = entry.source
    if entry.event_time is not None:
        item["event_time"] = entry.event_time
    if entry.supersedes is not None:
        item["supersedes"] = _name(scope, entry.supersedes)
    if is_superseded:
        item["id"] = _name(scope, entry.id)
    return item


def _name(scope: str, entry: str) -> str:
    return f"{scope}: {entry}"


def _last_moment(conversation: Conversation) -> float | None:
    """Return when a conversation is written: at its last event, where every question of it says its own present."""
    asked = [question.asked_at for question in conversation.questions]
    moments = [entry.event_time for entry in conversation.entries if entry.event_time is not None]
    return max(moments, default=None) if asked and None not in asked else None
