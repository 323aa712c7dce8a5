"""A text read as one statement: its words in one form, what it is about, and what it says of itself.

Only what is plainly one short statement is read; of everything else nothing is known. Nothing here is stored: the forms
may change between releases.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hippocore.lifecycle import correction_words as english

LONGEST: Final = 400  # characters of a text that is read, in one line
MOST_WORDS: Final = 40
_MOST_IN_NAME: Final = 3  # words of a speaker's name
_MOST_THAT_CHANGED: Final = 5  # words of what "we moved … to"

_CHUNK: Final = re.compile(r"\S+")
_OPENING: Final = "\"'([{“‘«*_`"
_PAUSES: Final = ",;:.!?)-–"
_CLOSING: Final = ",;:.!?\"')]}”’»*_`…"
_NEXT_SENTENCE: Final = re.compile(r"(?<![ .][A-Z])(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)[.!?;]['\")]?\s+\S")
_LIST: Final = re.compile(r"\s*(?:[-*•]\s|\(?\d{1,3}[.)]\s|\(?[a-zA-Z][.)]\s)")
_DIGITS_IN_LETTERS: Final = re.compile(r"(?<=[^\W\d_])(?<![\x00-\x7f])(?=\d)|(?<=\d)(?=[^\W\d_])(?![\x00-\x7f])")
_OF_MANY: Final = re.compile(r"(?<!\d)\d+\s*(?:of|/|von|sur|de|di|van|из)\s*\d+\b(?!/)", re.IGNORECASE)
_QUANTITY: Final = re.compile(r"([$€£]?)([+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+-]?\d+(?:\.\d+)?)(%|[a-z]{1,4}|[$€£])?")
_ORDINAL: Final = re.compile(r"\d+(?:st|nd|rd|th)")
# A label as `hippocore.lexical_terms` has them, before a sentence about who speaks or is spoken to.
_SPEAKER: Final = re.compile(
    r"([^\W\d_][\w .'’@#&-]{0,39}):\s+(?!\s)(?=(?:.*\s)?(?:I|my|me|mine|we|our|us|you|your)\b)", re.IGNORECASE
)
# What holds no longer, behind what does: "it is at db5 now, not at db4".
_NOT_THE_OLD: Final = re.compile(
    r",\s+(?:and\s+)?not\s+(?:(?:at|on|in|to|by|for|with)\s+)?(?:the\s+|an?\s+)?([^,;:]{1,40}?)[.!]*$", re.IGNORECASE
)
_ONLY_VERBS: Final = ("be", "have", "was", "were")
_MODALS: Final = frozenset((*_ONLY_VERBS, "do", "can", "may", "must", "should", "will", "would", "could", "get"))
_PERSONS: Final = frozenset(("i", "my", "me", "mine", "we", "us", "our", "you", "your"))
_CHANGERS: Final = frozenset(("we", "i"))
_NO_SPEAKERS: Final = frozenset(" ".join(said) for said in (*english.TAKEN_BACK, *english.CHANGED))
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d+)?")
_DATE: Final = re.compile(
    r"\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}(?::\d{2})?(?:am|pm)?|\d{1,2}(?:am|pm)"
)
_SHORTENED: Final = {
    "won't": "will not",
    "can't": "can not",
    "cannot": "can not",
    "shan't": "shall not",
    "i'm": "i am",
    **{f"{who}'s": f"{who} is" for who in ("he", "she", "it", "that", "there", "here", "what", "who", "where")},
}


class Word(NamedTuple):
    """A word in the form that is compared, as it was written, the article before it, and whether a pause follows.

    Its repr shows none of it.
    """

    form: str
    shown: str
    article: str = ""
    pauses: bool = False

    def __repr__(self) -> str:
        return f"Word({len(self.shown)} characters)"


class Statement(NamedTuple):
    """A text as one statement; its repr shows none of it.

    `words` are without articles, fillers, negations and what says that something changed. `verb` is where the first
    verb among them is, None where none is known: what is before it is what the statement is about. `ended` is a value
    that it says holds no longer ("instead of emacs"). `speaker` is the name, folded, that "I" or "you" is said under
    ("Ada: I live in Oslo"), "" without one.
    """

    words: tuple[Word, ...]
    forms: tuple[str, ...]  # of the words, as they are compared
    verb: int | None
    negative: bool
    taken_back: bool
    changed: bool
    no_longer: bool
    adds: bool
    counts: bool  # it is one of a row: "item 17 of 40", "2) …"
    ended: tuple[str, ...]
    speaker: str = ""

    def __repr__(self) -> str:
        return f"Statement({len(self.words)} words)"

    @property
    def subject(self) -> tuple[str, ...]:
        """What the statement is about; nothing where no verb is known."""
        return self.forms[: self.verb] if self.verb is not None else ()

    @property
    def is_past(self) -> bool:
        """Whether it tells of an event: its verb is of the past, with nothing of the present before it."""
        return are_past(self.words[self.verb or 0 :])


@lru_cache(maxsize=1024)  # what is near is read again with each that is written
def read(text: str) -> Statement | None:
    """Return a text as a statement; None where it is not plainly one: long, several sentences, several lines."""
    stripped = text.strip()
    if not stripped or len(stripped) > LONGEST or "\n" in stripped:
        return None
    if not stripped.isascii():
        stripped = _DIGITS_IN_LETTERS.sub(" ", unicodedata.normalize("NFKC", stripped))
    speaker, stripped = _said_by(stripped)
    if _NEXT_SENTENCE.search(stripped):
        return None
    counts = bool(_LIST.match(stripped) or _OF_MANY.search(stripped))
    denied = _NOT_THE_OLD.search(stripped)
    words = _numbers_as_one(_words(stripped[: denied.start()] if denied else stripped))
    if not words or len(words) > MOST_WORDS:
        return None
    statement = _statement(words, counts)
    statement = statement if _PERSONS.isdisjoint(statement.forms) else statement._replace(speaker=speaker)
    if denied and not statement.ended:
        return statement._replace(ended=tuple(word.form for word in _numbers_as_one(_words(denied[1]))))
    return statement


def words_of(text: str) -> tuple[str, tuple[Word, ...]]:
    """Return a speaker's name, folded, "" without one, and all words of what may be more than one sentence."""
    speaker, said = _said_by(text.strip()[:LONGEST])
    return speaker, tuple(_numbers_as_one(_words(said)))


