"""The year that `bench/year.py` lives through: sessions of turns in which facts are told, change and are asked for.

A fact is a thing and its values, one after the other, none twice. It is told at some moment of the first half year,
then told again six times (in the same sentence, or another one), and changes up to five times; some never do. The user
tells, and the reply often says the sentence again. Hard rules are told once, in the first month. Everything else is
chatter. All of it is drawn from one seed, whatever the memories answer.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from bench.year_templates import Family, Sentences

YEAR = 365 * 86_400.0
BEGINS = 1_767_225_600.0  # the first of January 2026
TURNS = 100  # of a session
ASKED = 5  # facts in a session


def _words(text: str) -> list[str]:
    return text.split()


_NAMES = _words("Ines Marek Yuki Farid Lotte Oskar Nadia Pavel Chloe Dario Hanna Emeka Sofia Ravi Greta Tomas")
_CITIES = _words("Lisbon Leeds Turin Gdansk Lyon Porto Bergen Ghent Malmo Split Graz Nantes Cork Basel Aarhus")
_COMPANIES = _words("Northwind Hexagon Bluefin Larkspur Kestrel Tandem Quarry Sundial Marlin Copperleaf")
_FORMATS = ["PDF", "Markdown", "HTML", "LaTeX", "plain text", "CSV", "AsciiDoc", "slides", "Word", "JSON"]
_MONTHS = _words("January March April May June July August September October November")
_DAYS = _words("Monday Tuesday Wednesday Thursday Friday Saturday")
_FILES = _words("billing/tax.py notes.md report.tex api/users.py plan.txt web/cart.js data/load.py intro.md")
_OPENINGS = ("", "", "", "", "Hi! ", "By the way, ", "FYI, ", "One more thing: ", "Good morning. ", "Thanks. ")
_REQUESTS = ("", "", "", " Can you take that into account?", " Thanks!", " Please go on with {file}.")
_ECHOES = ("Got it.", "Noted: {said}", "Okay. {said}", "Thanks, I will keep that in mind.", "All right: {said}")


@dataclass
class Fact:
    """A thing of a family; `values` are those that it has had, the last one holds."""

    family: Family
    thing: str
    to_come: list[str]
    values: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.about = re.compile(rf"\b{re.escape(self.thing.partition(' ')[2])}\b", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """A question, what it is about, the value that holds, and those that held before."""

    question: str
    fact: Fact
    value: str
    old: tuple[str, ...]


@dataclass(frozen=True)
class Turn:
    """What is said at a moment; `tells` is a fact and the value that it tells, `rule` a hard rule that it tells."""

    moment: float
    said: str
    reply: str
    tools: tuple[dict[str, Any], ...] = ()
    tells: tuple[Fact, str] | None = None
    rule: str = ""
    asked: Asked | None = None


class World:
    """Draws the sessions; `facts` and their values are as they are at the turn that was drawn last."""

    def __init__(self, sentences: Sentences, sessions: int, seed: int) -> None:
        self._random = random.Random(seed)
        self._sentences = sentences
        self._sessions = sessions
        self.facts = [
            Fact(family, thing, self._random.sample(_values(family.values, self._random), 6))
            for family in sentences.families
            for thing in family.things
        ]
        self._last = dict[str, str]()  # the sentence by which a thing was told
        self._plan: list[list[tuple[str, Any]]] = [[] for _ in range(sessions)]
        for fact in self.facts:
            self._plan_fact(fact)
        for rule, _ in sentences.rules:
            self._plan[self._random.randrange(max(1, sessions // 12))].append(("rule", rule))

    def session(self, number: int) -> Iterator[Turn]:
        """Give the turns of a session; sessions in the order of their numbers, each once."""
        start = BEGINS + YEAR * number / self._sessions
        events = list(self._plan[number])
        self._random.shuffle(events)
        events += [("ask", None)] * ASKED
        places = sorted(self._random.sample(range(TURNS), len(events)))
        waiting = dict(zip(places, events, strict=True))
        for i in range(TURNS):
            yield self._turn(start + 60.0 * i, *waiting.get(i, ("chat", None)))

    def _plan_fact(self, fact: Fact) -> None:
        first = self._random.randrange(max(1, self._sessions // 2))
        later = range(first + 1, self._sessions)
        changes = self._random.choice((0, 1, 2, 3, 4, 5))
        times = self._random.sample(later, min(len(later), changes + 6))
        self._plan[first].append(("tell", fact))
        for i, number in enumerate(times):
            self._plan[number].append(("change" if i < changes else "tell", fact))

    def _turn(self, moment: float, what: str, of: Any) -> Turn:
        if what == "rule":
            return Turn(moment, self._around(of), "Understood.", rule=of)
        known = [fact for fact in self.facts if fact.values]
        if what == "ask" and known:
            return self._ask(moment, self._random.choice(known))
        if what in ("tell", "change"):
            return self._tell(moment, of, changes=what == "change")
        return self._chat(moment)

    def _tell(self, moment: float, fact: Fact, *, changes: bool) -> Turn:
        old = fact.values[-1] if fact.values else ""
        if changes or not old:
            fact.values.append(fact.to_come.pop())
        wordings = fact.family.changes if changes else fact.family.tells
        sentence = _filled(self._random.choice(wordings), fact, fact.values[-1], old)
        if not changes and old and "tell" in self._last.get(fact.thing, "") and self._random.random() < 0.5:
            sentence = self._last[fact.thing].partition(" ")[2]
        self._last[fact.thing] = f"{'change' if changes else 'tell'} {sentence}"
        reply = self._random.choice(_ECHOES).format(said=sentence)
        return Turn(moment, self._around(sentence), reply, tells=(fact, fact.values[-1]))

    def _ask(self, moment: float, fact: Fact) -> Turn:
        question = _filled(self._random.choice(fact.family.questions), fact, "", "")
        value = fact.values[-1]
        reply = _filled(self._random.choice(fact.family.tells), fact, value, "")
        return Turn(moment, question, reply, asked=Asked(question, fact, value, tuple(fact.values[:-1])))

    def _chat(self, moment: float) -> Turn:
        said, reply, tool = self._random.choice(self._sentences.chatter)
        filling = {
            "file": self._random.choice(_FILES),
            "n": self._random.randrange(20, 3_000),
            "m": self._random.randrange(2, 19),
            "k": self._random.randrange(2, 400),
            "about": self._random.choice(self.facts).thing,
        }
        name, _, result = tool.format(**filling).partition(": ")
        tools = ({"name": name, "result": result},) if tool else ()
        return Turn(moment, said.format(**filling), reply.format(**filling), tools)

    def _around(self, sentence: str) -> str:
        """Return a sentence as it stands in a message: after an opening, before a request, or alone."""
        opening, request = self._random.choice(_OPENINGS), self._random.choice(_REQUESTS)
        if opening.endswith((", ", ": ")) and sentence.startswith(("The ", "My ", "We ", "Our ", "From ", "You ")):
            sentence = sentence[0].lower() + sentence[1:]
        return opening + sentence + request.format(file=self._random.choice(_FILES))


def stated(text: str, fact: Fact, values: Sequence[str]) -> bool:
    """Return whether a text names what a fact is about, and one of some values."""
    return fact.about.search(text) is not None and any(_named(value).search(text) for value in values)


@cache
def _named(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./-]){re.escape(value)}(?![\w/-]|[.:]\w)", re.IGNORECASE)


def _filled(template: str, fact: Fact, value: str, old: str) -> str:
    text = template.format(thing=fact.thing, value=value, old=old)
    return text[0].upper() + text[1:]


def _values(sort: str, draw: random.Random) -> list[str]:
    """Return values of a sort to draw from, at least six."""
    return {
        "port": list(map(str, draw.sample(range(1_024, 9_999), 40))),
        "number": list(map(str, draw.sample(range(2, 900), 40))),
        "money": [str(50 * i) for i in draw.sample(range(2, 400), 40)],
        "version": [f"3.{i}" for i in range(7, 15)],
        "host": [f"{name}{i}" for name in ("pg", "node", "db", "box") for i in range(2, 7)],
        "folder": [f"{name}/{i}" for name in ("archive", "vault", "depot") for i in range(2016, 2022)],
        "time": [f"{hour}:{minute}" for hour in range(8, 21) for minute in ("15", "30", "45")],
        "date": [f"{draw.randrange(1, 29)} {month}" for month in _MONTHS],
        "weekday": _DAYS,
        "person": _NAMES,
        "city": _CITIES,
        "company": _COMPANIES,
        "format": _FORMATS,
    }[sort]
