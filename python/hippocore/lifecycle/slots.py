"""Two statements side by side: where they differ, what each says of its subject, and of what sort a value is. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from hippocore.lifecycle import correction_words as english
from hippocore.lifecycle.statements import Statement, Word, is_date, number

Sort = Literal["number", "date"]

MOST_IN_SLOT: Final = 4  # words of a value that may differ as one
_BEFORE_YEARS: Final = frozenset(("in", "since", "by", "until", "of"))
_YEARS: Final = range(1900, 2100)
_NAMING_SIGNS: Final = "._/@:"


class Slot(NamedTuple):
    """Where two statements differ, from the word `start` on; its repr shows none of it.

    `counted`: both runs are quantities; `measured`: and say of what; `dated`: both are dates or times of day.
    """

    start: int
    new: tuple[Word, ...]
    old: tuple[Word, ...]
    before: tuple[str, str]  # the two words before it
    after: str
    counted: bool
    measured: bool
    dated: bool

    def __repr__(self) -> str:
        return f"Slot(start={self.start})"

    @property
    def follows(self) -> str:
        """The word before the slot."""
        return self.before[1]


class Predicate(NamedTuple):
    """The families of the phrase between a subject and its value, and where the value begins."""

    families: frozenset[str]
    end: int


def slot_of(new: Statement, old: Statement) -> Slot | None:
    """Return the one run of words in which two statements differ; None where it is not one, short, and in both."""
    mine, theirs = new.forms, old.forms
    shorter = min(len(mine), len(theirs))
    start = next((i for i in range(shorter) if mine[i] != theirs[i]), shorter)
    same = next((i for i in range(shorter - start) if mine[-1 - i] != theirs[-1 - i]), shorter - start)
    end = len(mine) - same
    new_run, old_run = new.words[start:end], old.words[start : len(theirs) - same]
    if not (0 < len(new_run) <= MOST_IN_SLOT and 0 < len(old_run) <= MOST_IN_SLOT):
        return None
    before = (mine[start - 2] if start > 1 else "", mine[start - 1] if start else "")
    return Slot(
        start, new_run, old_run, before, mine[end] if same else "", *_sorts(new_run, old_run, before[1], mine[end:])
    )


def _sorts(new: Sequence[Word], old: Sequence[Word], follows: str, rest: Sequence[str]) -> tuple[bool, bool, bool]:
    after = rest[0] if rest else ""
    sorts = (sort_of(new), sort_of(old))
    in_units = number(follows) is not None and are_units(new) and are_units(old)
    counted = sorts == ("number", "number") or in_units
    measured = len(new) > 1 or in_units or bool(after and after not in english.TAILS | english.VERBS)
    in_date = counted and (is_date(follows) or is_date(after) or _is_year(new, follows))
    return counted, measured, in_date or (None not in sorts and "date" in sorts)


def predicate_of(statement: Statement) -> Predicate:
    """Return what a statement's verb and the words with it say, past the auxiliaries before them."""
    forms, start = statement.forms, statement.verb or 0
    for at in range(start, len(forms)):
        for size in range(english.MOST_IN_PHRASE, 0, -1):
            if (families := english.FAMILIES.get(forms[at : at + size])) is not None:
                return Predicate(families, at + size)
        if forms[at] not in english.AUXILIARIES:
            break
    return Predicate(frozenset(), start + 1)


def value_of(statement: Statement, start: int) -> tuple[tuple[Word, ...], tuple[str, ...]]:
    """Return the words of a value that begins at a place, and those of the circumstances behind it."""
    end = start + 1
    while end < len(statement.words) and statement.forms[end] not in english.TAILS:
        end += 1
    return statement.words[start:end], statement.forms[end:]


def forms_of(words: Sequence[Word]) -> tuple[str, ...]:
    """Return words in the form that is compared."""
    return tuple(word.form for word in words)


def sort_of(words: Sequence[Word]) -> Sort | None:
    """Return whether words are a date or a quantity, None where they are neither."""
    forms = forms_of(words)
    if any(map(is_date, forms)) and all(is_date(form) or number(form) is not None for form in forms):
        return "date"
    return "number" if forms and number(forms[0]) is not None and are_units(words[1:]) else None


def are_units(words: Sequence[Word]) -> bool:
    """Return whether words are nothing but units of measure."""
    return all(word.form in english.UNITS for word in words)


def is_name(words: Sequence[Word]) -> bool:
    """Return whether words look like a name, or like an identifier, and not like a description."""
    if not words or words[0].form in english.RECURRING:
        return False
    shown = words[0].shown
    return shown[:1].isupper() or any(sign in shown for sign in _NAMING_SIGNS) or any(map(str.isdigit, shown[1:]))


def _is_year(words: Sequence[Word], follows: str) -> bool:
    return len(words) == 1 and follows in _BEFORE_YEARS and number(words[0].form) in _YEARS
