"""The four ways to remember of `bench/year.py`: what each keeps of a turn, and shows for a question."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from bench.year_world import Asked, Turn, stated
from hippocore import ALL, Corrections, MemoryLayer, Ranking, Retention
from hippocore.tokens import estimate

BUDGET = 1_000  # tokens of a context
CAPACITY = 1_000  # memories of everything on
WEEK = 7 * 86_400.0
OWN, SHARED = "user:ada/agent:desk", "user:ada/shared"
LASTING = Ranking(half_life={**Ranking().half_life, "procedure": "3650d"})  # what a rule says does not fade
BY_LIKENESS = Ranking(relevance=1, recency=0, importance=0, usage=0)


class Sizes(NamedTuple):
    memories: int
    bytes: int


class Shown(NamedTuple):
    """The memories of a context, and its tokens."""

    texts: list[str]
    tokens: int


class Way(Protocol):
    """A way to remember."""

    def take(self, turn: Turn) -> None: ...
    def show(self, question: str) -> Shown: ...
    def end_session(self, now: float) -> None: ...
    def end_month(self) -> Sizes: ...


class Clock:
    """The moment that all ways live at."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Everything:
    def __init__(self, folder: Path, clock: Clock, history: str | None) -> None:
        retention = Retention(max_memories=CAPACITY, history=history)
        policies = {"corrections": Corrections(), "retention": retention, "ranking": LASTING}
        self.memory = MemoryLayer(folder / "everything", sync="off", clock=clock, **policies)
        self._maintained = self._session = 0.0
        self.told = dict[tuple[str, str], str]()  # by thing and value: what became of its last telling

    def take(self, turn: Turn) -> None:
        self._session = self._session or turn.moment
        outcomes = self.memory.observe_turn(
            turn.said, turn.reply, turn.tools, scope=OWN, session=f"at {self._session:.0f}"
        )
        if turn.tells is not None:
            fact, value = turn.tells
            made = [(one.action, self.memory.get(one.id).content) for one in outcomes if one.id is not None]
            actions = [action for action, text in made if stated(text, fact, [value])]
            self.told[fact.thing, value] = actions[0] if actions else "not extracted"

    def show(self, question: str) -> Shown:
        block = self.memory.context(question, budget=BUDGET, scope=[OWN, SHARED], touch="relevant")
        return Shown([hit.memory.content for hit in block.memories], block.tokens)

    def end_session(self, now: float) -> None:
        self._session = 0.0
        if now >= self._maintained + WEEK:
            self.memory.consolidate(scope=ALL)
            self.memory.summarize(scope=ALL)
            self.memory.maintain()
            self._maintained = now

    def end_month(self) -> Sizes:
        self.memory.compact()
        return Sizes(self.memory.count(), self.memory.stats().disk_bytes)

    def why(self, asked: Asked, *, missed: bool) -> str:
        """Return why the current value is not shown, or why an old one is."""
        told = self.told.get((asked.fact.thing, asked.value), "not extracted")
        if told in ("not extracted", "quarantined"):
            return told
        if not missed:
            return "not superseded"
        live = self.memory.list(scope=ALL)
        there = any(stated(memory.content, asked.fact, [asked.value]) for memory in live)
        return "not in the context" if there else "stored and gone"


class AppendOnly:
    def __init__(self, folder: Path, clock: Clock) -> None:
        self.memory = MemoryLayer(folder / "append", sync="off", clock=clock)
        self._waiting: list[Turn] = []

    def take(self, turn: Turn) -> None:
        self._waiting.append(turn)

    def show(self, question: str) -> Shown:
        self._write()
        block = self.memory.context(question, budget=BUDGET)
        return Shown([hit.memory.content for hit in block.memories], block.tokens)

    def end_session(self, now: float) -> None:
        self._write()

    def end_month(self) -> Sizes:
        self.memory.compact()
        return Sizes(self.memory.count(), self.memory.stats().disk_bytes)

    def _write(self) -> None:
        items = [{"content": text_of(turn), "event_time": turn.moment} for turn in self._waiting]
        self.memory.remember_many(items, merge=False)
        self._waiting = []


class NewestWins:
    """Reads what append-only wrote."""

    def __init__(self, append: AppendOnly) -> None:
        self._append = append

    def take(self, turn: Turn) -> None:
        pass

    def show(self, question: str) -> Shown:
        hits = self._append.memory.recall(question, limit=50, ranking=BY_LIKENESS)
        return fitting(
            [hit.memory.content for hit in sorted(hits, key=lambda hit: hit.memory.event_time, reverse=True)]
        )

    def end_session(self, now: float) -> None:
        pass

    def end_month(self) -> Sizes:
        return Sizes(self._append.memory.count(), self._append.memory.stats().disk_bytes)


class Window:
    def __init__(self) -> None:
        self._turns: deque[str] = deque(maxlen=BUDGET)

    def take(self, turn: Turn) -> None:
        self._turns.appendleft(text_of(turn))

    def show(self, question: str) -> Shown:
        return fitting(list(self._turns))

    def end_session(self, now: float) -> None:
        pass

    def end_month(self) -> Sizes:
        kept = self.show("").texts
        return Sizes(len(kept), sum(map(len, kept)))


def text_of(turn: Turn) -> str:
    return f"User: {turn.said}\nAssistant: {turn.reply}"


def fitting(texts: Sequence[str]) -> Shown:
    """Return the first texts that fit the budget."""
    shown, tokens = [], 0
    for text in texts:
        tokens += estimate(text)
        if tokens > BUDGET:
            return Shown(shown, tokens - estimate(text))
        shown.append(text)
    return Shown(shown, tokens)
