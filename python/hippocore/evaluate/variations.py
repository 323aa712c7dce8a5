"""The same data set made harder in a known way, to see what an answer leans on: names, or sources."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hippocore.evaluate.dataset import Conversation, DataSet, Entry, Question

SPEAKERS: Final = ("said", "shuffled", "swapped", "none")
_FEWEST: Final = 5  # words of a turn that can be asked
_MOST: Final = 60


def varied(data: DataSet, *, speakers: str = "said", sources: bool = True, seed: int = 0) -> DataSet:
    """Return the data set with its speakers changed and, without `sources`, no entry's source.

    speakers: as "said"; "shuffled" among the entries of a conversation, so that most of them are wrong; "swapped",
    every name replaced by one of the next conversation's, in texts and questions too; or "none" before the text.
    """
    if speakers not in SPEAKERS:
        raise ValueError(f"speakers must be one of {', '.join(SPEAKERS)}, not {speakers!r}")
    conversations = list(data.conversations)
    if speakers == "shuffled":
        generator = random.Random(seed)
        conversations = [_shuffled(conversation, generator) for conversation in conversations]
    elif speakers == "swapped":
        conversations = _swapped(conversations)
    elif speakers == "none":
        conversations = [
            _each(conversation, lambda entry: replace(entry, speaker=None)) for conversation in conversations
        ]
    if not sources:
        conversations = [
            _each(conversation, lambda entry: replace(entry, source=None)) for conversation in conversations
        ]
    return replace(data, conversations=tuple(conversations))


def replies(data: DataSet) -> DataSet:
    """Return a data set that asks what was said for the reply that it got; the file's own questions are not asked.

    An entry of 5 to 60 words whose next one is another speaker's, from the same source, becomes a question and no
    memory, unless it is a reply itself. Raises ValueError where there is none.
    """
    conversations = tuple(map(_asked_for_replies, data.conversations))
    if not any(conversation.questions for conversation in conversations):
        raise ValueError("no turn of 5 to 60 words has a reply of another speaker in its session")
    return replace(data, conversations=conversations, left_out=0)


def _asked_for_replies(conversation: Conversation) -> Conversation:
    kept: list[Entry] = []
    questions: list[Question] = []
    entries = iter(zip(conversation.entries, [*conversation.entries[1:], None], strict=True))
    for entry, reply in entries:
        if reply is None or not _is_asked(entry, reply):
            kept.append(entry)
            continue
        questions.append(Question(entry.text, (frozenset({reply.id}),)))
        kept.append(reply)
        next(entries)
    return replace(conversation, entries=tuple(kept), questions=tuple(questions))


def _is_asked(entry: Entry, reply: Entry) -> bool:
    other = entry.speaker != reply.speaker and entry.source == reply.source
    return other and _FEWEST <= len(entry.text.split()) <= _MOST


def _each(conversation: Conversation, change: Callable[[Entry], Entry]) -> Conversation:
    return replace(conversation, entries=tuple(map(change, conversation.entries)))


def _shuffled(conversation: Conversation, generator: random.Random) -> Conversation:
    speakers = [entry.speaker for entry in conversation.entries]
    generator.shuffle(speakers)
    pairs = zip(conversation.entries, speakers, strict=True)
    return replace(conversation, entries=tuple(replace(entry, speaker=speaker) for entry, speaker in pairs))


def _swapped(conversations: list[Conversation]) -> list[Conversation]:
    names = [_names(conversation) for conversation in conversations]
    if len(names) < 2:
        raise ValueError("speakers can be swapped between two conversations or more, and there is one")
    others = [*names[1:], names[0]]
    return [
        _renamed(conversation, dict(zip(old, new, strict=False)))
        for conversation, old, new in zip(conversations, names, others, strict=True)
    ]


def _names(conversation: Conversation) -> list[str]:
    """Return the speakers in the order in which they first speak."""
    return list(dict.fromkeys(entry.speaker for entry in conversation.entries if entry.speaker is not None))


def _renamed(conversation: Conversation, names: dict[str, str]) -> Conversation:
    if not names:
        return conversation
    any_name = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})\b")

    def renamed(text: str) -> str:
        return any_name.sub(lambda match: names[match[0]], text)

    def entry_renamed(entry: Entry) -> Entry:
        speaker = None if entry.speaker is None else names.get(entry.speaker, entry.speaker)
        return replace(entry, text=renamed(entry.text), speaker=speaker)

    questions = tuple(replace(question, text=renamed(question.text)) for question in conversation.questions)
    return replace(_each(conversation, entry_renamed), questions=questions)