def are_past(words: Sequence[Word]) -> bool:
    """Return whether words from a verb on are of the past, with nothing of the present before it."""
    for word in words:
        if word.form in english.PRESENT_BEFORE_PAST:
            return False
        if word.form in english.PAST or (_is_participle(word) and word.form not in english.CHANGES):
            return True
    return False


def _said_by(text: str) -> tuple[str, str]:
    """Return the speaker's name and what follows it, where "I" or "you" needs one; "Correction: my …" is no name."""
    match = _SPEAKER.match(text)
    if match is None or (name := match[1].casefold()) in _NO_SPEAKERS:
        return "", text
    return name, text[match.end() :]


def number(form: str) -> float | None:
    """Return the value of a word that is a number."""
    return float(form) if _NUMBER.fullmatch(form) else None


def is_date(form: str) -> bool:
    """Tell whether a word belongs to a date or a time of day, and is more than a bare number."""
    return form in english.DATE_WORDS or _DATE.fullmatch(form) is not None or _ORDINAL.fullmatch(form) is not None


def _is_participle(word: Word) -> bool:
    form = word.form
    return form.endswith("ed") and len(form) > 4 and form not in english.NO_PAST and word.shown.islower()


def _statement(words: list[Word], counts: bool) -> Statement:
    taken_back = _drop_first(words, english.TAKEN_BACK)
    no_longer = _drop_all(words, english.NO_LONGER)
    changed = _drop_all(words, english.CHANGED)
    _put_what_changed_first(words)
    ended = _ended(words)
    forms = [word.form for word in words]
    negative = no_longer or sum(form in english.NEGATIONS for form in forms) % 2 == 1
    adds = not english.ADDITIONS.isdisjoint(forms) or bool(_places(forms, ("as", "well")))
    _drop_words(words)
    forms = [word.form for word in words]
    return Statement(
        tuple(words), tuple(forms), _verb(words), negative, taken_back, changed, no_longer, adds, counts, ended
    )


