"""Whether one statement corrects another: by which rule, or not at all. Pure.

The rules are of English, and strict: what they miss stays beside the old memory, as it would without them, while a
wrong correction ends a memory that was true. A statement corrects another where both are about the same, word for word
or as `hippocore.lifecycle.attributes` says, and what they say of it cannot hold at once: a quantity, a date where
something is due, one place, employer, name or other attribute, a word and its opposite, a statement and its denial, or
a value that the new one says is over. Texts of which no verb is known, such as those in other languages, are compared
by a number or a numeric date alone.

Not corrected: what counts through a row ("item 17 of 40"), what happened ("Ada ran 5 km"), what can hold several times
("speaks French", "also"), what adds to the old ("Paris", "Paris, France"), and what is about somebody else.

`python -m bench.corrections`, on 173 pairs of own writing that were written when the rules were done: 55 of the 60
corrections are found, and 56 of the 58 pairs that are found cannot hold together. On those of tuning: 120 of 123, and
120 of 121.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from hippocore.lifecycle import correction_words as english
from hippocore.lifecycle.attributes import same_attribute
from hippocore.lifecycle.slots import Slot, forms_of, is_name, predicate_of, slot_of, sort_of, value_of
from hippocore.lifecycle.statements import Statement, Word, is_date, number, read

Rule = Literal["number", "date", "place", "name", "value", "opposite", "negation", "marker", "ended", "order", "llm"]

REASONS: Final[dict[Rule, str]] = {
    "number": "it gives another number",
    "date": "it gives another date or time",
    "place": "it gives another place",
    "name": "it gives another name",
    "value": "it gives another value",
    "opposite": "it says the opposite",
    "negation": "one denies what the other says",
    "marker": "it says itself that it corrects or changes this",
    "ended": "it says that the old value is over",
    "order": "it puts the two the other way round",
    "llm": "the language model says that both cannot hold",
}
LEAST_SIMILARITY: Final = 0.1
"""Below it nothing corrects or contradicts. The least of the corrections that the rules were tuned on is 0.13 (local
embedder, `python -m bench.corrections`), where two places share one name."""

_COPULAS: Final = frozenset(("be", ":", "="))
_WITH_QUANTITIES: Final = _COPULAS | {"have", "cost"}
_LEFT: Final = frozenset(("left", "quit"))
_DATED: Final = frozenset(("time", "start", "end", "birth"))
_NAMED_ONLY: Final = frozenset(("place", "employer", "school"))
_BEFORE_QUANTITIES: Final = frozenset(("to", "of", "than", "about", "only", "exactly", ":", "=", "port", "version"))
_DEFINITE: Final = frozenset(("my", "our", "his", "her", "their", "your", "its"))
_RULE_OF: Final[dict[str | None, Rule | None]] = {
    "number": "number",
    "date": "date",
    "name": "name",
    "value": "value",
    None: None,
}
_COUNTERS: Final = frozenset("项項页頁章步号號番条條节節课課题題")


class Correction(NamedTuple):
    """By which rule a statement takes the place of another, or contradicts it."""

    rule: Rule

    @property
    def reason(self) -> str:
        """What the rule says, without a word of either."""
        return REASONS[self.rule]


def corrects(new_text: str, old_text: str, similarity: float) -> Correction | None:
    """Return by which rule a text corrects an older one, None by none; similarity is the cosine of their vectors."""
    new, old = read(new_text), read(old_text)
    return None if new is None or old is None else correction(new, old, similarity)


def correction(new: Statement, old: Statement, similarity: float) -> Correction | None:
    """Return as `corrects` does, of texts that were read."""
    if new.adds or new.counts or old.counts or similarity < LEAST_SIMILARITY or new.speaker != old.speaker:
        return None
    found = _denied(new, old) or _ended(new, old) or _RULE_OF[same_attribute(new, old)]
    found = found or _one_slot(new, old) or _one_family(new, old) or _changed(new, old)
    return None if found is None else Correction(found)


def _denied(new: Statement, old: Statement) -> Rule | None:
    if new.negative == old.negative or ((new.is_past or old.is_past or _is_conditional(new)) and not new.no_longer):
        return None
    if new.forms == old.forms:
        return "negation"
    said, rest = old.forms[: len(new.words)], old.forms[len(new.words) :]
    partly = new.no_longer and said == new.forms and rest[0] in english.TAILS and not {"and", "but"} & set(rest)
    return "negation" if partly else None


def _ended(new: Statement, old: Statement) -> Rule | None:
    """Judge what the new one says is over: "instead of X", "from X to Y", "left X"."""
    if old.negative or new.verb is None or not _same_subject(new, old):
        return None
    ended = new.ended or (new.forms[new.verb + 1 :] if _verb(new) in _LEFT else ())
    value, tail = value_of(old, predicate_of(old).end)
    said = forms_of(value)
    said = said[1:] if said[:1] and said[0] in english.TAILS else said  # "with Ansible"
    over = bool(ended) and said == ended and (not tail or tail == new.forms[-len(tail) :])
    return "ended" if over else None


def _one_slot(new: Statement, old: Statement) -> Rule | None:
    """Judge two that agree but for one run of words."""
    slot = slot_of(new, old)
    if slot is None or new.negative != old.negative:
        return None
    if not english.CONDITIONS.isdisjoint(new.forms[: slot.start]):
        return None
    if new.verb is None or old.verb is None:
        of_known = new.verb is not old.verb or new.negative or new.is_past or old.is_past
        return None if of_known else _in_any_language(slot)
    if slot.start >= new.verb and frozenset((*forms_of(slot.new), *forms_of(slot.old))) in english.OPPOSITES:
        return None if new.is_past and not new.taken_back else "opposite"
    if new.negative:
        return None
    if slot.start <= new.verb:
        return _one_holder(new, old)
    return _quantity(new, old, slot) or _one_value(new, old, slot) or _marked(new, slot)


def _quantity(new: Statement, old: Statement, slot: Slot) -> Rule | None:
    if slot.dated:
        return "date" if _is_due(new, slot) else None
    if not slot.counted or slot.follows in english.INDEXED or (_is_event(new, old) and not new.taken_back):
        return None
    which = slot.follows not in english.VERBS | english.TAILS | _BEFORE_QUANTITIES and not slot.measured
    return None if which and _verb(new) in english.OF_MANY else "number"


def _is_due(new: Statement, slot: Slot) -> bool:
    """Return whether a date is what the statement says, not when what it says happened."""
    predicate = predicate_of(new)
    if not (predicate.families & _DATED or _verb(new) in _COPULAS or new.taken_back or new.changed):
        return False
    between = new.forms[predicate.end : slot.start]
    return all(is_date(form) or number(form) is not None for form in between)


def _one_value(new: Statement, old: Statement, slot: Slot) -> Rule | None:
    predicate = predicate_of(new)
    (value, tail), (before, old_tail) = value_of(new, predicate.end), value_of(old, predicate.end)
    if _is_event(new, old) or tail != old_tail or slot.start < predicate.end:
        return None
    if slot.counted or english.TAILS & set(new.forms[predicate.end : slot.start]):
        return None
    if predicate.families:
        return _exclusive(predicate.families, value, before) if new.subject else None
    if _verb(new) in _COPULAS and _has_one(new, value, before):
        return _name_or_value(value, before)
    has_head = bool(slot.after) and slot.after not in english.TAILS
    return "value" if _verb(new) == "prefer" and has_head else None


def _marked(new: Statement, slot: Slot) -> Rule | None:
    """Judge by what the new one says of itself: then any value may differ."""
    if slot.counted or slot.dated or slot.follows in english.INDEXED:
        return None
    return "marker" if new.taken_back or (new.changed and _verb(new) not in english.OF_MANY) else None


def _one_holder(new: Statement, old: Statement) -> Rule | None:
    """Judge two that are said to be "the" something, of which there is one."""
    start, other = new.verb or 0, old.verb or 0
    said = new.words[start:]
    if start == 0 or other == 0 or forms_of(said) != forms_of(old.words[other:]) or len(said) < 2:
        return None
    if said[0].form != "be" or any(word.article in ("a", "an") for word in said):
        return None
    role = said[1].article == "the" or ("'s" in said[1].form and said[-1].form in english.ATTRIBUTES)
    unique = role and english.SHARED.isdisjoint(forms_of(said))
    return "name" if unique and is_name(new.words[:start]) and is_name(old.words[:other]) else None


def _one_family(new: Statement, old: Statement) -> Rule | None:
    """Judge different phrases for one thing: "lives in", "moved to"."""
    if new.negative or old.negative or old.is_past or not _same_subject(new, old):
        return None
    predicate, old_predicate = predicate_of(new), predicate_of(old)
    (value, tail), (before, old_tail) = value_of(new, predicate.end), value_of(old, old_predicate.end)
    if old_tail not in ((), tail) or (tail != old_tail and tail[0] not in english.HARMLESS_TAILS):
        return None
    return _exclusive(predicate.families & old_predicate.families, value, before)


def _changed(new: Statement, old: Statement) -> Rule | None:
    """Judge what says that a value changed: "The price was raised to 12 euros" after "The price is 10 euros"."""
    if new.negative or old.negative or old.is_past or new.verb is None or not _same_subject(new, old):
        return None
    at = next((i for i in range(new.verb, len(new.words)) if new.forms[i] not in english.AUXILIARIES), new.verb)
    start = at + (3 if new.forms[at + 1 : at + 2] in (("up",), ("down",)) else 2)
    if new.forms[at] not in english.CHANGES or new.forms[start - 1 : start] != ("to",):
        return None
    (value, tail), (before, old_tail) = value_of(new, start), value_of(old, predicate_of(old).end)
    if _verb(old) not in _WITH_QUANTITIES or old_tail not in ((), tail) or not value or not before or value == before:
        return None
    sorts = (sort_of(value), sort_of(before))
    if sorts == ("date", "date"):
        return "date"
    if number(value[0].form) is not None and number(before[0].form) is not None:
        return "number" if forms_of(value[1:]) == forms_of(before[1:]) else None
    named = sorts == (None, None) and _verb(old) in _COPULAS and _has_one(old, value, before)
    return _name_or_value(value, before) if named else None


def _in_any_language(slot: Slot) -> Rule | None:
    """Judge by a number before a word that it counts, or a numeric date, with enough before it to say of what."""
    beyond_subject = slot.start >= (2 if slot.follows.isascii() else 1)
    names_one = slot.follows in english.INDEXED or slot.before[0] in english.OTHER_ARTICLES or "第" in slot.follows
    if not beyond_subject or names_one or len(slot.new) != 1 or len(slot.old) != 1 or number(slot.after) is not None:
        return None
    if slot.dated:
        return "date"
    counts = slot.counted and slot.after[:1].isalpha() and slot.after[:1] not in _COUNTERS
    return "number" if counts else None


def _exclusive(families: frozenset[str], value: Sequence[Word], before: Sequence[Word]) -> Rule | None:
    """Return the rule by which two values of what is shared by some families exclude each other."""
    forms, old_forms = set(forms_of(value)), set(forms_of(before))
    if not families or not forms or not old_forms or forms <= old_forms or old_forms <= forms:
        return None
    sorts = {sort_of(value), sort_of(before)}
    if families & _DATED and sorts == {"date"}:
        return "date"
    families -= _DATED - {"birth"}
    if sorts != {None} or not families or (families & _NAMED_ONLY and not (is_name(value) and is_name(before))):
        return None
    if "place" in families or "birth" in families:  # a city may lie in that country
        return "place" if english.COUNTRIES.isdisjoint(forms) == english.COUNTRIES.isdisjoint(old_forms) else None
    return _name_or_value(value, before)


def _has_one(statement: Statement, value: Sequence[Word], before: Sequence[Word]) -> bool:
    """Return whether what a statement is about has one value of this sort at a time."""
    subject = set(statement.subject)
    if not subject or forms_of(value) == forms_of(before):
        return False
    if subject & english.ONE_OF_A_KIND or (english.SHARED.isdisjoint(subject) and subject & english.ATTRIBUTES):
        return True
    if subject & english.SHARED:
        return False
    about = statement.words[: statement.verb]
    definite = any(word.article == "the" or word.form in _DEFINITE or "'s" in word.form for word in about)
    return definite and is_name(value) and is_name(before)


def _name_or_value(value: Sequence[Word], before: Sequence[Word]) -> Rule:
    return "name" if is_name(value) and is_name(before) else "value"


def _same_subject(new: Statement, old: Statement) -> bool:
    return new.verb is not None and old.verb is not None and new.subject == old.subject and bool(new.subject)


def _is_conditional(statement: Statement) -> bool:
    return not english.CONDITIONS.isdisjoint(statement.forms)


def _verb(statement: Statement) -> str:
    return statement.forms[statement.verb] if statement.verb is not None else ""


def _is_event(new: Statement, old: Statement) -> bool:
    return (new.is_past or old.is_past) and "birth" not in predicate_of(new).families
