"""Whether a newer text seems to make an older one outdated, in whatever words: one topic, another value. Pure.

`corrections` ends a memory and has to be sure. This is for what it says nothing of: both name the same thing ("the
search service", "my sister", "Ada's flat"), and of one sort of value each has its own ("port 8000", "Friday", "in
Lisbon"). Nothing is ended by it: `MemoryLayer.context` leaves the older one out where the newer one is in sight.

A sort of value is a day, a time, a date, a path, an identifier with digits ("db4"), a number with what it counts, a
format of files, or a name. Names say little alone: there the newer one has to name the old one too, or to say that
something changed, or both say who holds the thing, or where it is. The rules are of English.

`python -m bench.corrections` says how well it tells, also on pairs in free wordings by an author who knew no rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from hippocore.lifecycle import correction_words as english
from hippocore.lifecycle import outdating_words as said
from hippocore.lifecycle.statements import Word, are_past, is_date, number, words_of

LEAST_SIMILARITY: Final = 0.1
"""As of corrections: the topic alone makes two texts as near as that."""

_MOST_VALUES: Final = 2  # of one sort: what is, and what was
# What bounds the work on a text that is no prose: words that are read, things known among them, and words of a name.
_MOST_WORDS: Final = 80
_MOST_KNOWN: Final = 12
_LONGEST_NAME: Final = 6
_LOOKED: Final = (("look",), ("looked",), ("looking",))  # "looks after the garden"
_AT_HOST: Final = re.compile(r"^[a-z][\w.-]*:(?=\d+$)")  # "localhost:8080" has a port
_YEARS: Final = range(1900, 2100)
_DAYS: Final = {f"{day}s": day for day in english.WEEKDAYS}
_BOUNDARY: Final = said.BOUNDARY | english.TAILS | english.VERBS | english.EMPTY | english.NEGATIONS | english.PAST
_NO_NOUNS: Final = _BOUNDARY | said.MONEY


class Value(NamedTuple):
    """A value of a text: its sort, its words as they are compared, what stands before and behind, and where it is."""

    sort: str
    forms: tuple[str, ...]
    before: str
    after: str
    read: tuple[str, ...]  # its words as the text has them: "mondays", not "monday"
    place: int

    def __repr__(self) -> str:
        return f"Value(sort={self.sort!r})"


class Said(NamedTuple):
    """A text as it is read here: who speaks, its words, how each is compared, where what is known begins, values."""

    speaker: str
    words: tuple[Word, ...]
    forms: tuple[str, ...]
    starts: tuple[int, ...] = ()
    values: tuple[Value, ...] = ()

    def __repr__(self) -> str:
        return f"Said({len(self.words)} words)"

    @property
    def changes(self) -> bool:
        """Whether it says that something is otherwise than it was."""
        return not said.OVER.isdisjoint(self.forms)

    @property
    def is_event(self) -> bool:
        """Whether it tells only of what happened, and of nothing that is so since."""
        return are_past(self.words) and english.PRESENT_BEFORE_PAST.isdisjoint(self.forms) and not self.changes

    @property
    def adds(self) -> bool:
        """Whether it says that it holds beside others."""
        return not said.BESIDES.isdisjoint(self.forms) or self.forms[-1:] == ("too",)


@lru_cache(maxsize=1024)  # what is near is read again with each that is written
def read(text: str) -> Said:
    """Return the words of a text, of at most 400 characters."""
    speaker, words = words_of(text)
    words = words[:_MOST_WORDS]
    found = Said(speaker, words, tuple(word.form for word in words))
    return found._replace(starts=tuple(islice(_starts(found), _MOST_KNOWN)), values=tuple(_values(found)))


def outdates(new_text: str, old_text: str, similarity: float) -> bool:
    """Return whether what an old text says of a topic seems to hold no longer since a newer one."""
    new, old = read(new_text), read(old_text)
    if similarity < LEAST_SIMILARITY or new.adds:
        return False
    if new.speaker and old.speaker and new.speaker != old.speaker:
        return False
    return any(_other_value(new, old, topic) for topic in _shared_topics(new, old))


def topics(text: str) -> list[str]:
    """Return the words of everything that a text names as known: "search service", "sister"."""
    return [" ".join(phrase) for phrase in _phrases(read(text))]


def _phrases(text: Said) -> Iterator[tuple[str, ...]]:
    for start in text.starts:
        end = start + 1
        while end < start + _LONGEST_NAME and not _ends(text, end):
            end += 1
        yield text.forms[start:end]


def _starts(text: Said) -> Iterator[int]:
    """Give where what is known begins: behind its article or owner, or with whose it is ("Ada's flat")."""
    for i, word in enumerate(text.words):
        owned = i > 0 and text.forms[i - 1] in said.OWNERS
        before = text.forms[i - 1 - owned] if i > owned else ""
        reason = before in said.REASONS and text.forms[i - 2 - owned : i - 1 - owned] not in _LOOKED
        known = word.article == "the" or owned or word.shown.endswith(("'s", "s'", "’s"))
        if known and not reason and word.form not in _BOUNDARY:
            yield i


def _ends(text: Said, end: int) -> bool:
    """Whether a thing's name ends before a word: the service, not the service dashboard."""
    if end >= len(text.words) or text.words[end - 1].pauses:
        return True
    word = text.words[end]
    verbal = word.form in _BOUNDARY or word.shown.casefold().endswith(("s", "ed", "ing", "ly"))
    return verbal or word.article != "" or not word.form.isalpha() or word.form in said.OWNERS


