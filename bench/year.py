"""A year with four memories side by side: `python -m bench.year [--templates NAME] [--picture FILE]`.

200 sessions of 100 turns on a simulated clock (bench/year_world.py), in sentences of bench/year_templates.py, or in
those of bench/sentences, as various as people's ("free-…"). In each session five questions about facts are asked, each
with a context of 1,000 tokens, and at the end of each month one for every hard rule. The ways:
everything on: `observe_turn` with corrections, room for 1,000 memories, 90 days of history (--history) and else all
defaults; each week `consolidate`, `summarize` and `maintain`, `compact` each month.
append-only: each turn is an episode, nothing merges or ends; recall as always.
sliding window: no store; the newest turns that fit.
newest wins: the memories of append-only; of the 50 that are most like the question the newest ones that fit.

current: questions with the value that holds in the context. old: questions with a value in it that the asked fact had
before, in a memory that says neither the current one too nor that the old one is over. stale: of all statements about
any fact in the contexts, those of a value that holds no longer. Tokens are those of a context. --show says what
everything on gets wrong in the tuning set. "not extracted": the telling of the value that holds led to no memory; "not
superseded": it did, and the old
one stayed.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.year_templates import REPORT, TUNING, sentences
from bench.year_ways import AppendOnly, Clock, Everything, NewestWins, Shown, Way, Window
from bench.year_world import Asked, Fact, Turn, World, stated

MONTHS = 12
FREE = Path(__file__).with_name("sentences")
TEMPLATES = {
    "tuning": TUNING,
    "report": REPORT,
    **{name: (FREE / f"{name}.txt").read_text() for name in ("free-tuning-1", "free-tuning-2", "free-report")},
}
_OVER = re.compile(r"\b(?:no longer|any longer|anymore|any more|no more)\b", re.IGNORECASE)
COLOURS = ("#c1121f", "#5c677d", "#adb5bd", "#1d3557")


class Counts(Counter[str]):
    """Of one way in one month: questions, current, old, facts, stale, tokens, rules, lost, memories, bytes."""

    def share(self, what: str, of: str) -> float:
        return self[what] / self[of] if self[of] else 0.0


def count(counts: Counts, shown: Shown, asked: Asked, facts: Sequence[Fact]) -> tuple[bool, bool]:
    """Count a context; return whether the current value is in it, and whether an old one is."""
    current = any(stated(text, asked.fact, [asked.value]) for text in shown.texts)
    old = any(says_old(text, asked.fact) for text in shown.texts)
    counts.update({"questions": 1, "current": current, "old": old, "tokens": shown.tokens})
    for text in shown.texts:
        for fact in facts:
            if fact.values and fact.about.search(text):
                counts["facts"] += stated(text, fact, fact.values)
                counts["stale"] += says_old(text, fact)
    return current, old


def says_old(text: str, fact: Fact) -> bool:
    """Whether a text says a value that holds no longer, and neither the one that does nor that the old one is over."""
    if not stated(text, fact, fact.values[:-1]) or stated(text, fact, fact.values[-1:]):
        return False
    named = sum(stated(text, fact, [value]) for value in fact.values)
    return named > 1 or _OVER.search(text) is None


class Year:
    """Lives through the year; `months[name][month]` has the counts."""

    def __init__(
        self, folder: Path, world: World, rules: dict[str, str], sessions: int, *, history: str | None, show: bool
    ) -> None:
        self.clock = Clock()
        self.everything = Everything(folder, self.clock, history)
        append = AppendOnly(folder, self.clock)
        self.ways: dict[str, Way] = {
            "everything on": self.everything,
            "append-only": append,
            "sliding window": Window(),
            "newest wins": NewestWins(append),
        }
        self.months = {name: [Counts() for _ in range(MONTHS)] for name in self.ways}
        self.causes = Counter[str]()
        self._world, self._rules, self._sessions, self._show = world, rules, sessions, show
        self._told_rules: list[str] = []

    def live(self) -> None:
        for number in range(self._sessions):
            month = number * MONTHS // self._sessions
            for turn in self._world.session(number):
                self._turn(turn, month)
            for way in self.ways.values():
                way.end_session(self.clock.now)
            if (number + 1) * MONTHS // self._sessions > month:
                self._end_month(month)

    def _turn(self, turn: Turn, month: int) -> None:
        self.clock.now = turn.moment
        for name, way in self.ways.items():
            if turn.asked is not None:
                shown = way.show(turn.asked.question)
                current, old = count(self.months[name][month], shown, turn.asked, self._world.facts)
                if way is self.everything:
                    self._explain(turn.asked, current=current, old=old)
            way.take(turn)
        if turn.rule:
            self._told_rules.append(turn.rule)

    def _explain(self, asked: Asked, *, current: bool, old: bool) -> None:
        for wrong, what in ((not current, "missed"), (old, "old")):
            if wrong:
                why = self.everything.why(asked, missed=what == "missed")
                self.causes[f"{what}, {why}"] += 1
                if self._show:
                    print(f"  {what}, {why}: {asked.question} {asked.value}, before {', '.join(asked.old)}")

    def _end_month(self, month: int) -> None:
        for name, way in self.ways.items():
            counts = self.months[name][month]
            for rule in self._told_rules:
                said = rule.rstrip(".").casefold()
                kept = any(said in text.casefold() for text in way.show(self._rules[rule]).texts)
                counts.update({"rules": 1, "lost": not kept})
            sizes = way.end_month()
            counts.update({"memories": sizes.memories, "bytes": sizes.bytes})


def print_months(name: str, months: Sequence[Counts]) -> None:
    print(f"{name}\nmonth  current    old  stale  rules lost  memories   kB  tokens")
    for i, one in enumerate(months, 1):
        shares = f"{one.share('current', 'questions'):8.1%} {one.share('old', 'questions'):6.1%} "
        shares += f"{one.share('stale', 'facts'):6.1%} {one['lost']:5} of {one['rules']:2}"
        print(f"{i:5} {shares} {one['memories']:9,} {one['bytes'] // 1000:6,} {one.share('tokens', 'questions'):6.0f}")


def print_year(months: dict[str, list[Counts]]) -> None:
    print("| the year | current | old value shown | stale of all shown | rules lost | memories | MB | tokens |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, counts in months.items():
        year, last = Counts(), counts[-1]
        for one in counts:
            year.update(one)
        print(
            f"| {name} | {year.share('current', 'questions'):.1%} | {year.share('old', 'questions'):.1%} "
            f"| {year.share('stale', 'facts'):.1%} | {last['lost']} of {last['rules']} | {last['memories']:,} "
            f"| {last['bytes'] / 1e6:.2f} | {year.share('tokens', 'questions'):.0f} |"
        )


def draw(months: dict[str, list[Counts]], path: Path) -> None:
    """Draw what each way shows and keeps, month by month."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(2, 2, figsize=(11, 7), sharex=True)
    drawn: list[tuple[str, Callable[[Counts], float]]] = [
        ("current fact in a context of 1,000 tokens, %", lambda one: 100 * one.share("current", "questions")),
        ("an old value of the asked fact in it, %", lambda one: 100 * one.share("old", "questions")),
        ("memories", lambda one: one["memories"]),
        ("MB on disk", lambda one: one["bytes"] / 1e6),
    ]
    for axes, (title, value) in zip(panels.flat, drawn, strict=True):
        for (name, counts), colour in zip(months.items(), COLOURS, strict=True):
            axes.plot(range(1, MONTHS + 1), [value(one) for one in counts], color=colour, label=name, linewidth=2)
        axes.set_title(title, fontsize=10)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.2)
        axes.spines[["top", "right"]].set_visible(False)
    for axes in panels[1]:
        axes.set_xlabel("month")
    panels[0][1].legend(frameon=False, fontsize=9)
    figure.tight_layout()
    figure.savefig(path, dpi=90, metadata={"Software": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--templates", choices=TEMPLATES, default="report")
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--history", default="90d", help="how long everything on keeps what has ended; all: for ever")
    parser.add_argument("--show", action="store_true", help="what everything on gets wrong in the tuning set")
    parser.add_argument("--picture", type=Path)
    given = parser.parse_args()
    spoken = sentences(TEMPLATES[given.templates])
    start = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        world = World(spoken, given.sessions, given.seed)
        show = given.show and "tuning" in given.templates
        history = None if given.history == "all" else given.history
        year = Year(Path(folder), world, dict(spoken.rules), given.sessions, history=history, show=show)
        year.live()
    for name, counts in year.months.items():
        print_months(name, counts)
    print_year(year.months)
    print(
        "everything on:", ", ".join(f"{count} {cause}" for cause, count in sorted(year.causes.items())) or "all right"
    )
    if given.picture is not None:
        draw(year.months, given.picture)
    print(f"{given.sessions * 100:,} turns, {time.process_time() - start:.0f} s of this process's CPU")


if __name__ == "__main__":
    main()
