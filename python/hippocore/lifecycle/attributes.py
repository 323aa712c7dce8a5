"""One attribute of one thing in two wordings: "the port of the mailer is 25", "the mailer moved to port 26". Pure.

A statement is taken for what it names, in any order: "port", "mailer", and a value. What only links them says nothing
here ("is", "has a", "listens on", "was raised to"), and what says the same of it counts as the same word ("costs" and
"price", "due" and "deadline", "owns" and "owner"). Two that name the same, of which one attribute there is one, and
differ in the value alone, cannot both hold. Any word besides makes them be about different things.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from hippocore.lifecycle import correction_words as english
from hippocore.lifecycle.slots import are_units, forms_of, is_name, sort_of
from hippocore.lifecycle.statements import Statement, Word, is_date, number

_LINKS: Final = english.CHANGES | english.as_written(
    "be was were have had been listen run use set take up down by of to on at in from with as we i our my"
)
_SAME: Final = {
    "cost": "price",
    "due": "deadline",
    "owned": "owner",
    "own": "owner",
    "led": "lead",
    "managed": "manager",
    "maintained": "maintainer",
    "begin": "start",
    "weigh": "weight",
}
_NOT_BEFORE: Final = english.INDEXED | {"by"}  # "rose by 5" does not say to what
_HOLDERS: Final = frozenset(("owner", "lead", "leader", "manager", "maintainer"))
_BEFORE_A_VALUE: Final = ("be", "to", ":", "=")  # "the … is 5", "… was changed to 5"
_DUE: Final = frozenset(("deadline", "start"))
_POSTPONED: Final = frozenset(("moved", "postponed", "rescheduled", "delayed", "scheduled"))
_ANY_TIME: Final = frozenset(("when",)) | _DUE
_TAKES_PLACE: Final = frozenset(("place", "happen", "scheduled"))
_MOST_IN_VALUE: Final = 3  # words of a name


class Attribute(NamedTuple):
    """What a statement names, and the value of it; its repr shows none of it."""

    names: frozenset[str]
    value: tuple[str, ...]
    sort: str  # "number", "date", "name", "value"
    which: frozenset[str] = frozenset()  # of its dates or holders: what was postponed may be due, or start

    def __repr__(self) -> str:
        return f"Attribute(sort={self.sort!r})"


def attribute_of(statement: Statement) -> Attribute | None:
    """Return a statement's attribute and value; None where it has not plainly one."""
    if statement.negative or statement.counts or statement.adds:
        return None
    if (taken := _taken_over(statement)) is not None or statement.verb is None:
        return taken
    if _tells_of_an_event(statement) or not english.CONDITIONS.isdisjoint(statement.forms):
        return None
    return _quantity(statement) or _holder(statement) or _preference(statement)


def same_attribute(new: Statement, old: Statement) -> str | None:
    """Return the sort of value in which two statements of one attribute differ, None where they do not."""
    mine, theirs = attribute_of(new), attribute_of(old)
    if mine is None or theirs is None or mine.value == theirs.value:
        return None
    if (mine.names, mine.sort, _units(mine)) != (theirs.names, theirs.sort, _units(theirs)):
        return None
    return mine.sort if not mine.which or mine.which & theirs.which else None


def _units(attribute: Attribute) -> frozenset[str]:
    return english.UNITS.intersection(attribute.value)


def old_value(new: Statement, old: Statement) -> frozenset[str]:
    """Return the words of the value that an old statement has and a new one that corrects it does not."""
    attribute = attribute_of(old) if same_attribute(new, old) else None
    said = _telling_words(old) if attribute is None else frozenset(attribute.value) - english.UNITS
    return said - _telling_words(new)


def _telling_words(statement: Statement) -> frozenset[str]:
    """Return the words that tell what a statement is about, and its value: all but what links them."""
    links = english.TAILS | english.EMPTY | english.VERBS | english.UNITS | _DUE | _POSTPONED | _TAKES_PLACE
    return _names(statement.words) - links


def _tells_of_an_event(statement: Statement) -> bool:
    """Whether its verb is of the past and none that says what holds since: "was raised to" does."""
    return statement.is_past and (english.CHANGES | _POSTPONED).isdisjoint(statement.forms)


def _names(words: Sequence[Word]) -> frozenset[str]:
    return frozenset(_SAME.get(word.form, word.form) for word in words) - _LINKS