def _shared_topics(new: Said, old: Said) -> list[frozenset[str]]:
    """Return the words of each thing that both name, the longest first."""
    apart = _names_others(new, old) and _names_others(old, new)
    found = set()
    for mine in new.starts:
        for theirs in old.starts:
            size = _common(new.forms[mine : mine + _LONGEST_NAME], old.forms[theirs : theirs + _LONGEST_NAME])
            owned = mine > 0 and new.forms[mine - 1] in said.OWNERS
            alone = not apart or (size > 1 and new.forms[mine + size - 1] not in said.MEASURES) or owned
            if size and alone and _is_topic(new, mine, old, theirs, size):
                found.add(frozenset(new.forms[mine : mine + size]))
    return sorted(found, key=lambda run: (-len(run), sorted(run)))


def _common(mine: Sequence[str], theirs: Sequence[str]) -> int:
    size = 0
    for one, other in zip(mine, theirs, strict=False):
        if one != other or one in _BOUNDARY:
            break
        size += 1
    return size


def _is_topic(new: Said, mine: int, old: Said, theirs: int, size: int) -> bool:
    run = new.forms[mine : mine + size]
    of_anything = said.OF_ANYTHING if size == 1 or run[0] in english.ONE_OF_A_KIND else said.VAGUE
    if of_anything.issuperset(run):
        return False
    whole = _ends(new, mine + size) and _ends(old, theirs + size)
    return whole and _part(new, mine) == _part(old, theirs)


def _part(text: Said, start: int) -> str:
    """Return what is meant of the thing: "the backup of the search service" is not about the search service."""
    at = start - 1 - (text.forms[start - 1] in said.OWNERS if start else 0)
    if at < 1 or text.forms[at] != "of" or number(text.forms[at - 1]) is not None:
        return ""
    part = text.forms[at - 1]
    return "" if part in said.OF_ANYTHING | said.HOLDERS or part in _BOUNDARY else part


def _names_others(one: Said, other: Said) -> bool:
    """Whether a text names something known that the other one does not."""
    shared = said.OF_ANYTHING.union(other.forms)
    return any(not shared.issuperset(phrase) for phrase in _phrases(one))


def _other_value(new: Said, old: Said, topic: frozenset[str]) -> bool:
    """Whether a text has another value of a sort that an older one has one of."""
    mine, theirs = _by_sort(new, topic), {sort: _held(values) for sort, values in _by_sort(old, topic).items()}
    shared = [sort for sort in theirs if sort in mine and len(theirs[sort]) <= _MOST_VALUES]
    apart = [sort for sort in shared if _forms(mine[sort]).isdisjoint(_forms(theirs[sort]))]
    if len(apart) > 1 and not new.changes:  # "9 on Saturdays", "10 on Sundays": two cases
        return False
    return any(_takes_the_place(new, old, mine[sort], theirs[sort]) for sort in shared)


