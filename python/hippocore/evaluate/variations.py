"""The same data set made harder in a known way, to see what an answer leans on: names, sources, times or order."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from hippocore.evaluate.dataset import Conversation, DataSet, Entry

SPEAKERS: Final = ("said", "shuffled", "swapped", "neutral", "none")
NEUTRAL: Final = ("Alex", "Sam", "Robin", "Kim")
ROLES: Final = ("user", "assistant", "system", "tool")
ORDERS: Final = ("said", "shuffled")


def varied(
    data: DataSet,
    *,
    speakers: str = "said",
    sources: bool = True,
    times: bool = True,
    order: str = "said",
    seed: int = 0,
) -> DataSet:
    """Return the data set with its speakers changed; without `sources` or `times`, no entry has its source or time.

    speakers: as "said"; "shuffled" among the entries of a conversation, so that most of them are wrong; "swapped",
    every name replaced by one of the next conversation's, in texts and questions too; "neutral", by the same names in
    every conversation; or "none" before the text. The roles of a chat are no names, and stay.
    order: as "said", or "shuffled" within each conversation. Raises ValueError for another word, for one conversation
    whose speakers are to be swapped, and for shuffling entries that supersede earlier ones.
    """
    for name, word, words in (("speakers", speakers, SPEAKERS), ("order", order, ORDERS)):
        if word not in words:
            raise ValueError(f"{name} must be one of {', '.join(words)}, not {word!r}")
    generator = random.Random(seed)
    conversations = list(data.conversations)
    if speakers == "swapped":
        conversations = _swapped(conversations)
    if speakers == "neutral":
        conversations = _with_neutral_speakers(conversations)
    if speakers == "shuffled":
        conversations = [_with_speakers_shuffled(conversation, generator) for conversation in conversations]
    if order == "shuffled":
        conversations = [_in_another_order(conversation, generator) for conversation in conversations]
    left_out: dict[str, Any] = {"speaker": None} if speakers == "none" else {}
    left_out |= {"source": None} if not sources else {}
    left_out |= {"event_time": None} if not times else {}
    conversations = [_each(conversation, lambda entry: replace(entry, **left_out)) for conversation in conversations]
    return replace(data, conversations=tuple(conversations))


def _each(conversation: Conversation, change: Callable[[Entry], Entry]) -> Conversation:
    return replace(conversation, entries=tuple(map(change, conversation.entries)))


def _with_speakers_shuffled(conversation: Conversation, generator: random.Random) -> Conversation:
    speakers = [entry.speaker for entry in conversation.entries]
    generator.shuffle(speakers)
    pairs = zip(conversation.entries, speakers, strict=True)
    return replace(conversation, entries=tuple(replace(entry, speaker=speaker) for entry, speaker in pairs))


def _in_another_order(conversation: Conversation, generator: random.Random) -> Conversation:
    if any(entry.supersedes is not None for entry in conversation.entries):
        raise ValueError("what supersedes an earlier memory cannot be shuffled before it: leave the order as said")
    entries = list(conversation.entries)
    generator.shuffle(entries)
    return replace(conversation, entries=tuple(entries))


def _swapped(conversations: list[Conversation]) -> list[Conversation]:
    names = [_names(conversation) for conversation in conversations]
    if len(names) < 2:
        raise ValueError("speakers can be swapped between two conversations or more, and there is one")
    others = [*names[1:], names[0]]
    return [
        _renamed(conversation, dict(zip(old, new, strict=False)))
        for conversation, old, new in zip(conversations, names, others, strict=True)
    ]


def _with_neutral_speakers(conversations: list[Conversation]) -> list[Conversation]:
    renamed = []
    for conversation in conversations:
        own = _names(conversation)
        others = (*NEUTRAL, *(f"Person{i}" for i in range(len(NEUTRAL), len(own))))
        renamed.append(_renamed(conversation, dict(zip(own, others, strict=False))))
    return renamed


def _names(conversation: Conversation) -> list[str]:
    """Return the names of the speakers in the order in which they first speak."""
    speakers = dict.fromkeys(entry.speaker for entry in conversation.entries)
    return [speaker for speaker in speakers if speaker is not None and speaker not in ROLES]


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