def _quantity(statement: Statement) -> Attribute | None:
    """Read the only number or date, behind the verb, with its units; what has an attribute's name or units has one."""
    words = statement.words
    places = [i for i, word in enumerate(words) if number(word.form) is not None or is_date(word.form)]
    if not places or places[0] <= (statement.verb or 0) or places != list(range(places[0], places[-1] + 1)):
        return None
    start, end = places[0], places[-1] + 1
    if statement.forms[start - 1] in _NOT_BEFORE or not english.TAILS.isdisjoint(statement.forms[end:]):
        return None
    while end < len(words) and are_units(words[end : end + 1]):
        end += 1
    names, value = _names((*words[:start], *words[end:])), words[start:end]
    if not english.SHARED.isdisjoint(names):
        return None
    if sort_of(value) == "date":
        return _dated(statement, names, forms_of(value))
    alone = (
        end == len(words)
        and statement.forms[start - 1] in _BEFORE_A_VALUE
        and not _names(words[statement.verb : start])
    )
    unique = alone or _is_named(statement.forms[:start]) or _is_release(words, start)
    return Attribute(names, forms_of(value), "number") if unique and len(names) > 1 else None


def _is_named(before: tuple[str, ...]) -> bool:
    """Whether what a number is of stands right before it: "port 25", "a budget of 500 euros", "costs 5 euros"."""
    name = before[-2] if before[-1] == "of" and len(before) > 1 else before[-1]
    return name in english.ATTRIBUTES or _SAME.get(name) == "price"


def _dated(statement: Statement, names: frozenset[str], value: tuple[str, ...]) -> Attribute | None:
    """Read which of a thing's dates is said: when it is due, starts, or is; what was postponed may be any of these."""
    said = names & _DUE
    if not said:
        forms = frozenset(statement.forms[statement.verb :])
        said = _ANY_TIME if forms & _POSTPONED else frozenset(("when",)) if forms & (_TAKES_PLACE | {"be"}) else said
    of = names - _DUE - _POSTPONED - _TAKES_PLACE
    return Attribute(of, value, "date", said) if said and of else None


def _is_release(words: Sequence[Word], start: int) -> bool:
    """Whether a number is a version behind the name of what has it: "Python 3.12", "release 4.1"."""
    return "." in words[start].form and (is_name(words[start - 1 : start]) or words[start - 1].form == "release")


def _holder(statement: Statement) -> Attribute | None:
    """Read who holds what one holds: "X owns Y", "Y is owned by X", "the owner of Y is X", "X is the owner of Y"."""
    words, verb = statement.words, statement.verb or 0
    before, after = words[:verb], words[verb + 1 :]
    if _SAME.get(statement.forms[verb], statement.forms[verb]) in _HOLDERS:
        holder, of = (after[1:], (*before, words[verb])) if forms_of(after[:1]) == ("by",) else (before, words[verb:])
    elif statement.forms[verb] != "be":
        return None
    elif len(after) > 2 and after[1].form == "by":
        holder, of = after[2:], (*before, after[0])
    else:
        holder, of = (after, before) if _names(before) & _HOLDERS else (before, after)
    return _held_by(holder, of, _names(of) & _HOLDERS)


def _taken_over(statement: Statement) -> Attribute | None:
    """Read "X took over Y", whatever X then is of it."""
    for at in range(1, len(statement.words) - 2):
        if statement.forms[at : at + 2] == ("took", "over"):
            end = statement.forms.index("from") if "from" in statement.forms[at:] else len(statement.words)
            return _held_by(statement.words[:at], statement.words[at + 2 : end], _HOLDERS)
    return None


def _held_by(holder: Sequence[Word], of: Sequence[Word], which: frozenset[str]) -> Attribute | None:
    names = _names(of) - _HOLDERS - {"new"}
    if not 1 <= len(holder) <= _MOST_IN_VALUE or not all(is_name((word,)) for word in holder):
        return None
    one = any(word.article == "the" or word.form in ("my", "our") or "'s" in word.form for word in of)
    if not one or not which or not names or not english.SHARED.isdisjoint(names):
        return None
    return Attribute(names, forms_of(holder), "name", which)


def _preference(statement: Statement) -> Attribute | None:
    """Read "prefers PDF for the reports", "wants the reports as PDF", "would rather have the reports as PDF"."""
    forms, verb = statement.forms, statement.verb or 0
    if "prefer" in forms[verb:] and "for" in forms:
        start, end = forms.index("prefer") + 1, forms.index("for")
        stop = next((i for i in range(start, end) if forms[i] in ("over", "to", "than")), end)
        value, of = statement.words[start:stop], statement.words[end + 1 :]
    elif not {"want", "like", "have"}.isdisjoint(forms[verb:]) and "as" in forms and _wants(forms):
        start = next(i for i in range(verb, len(forms)) if forms[i] in ("want", "like", "have")) + 1
        value, of = statement.words[forms.index("as") + 1 :], statement.words[start : forms.index("as")]
    else:
        return None
    names = _names(of)
    if not 1 <= len(value) <= _MOST_IN_VALUE or not names or not english.TAILS.isdisjoint(forms_of((*value, *of))):
        return None
    return Attribute(names | _names(statement.words[: statement.verb]), forms_of(value), "value")


def _wants(forms: Sequence[str]) -> bool:
    return "have" not in forms or "rather" in forms
