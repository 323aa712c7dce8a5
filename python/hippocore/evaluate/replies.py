"""A log of conversations as a data set, without any label: each turn is asked for the reply that it got."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hippocore.evaluate.dataset import Conversation, DataSet, Entry, Question

FEWEST: Final = 5  # words of a turn that can be asked
MOST: Final = 60


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
    return other and FEWEST <= len(entry.text.split()) <= MOST
