"""Extraction without a model: English sentences that state something lasting, kept as they were said.

No word is added but the speaker's name, where "I", "we" or "you" mean nothing without it: "User: I prefer tabs over
spaces." A name so put before a sentence is a label that recall knows. What points outside of itself ("it is on
Tuesday", "the second option") is left out: nothing here can tell what it points to.

Of the user's sentences rules, preferences, identities, decisions, corrections, results and particular facts are kept;
of an assistant's what it says that it did; of a tool's what it says happened. A tool's result of more than 1,200
characters is a document, whose sentences are not about this conversation, and so is a message as long, of which only
those with "I", "we" or "you" are looked at, and no rules taken.

Measured by `python -m bench.extraction` on 40 labelled turns that were held out while the rules were made
(`tests/extraction_turns.py`): precision 94.9%, recall 100.0%, kind 94.6%. They are short and plain, and by the same
authors as the rules; people ramble. Of 603 real turns of LongMemEval's sample (`--chats`) 8.8% lead to a statement;
which of these are right nobody has labelled.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from hippocore.lifecycle import extraction_patterns as patterns
from hippocore.lifecycle.dialogue import Speaker, Statement, Turn, is_document, most_important
from hippocore.lifecycle.sentences import sentences_of

_FEWEST_WORDS: Final = 3
_LABEL: Final = re.compile(r"[\w .'’@#&-]{1,40}")


class _Sort(NamedTuple):
    """A sort of sentence: what it looks like, and the kind and importance of what it states."""

    pattern: re.Pattern[str]
    kind: str
    importance: float


# The first that fits decides.
_OF_USERS: Final = (
    _Sort(patterns.RULE, "procedure", 0.9),
    _Sort(patterns.IDENTITY, "fact", 0.7),
    _Sort(patterns.PREFERENCE, "preference", 0.7),
    _Sort(patterns.DECISION, "fact", 0.7),
    _Sort(patterns.CORRECTION, "fact", 0.7),
    _Sort(patterns.RESULT, "episode", 0.5),
    _Sort(patterns.EVENT, "episode", 0.5),
    _Sort(patterns.STATE, "fact", 0.5),
)
_OF_TASKS: Final = tuple(sort for sort in _OF_USERS if sort.kind in ("procedure", "preference"))
_OF_OTHERS: Final = {
    "assistant": _Sort(patterns.OWN_RESULT, "episode", 0.4),
    "tool": _Sort(patterns.TOOL_RESULT, "episode", 0.4),
}


def extract_by_rules(turn: Turn) -> list[Statement]:
    """Return the statements of a turn, in the order in which they were said; [] where there are none."""
    found = []
    for said_by, name, text in turn.texts():
        document = is_document(text)
        if not (document and said_by == "tool"):
            stated = [_statement(one, said_by, name) for one in sentences_of(text)]
            found += [one for one in stated if one is not None and not (document and _is_of_others(one))]
    return most_important(found)


def _is_of_others(statement: Statement) -> bool:
    """Whether a statement of a long message may be of what was pasted there: a rule, or nothing about the speaker."""
    return statement.kind == "procedure" or patterns.PERSON.search(statement.content) is None


def _statement(sentence: str, said_by: Speaker, name: str) -> Statement | None:
    plain = sentence.replace("’", "'")  # as the patterns have it; as long
    begins = match.end() if (match := patterns.OPENING.match(plain)) else 0
    said = plain[begins:]
    sort = _sort_of(said, said_by)
    if sort is None or len(said.split()) < _FEWEST_WORDS or not _stands_alone(said):
        return None
    if patterns.NEVER.search(plain) or patterns.NEVER.search(said):
        return None
    content = sentence[begins].upper() + sentence[begins + 1 :]
    return Statement(_labelled(content, said_by, name), sort.kind, sort.importance, said_by)


def _stands_alone(sentence: str) -> bool:
    """Whether nothing in a sentence points to what was said elsewhere."""
    if patterns.ELSEWHERE.search(sentence):
        return False
    pronoun = patterns.PRONOUN.search(sentence)
    return pronoun is None or patterns.ANTECEDENT.search(sentence, 0, pronoun.start()) is not None


def _sort_of(sentence: str, said_by: Speaker) -> _Sort | None:
    if said_by == "user":
        sorts = _OF_USERS if patterns.TASK.match(sentence) is None else _OF_TASKS
        return next((sort for sort in sorts if _is(sort, sentence)), None)
    sort = _OF_OTHERS[said_by]
    return sort if _is(sort, sentence) else None


def _is(sort: _Sort, sentence: str) -> bool:
    if sort.pattern.search(sentence) is None:
        return False
    if sort.kind == "episode":
        return patterns.UNDONE.search(sentence) is None
    return sort.pattern is not patterns.STATE or patterns.PARTICULAR.search(sentence) is not None


def _labelled(sentence: str, said_by: Speaker, name: str) -> str:
    """Return the sentence under the speaker's name, where it needs one: what a tool says always does."""
    if said_by != "tool" and patterns.PERSON.search(sentence) is None:
        return sentence
    return f"{name if _LABEL.fullmatch(name) else said_by.title()}: {sentence}"