def _words(text: str) -> list[Word]:
    words: list[Word] = []
    article = ""
    for match in _CHUNK.finditer(text):
        for shown in _parts(match[0]):
            form = shown.casefold()
            if form in english.ARTICLES:
                article = form
                continue
            of_day = form == "am" and bool(words) and number(words[-1].form) is not None  # not a form of "be"
            words.append(Word(form if of_day else english.canonical(form), shown, article))
            article = ""
            if match[0].endswith(":") and match.end() < len(text):
                words.append(Word(":", ":"))
        if words and not article and match[0][-1] in _PAUSES:
            words[-1] = words[-1]._replace(pauses=True)
    return words


@lru_cache(maxsize=4096)  # languages repeat their words
def _parts(chunk: str) -> list[str]:
    """Return the words of a chunk between spaces: "16GB" is two, "isn't" is two."""
    word = chunk.replace("’", "'").lstrip(_OPENING).rstrip(_CLOSING)
    if not word:
        return [chunk] if chunk in ("=", "%", "$", "€", "£", "->", "→") else []
    folded = word.casefold()
    if (whole := _SHORTENED.get(folded)) is not None:
        return whole.split()
    if folded.endswith("n't"):
        return [word[:-3], "not"]
    if folded.endswith(("'re", "'ve", "'ll", "'d", "'m")):
        kept, _, end = word.rpartition("'")
        return [kept, {"re": "are", "ve": "have", "ll": "will", "d": "would", "m": "am"}[end.casefold()]]
    if "-" in word and all(part in english.NUMBERS for part in folded.split("-")):
        return folded.split("-")
    found = _QUANTITY.fullmatch(folded)
    if found is None or _ORDINAL.fullmatch(folded) or _DATE.fullmatch(folded):
        return [word]
    before, digits, after = found.groups()
    scale = {"k": 1_000}.get(after or "", 1)
    value = _plain(float(digits.replace(",", "")) * scale)
    return [value, *filter(None, (before, after if scale == 1 else None))]


def _plain(value: float) -> str:
    return f"{value:.0f}" if value.is_integer() else repr(value)


def _numbers_as_one(words: list[Word]) -> list[Word]:
    """Write numbers in words, and a number with its scale, as one word of digits."""
    written: list[Word] = []
    place = 0
    while place < len(words):
        value, taken = _number_at(words, place)
        if taken:
            last = words[place + taken - 1]
            written.append(Word(_plain(value), words[place].shown, words[place].article, last.pauses))
            place += taken
        else:
            written.append(words[place])
            place += 1
    return written


def _number_at(words: list[Word], start: int) -> tuple[float, int]:
    """Return the value of the number that begins at a place, and of how many words it is."""
    total, part, place, said = 0.0, 0.0, start, False
    while place < len(words):
        form = words[place].form
        small = english.NUMBERS.get(form)
        if small is not None and (not said or (part % 10 == 0 and (small < 10 or part == 0 or part >= 100))):
            part += small
        elif form in english.SCALES and (said or words[place].article):
            part = max(part, 1) * english.SCALES[form]
            if english.SCALES[form] >= 1_000:
                total, part = total + part, 0.0
        elif place == start and (value := number(form)) is not None:
            part = value
            following = words[place + 1].form if place + 1 < len(words) else ""
            if following not in english.SCALES:
                return value, 1
        else:
            break
        said = True
        place += 1
    return total + part, place - start


def _places(forms: list[str], phrase: tuple[str, ...]) -> list[int]:
    size = len(phrase)
    return [i for i in range(len(forms) - size + 1) if tuple(forms[i : i + size]) == phrase]


def _drop_first(words: list[Word], phrases: tuple[tuple[str, ...], ...]) -> bool:
    """Drop what a text begins with of some phrases, before its speaker or behind; tell whether there was any."""
    before = _drop_at(words, 0, phrases)
    return _drop_at(words, _after_speaker(words), phrases) or before


def _drop_at(words: list[Word], start: int, phrases: tuple[tuple[str, ...], ...]) -> bool:
    dropped = False
    for phrase in phrases:
        if words[start].form != phrase[0]:
            continue
        end = start + len(phrase)
        if tuple(word.form for word in words[start:end]) == phrase and len(words) > end + 1:
            del words[start : end + (words[end].form == ":")]
            dropped = True
    return dropped