def _held(values: Sequence[Value]) -> Sequence[Value]:
    """Return the values that held when they were said: not 2525 of "no more 2525, use 2526", or "from 2525 to 2526"."""
    before = said.BEFORE_THE_OLD | {"from"} if any(value.before in said.TO for value in values) else said.BEFORE_THE_OLD
    return [value for value in values if value.before not in before] or values


def _forms(values: Sequence[Value]) -> set[tuple[str, ...]]:
    return {value.forms for value in values}


def _by_sort(text: Said, topic: frozenset[str]) -> dict[str, list[Value]]:
    found: dict[str, list[Value]] = {}
    for value in text.values:
        if not _is_of(topic, value, text):
            found.setdefault(value.sort, []).append(value)
    return found


def _takes_the_place(new: Said, old: Said, there: Sequence[Value], held: Sequence[Value]) -> bool:
    """Whether values of one sort take the place of older ones: because they name them too, or are of one attribute."""
    left = [value for value in there if value.forms not in _forms(held)]
    if _forms(held) >= _forms(_held(there)):
        return False
    if len(left) < len(there):
        return not _are_listed(there)
    if not _is_told(new, there) or (not new.changes and (old.is_event or _is_of_many(held))):
        return False
    return any(_same_attribute(new, old, left[-1], value) for value in held)


def _is_told(new: Said, there: Sequence[Value]) -> bool:
    """Whether a text says what is, or what changed, of one thing."""
    return len(there) <= (_MOST_VALUES if new.changes else 1) and not new.is_event


def _is_of_many(values: Sequence[Value]) -> bool:
    """Whether a value is of a sort that may be one of several: "on Mondays", "returns JSON"."""
    return all(value.read[0] in _DAYS or (value.sort == "format" and value.before not in said.AS) for value in values)


def _are_listed(values: Sequence[Value]) -> bool:
    """Whether values stand side by side: "8000 and 9000"."""
    return any(one.after in ("and", "or") and other.before == one.after for one in values for other in values)


def _same_attribute(new: Said, old: Said, mine: Value, theirs: Value) -> bool:
    """Whether two values are of one attribute, as far as the words beside them tell."""
    asked, held = (said.TELLING.intersection(text.forms) for text in (new, old))
    if (asked and held and asked.isdisjoint(held)) or _says_the_other_end(new, old):
        return False
    if mine.sort == "name":
        return _same_relation(new, old, mine, theirs)
    return mine.sort != "number" or _same_measure(new, old, mine, theirs)


def _says_the_other_end(new: Said, old: Said) -> bool:
    """Whether one says when a thing starts and the other when it ends, or the like."""
    mine, theirs = frozenset(new.forms), frozenset(old.forms)
    return any(len(pair & mine - theirs) == 1 == len(pair & theirs - mine) for pair in said.ENDS)


def _same_measure(new: Said, old: Said, mine: Value, theirs: Value) -> bool:
    """Whether two numbers count the same; one that says nothing does where it is all that is said of the topic."""
    counted, other = _counted(mine), _counted(theirs)
    if counted == other:
        return mine.before == theirs.before or not (_is_release(new, mine.place) and _is_release(old, theirs.place))
    alone = mine if not counted else theirs if not other else None
    return alone is not None and (new.changes or alone.before in said.BEFORE_A_TOTAL)


def _is_release(text: Said, place: int) -> bool:
    """Whether a number is the release of something with a name: "Python 3.12"."""
    return place > 0 and "." in text.forms[place] and text.words[place - 1].shown[:1].isupper()


def _counted(value: Value) -> str:
    if value.after in said.MONEY or value.before in said.MONEY:
        return "money"
    if value.after in said.ANYTHING_COUNTED:
        return "anything"
    return "" if value.after in _BOUNDARY or value.after in english.MONTHS else value.after


