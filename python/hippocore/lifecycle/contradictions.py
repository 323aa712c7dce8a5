"""Whether two statements cannot both hold though they are worded apart: by negation, opposites, numbers, order. Pure.

`corrects` compares words in their order; here their order does not count: "Bob never drinks coffee in the morning",
"In the morning Bob drinks coffee". The two have to say the same words but for what contradicts, and the same names.
The rules are of English.

`python -m bench.corrections`, on the 173 pairs of `hippocore.lifecycle.corrections`: 66 of the 78 that correct or
contradict are found by either, and 66 of the 68 that are found cannot hold together.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from hippocore.lifecycle import correction_words as english
from hippocore.lifecycle.corrections import LEAST_SIMILARITY, Correction, Rule
from hippocore.lifecycle.statements import Statement, number, read

SHARED_WORDS: Final = 0.8
"""The share of the telling words of both that two contradicting statements have in common. On the pairs of tuning 0.7
to 1 find the same, all right, and at 0.6 the first three wrong ones come in."""

_PREFERS: Final = frozenset(("prefer", "like", "favor", "rank", "value", "choose"))
_BETWEEN: Final = ("over", "than", "to", "before")


def contradicts(new_text: str, old_text: str, similarity: float) -> Correction | None:
    """Return by which rule two texts cannot both hold, None by none; similarity is the cosine of their vectors."""
    new, old = read(new_text), read(old_text)
    return None if new is None or old is None else contradiction(new, old, similarity)


def contradiction(new: Statement, old: Statement, similarity: float) -> Correction | None:
    """Return as `contradicts` does, of texts that were read."""
    if new.adds or old.adds or new.counts or old.counts or similarity < LEAST_SIMILARITY:
        return None
    if new.is_past or old.is_past or not new.words or not old.words or new.speaker != old.speaker:
        return None
    if not english.CONDITIONS.isdisjoint((*new.forms, *old.forms)):
        return None
    found = _order(new, old) or _judged(_said(new), _said(old))
    return None if found is None else Correction(found)


class _Said(NamedTuple):
    """What a statement says, without order; `predicate` are its words from the verb on."""

    words: frozenset[str]
    predicate: frozenset[str]
    numbers: tuple[str, ...]
    counted: str  # what follows the only number, if that is a quantity
    names: frozenset[str]
    negative: bool


def _said(statement: Statement) -> _Said:
    forms, verb = statement.forms, statement.verb
    numbers = [i for i, form in enumerate(forms) if number(form) is not None]
    words = frozenset(forms) - english.EMPTY - {forms[i] for i in numbers} - {":", "="}
    names = frozenset(word.form for word in statement.words[1:] if word.shown[:1].isupper()) | _first_name(statement)
    predicate = frozenset(forms[verb:]) if verb is not None else frozenset()
    counted = _counted(statement, numbers[0]) if len(numbers) == 1 else ""
    return _Said(words, predicate, tuple(forms[i] for i in numbers), counted, names, statement.negative)


def _counted(statement: Statement, place: int) -> str:
    """Return what a number counts; nothing where it may tell one thing from another, as before the verb."""
    forms, verb = statement.forms, statement.verb
    if verb is None or 0 < place < verb or (place and forms[place - 1] in english.INDEXED):
        return ""
    after = forms[place + 1] if place + 1 < len(forms) else ""
    return "" if after in english.EMPTY | english.VERBS else after


def _first_name(statement: Statement) -> frozenset[str]:
    """Return the first word where a verb follows it, so that it is a name; elsewhere its capital says nothing."""
    first = statement.words[0]
    named = statement.verb == 1 and first.shown[:1].isupper() and first.article == ""
    return frozenset((first.form,)) - english.EMPTY if named else frozenset()


def _judged(new: _Said, old: _Said) -> Rule | None:
    if new.names - old.words or old.names - new.words:
        return None
    added, gone = new.words - old.words, old.words - new.words
    opposite = frozenset((*added, *gone)) in english.OPPOSITES and added <= new.predicate and gone <= old.predicate
    common = len(new.words & old.words) + opposite
    if not common or common / (len(new.words | old.words) - opposite) < SHARED_WORDS:
        return None
    if new.numbers != old.numbers:
        exact = new.words == old.words and not new.negative and not old.negative
        return "number" if exact and new.counted and new.counted == old.counted else None
    if opposite:
        return "opposite" if new.negative == old.negative else None
    return "negation" if new.negative != old.negative else None


def _order(new: Statement, old: Statement) -> Rule | None:
    """Judge a preference of two things turned round: "prefers tea over coffee", "prefers coffee over tea"."""
    if new.negative or old.negative or new.verb is None or new.subject != old.subject or new.verb != old.verb:
        return None
    if new.forms[new.verb] not in _PREFERS or new.forms[new.verb] != old.forms[new.verb]:
        return None
    mine, theirs = new.forms[new.verb + 1 :], old.forms[new.verb + 1 :]
    for word in _BETWEEN:
        if word in mine and word in theirs:
            at, other = mine.index(word), theirs.index(word)
            if at and other and mine[:at] == theirs[other + 1 :] and mine[at + 1 :] == theirs[:other] != mine[:at]:
                return "order"
    return None