def _after_speaker(words: list[Word]) -> int:
    """Return where a statement begins behind the name before it ("Ada: I moved to Berlin"); 0 where there is none."""
    colon = next((i for i, word in enumerate(words[: _MOST_IN_NAME + 1]) if word.form == ":"), None)
    spoken = colon is not None and any(word.form in english.VERBS for word in words[colon + 1 :])
    return colon + 1 if colon is not None and spoken else 0


def _drop_all(words: list[Word], phrases: tuple[tuple[str, ...], ...]) -> bool:
    """Drop some phrases wherever they are; tell whether there was any."""
    dropped = False
    forms = {word.form for word in words}
    for phrase in phrases:
        if phrase[0] not in forms:
            continue
        for place in reversed(_places([word.form for word in words], phrase)):
            del words[place : place + len(phrase)]
            dropped = True
    return dropped


def _ended(words: list[Word]) -> tuple[str, ...]:
    """Take out of the words the value that they say holds no longer, and return it."""
    forms = [word.form for word in words]
    for phrase in english.INSTEAD:
        for place in _places(forms, phrase)[:1]:
            return _cut(words, place, place + len(phrase))
    for place, form in enumerate(forms):
        if form in english.CHANGES and forms[place + 1 : place + 2] == ["from"] and "to" in forms[place + 3 :]:
            end = forms.index("to", place + 3)
            value = tuple(forms[place + 2 : end])
            del words[place + 1 : end]
            return value
    return ()


def _put_what_changed_first(words: list[Word]) -> None:
    """Make "we moved the cache from db4 to db5" one with "the cache moved from db4 to db5"."""
    start = _after_speaker(words)
    forms = [word.form for word in words]
    verb = start + 1 + (forms[start + 1 : start + 2] == ["have"])
    if (
        not forms[start:verb]
        or forms[start] not in _CHANGERS
        or forms[verb : verb + 1] == []
        or "to" not in forms[verb:]
    ):
        return
    end = next(i for i in range(verb, len(forms)) if forms[i] in ("from", "to"))
    what = words[verb + 1 : end]
    definite = bool(what) and (bool(what[0].article) or what[0].form in _PERSONS)
    if forms[verb] in english.CHANGES and 0 < len(what) <= _MOST_THAT_CHANGED and definite:
        words[start:end] = [*what, words[verb]]


def _cut(words: list[Word], start: int, value_at: int) -> tuple[str, ...]:
    end = value_at
    while end < len(words) and words[end].form not in english.TAILS:
        end += 1
    value = tuple(word.form for word in words[value_at:end])
    del words[start:end]
    return value


def _drop_words(words: list[Word]) -> None:
    """Drop fillers and negations, and the "do" that only carries one; "actually" anywhere says nothing more."""
    forms = [word.form for word in words]
    for place in range(len(words) - 1, -1, -1):
        form = forms[place]
        carries = form in ("do", "did") and forms[place + 1 : place + 2] == ["not"]
        if form in english.NEGATIONS or form in english.FILLERS or form == "actually" or (carries and form == "do"):
            del words[place]


def _verb(words: list[Word]) -> int | None:
    start = _after_speaker(words)
    forms = [word.form for word in words]
    places = [i for i in range(start, len(words)) if forms[i] in english.VERBS or forms[i] in (":", "=")]
    if places and places[0] == start:  # "the cost is 5": a noun, where one that is only a verb follows
        later = [i for i in places[1:] if forms[i] in (*_ONLY_VERBS, ":", "=")]
        return later[0] if later else start
    if len(places) > 1 and places[1] == places[0] + 1 and _is_noun_before(words[start:], places[0] - start):
        return places[1]
    return places[0] if places else None


def _is_noun_before(words: Sequence[Word], place: int) -> bool:
    """Whether a word that may be a verb is a noun before one: "the tax report is late", "the metrics store runs"."""
    word, verb = words[place : place + 2]
    if word.form in _MODALS or word.shown.casefold() != word.form or words[0].form in _PERSONS:
        return False
    return verb.form in _ONLY_VERBS or verb.form in english.CHANGES or verb.shown.casefold() == f"{verb.form}s"