def _same_relation(new: Said, old: Said, mine: Value, theirs: Value) -> bool:
    sides = (_side(mine), _side(theirs))
    if sides in (("where", "who"), ("who", "where")):
        return False
    both_hold = not said.HOLDERS.isdisjoint(new.forms) and not said.HOLDERS.isdisjoint(old.forms)
    return sides == ("where", "where") or new.changes or both_hold


def _side(value: Value) -> str:
    """Return whether a name says where something is, or who has to do with it; "" where it may be either."""
    if value.before in said.WHERE:
        return "where"
    return "who" if value.before in said.WITH or (value.after in english.VERBS and value.after != "be") else ""


def _values(text: Said) -> Iterator[Value]:
    """Give the values of a text, whatever it is about, in order."""
    place = 0
    while place < len(text.words):
        sort, size = _value_at(text, place)
        if sort:
            forms = tuple(_AT_HOST.sub("", form) for form in text.forms[place : place + size])
            before = text.forms[place - 1] if place and not text.words[place - 1].pauses else ""
            pauses = text.words[place + size - 1].pauses
            after = text.forms[place + size] if place + size < len(text.forms) and not pauses else ""
            yield Value(sort, tuple(_DAYS.get(form, form) for form in forms), before, after, forms, place)
        place += size


def _is_of(topic: frozenset[str], value: Value, text: Said) -> bool:
    """Whether a value of a text is itself what the text is about, or says which."""
    return topic.issuperset(value.read) or (value.sort == "number" and _says_which(text, value.place, topic))


def _says_which(text: Said, place: int, topic: frozenset[str]) -> bool:
    """Whether a number is part of a name: "step 3", "sensor 1", "version 2 of the interface", "1. Install"."""
    if place == 0:
        return text.words[0].pauses
    before, word = text.forms[place - 1], text.words[place - 1]
    if before in english.INDEXED:
        return True
    if _is_release(text, place):
        return False
    if before in said.NUMBERED:
        return text.forms[place + 1 : place + 2] == ("of",)
    noun = before.isalpha() and not word.pauses and not word.shown.casefold().endswith(("s", "ed", "ing"))
    return noun and before not in _NO_NOUNS and before not in topic


def _value_at(text: Said, place: int) -> tuple[str, int]:
    """Return the sort of the value that begins at a place, and of how many words it is; ("", 1) for none."""
    form = text.forms[place]
    following = text.forms[place + 1] if place + 1 < len(text.forms) else ""
    if form in english.WEEKDAYS or form in _DAYS:
        return "day", 1
    if (value := _number(form)) is not None:
        is_year = value in _YEARS and place > 0 and text.forms[place - 1] in said.BEFORE_A_YEAR
        return ("date", 2) if following in english.MONTHS else ("date" if is_year else "number", 1)
    if form in english.MONTHS:
        return ("date", 2) if number(following) is not None and text.words[place].shown[:1].isupper() else ("", 1)
    if is_date(form):
        return "time" if ":" in form or form[-2:] in ("am", "pm") else "date" if form[0].isdigit() else "", 1
    letters = any(map(str.isalpha, form))
    if letters and "/" in form:
        return "path", 1
    if letters and any(map(str.isdigit, form)):
        return "identifier", 1
    if form in said.FORMATS and text.words[place].article == "":
        return "format", 1
    return "name" if _is_name(text, place) else "", 1


def _number(form: str) -> float | None:
    return number(_AT_HOST.sub("", form))


def _is_name(text: Said, place: int) -> bool:
    word = text.words[place]
    if not word.shown[:1].isupper() or len(word.form) < 2 or word.form in _BOUNDARY | said.OWNERS:
        return False
    return not word.article and (place > 0 or _is_subject(text))


def _is_subject(text: Said) -> bool:
    """Whether the first word does something, to something known: "Bob is …", "Bob repairs the roof"."""
    if text.forms[0] in said.OVER | said.VAGUE or len(text.words) < 3 or text.words[0].pauses or text.words[1].pauses:
        return False
    known = text.words[2].article == "the" or text.forms[2] in said.OWNERS | said.REASONS
    return text.forms[1] in _BOUNDARY or (known and text.words[1].shown.casefold().endswith(("s", "ed")))
