"""A data set made harder changes what it says it changes, and nothing else."""

from __future__ import annotations

from collections import Counter

import pytest

from hippocore.evaluate.files import read_file
from hippocore.evaluate.variations import varied


@pytest.fixture
def data(locomo, written):
    return read_file(written(locomo))


def contents(data):
    return [entry.content for conversation in data.conversations for entry in conversation.entries]


def asked(data):
    return [question.text for _, question in data.asked()]


def test_as_said_is_the_same(data):
    assert varied(data) == data


def test_speakers_swapped_are_the_next_conversations_in_texts_and_questions(data):
    other = varied(data, speakers="swapped")
    assert contents(other)[:2] == [
        "Mina: I repaired the lighthouse lamp today.",
        "Otto: My goat ate the tulips, Mina. [shares a goat]",
    ]
    assert contents(other)[4].startswith("Ilse: I planted")
    assert asked(other)[:2] == ["What did Mina repair?", "What ate the tulips of Otto?"]
    assert [question.expected for _, question in other.asked()] == [question.expected for _, question in data.asked()]


def test_speakers_shuffled_stay_in_their_conversation_and_their_texts_stay(data):
    other = varied(data, speakers="shuffled", seed=3)
    assert contents(other) != contents(data)
    assert asked(other) == asked(data)
    for was, now in zip(data.conversations, other.conversations, strict=True):
        assert [entry.text for entry in was.entries] == [entry.text for entry in now.entries]
        assert Counter(entry.speaker for entry in was.entries) == Counter(entry.speaker for entry in now.entries)
    assert varied(data, speakers="shuffled", seed=3) == other


def test_without_speakers_the_text_is_all(data):
    assert contents(varied(data, speakers="none"))[0] == "I repaired the lighthouse lamp today."


def test_without_sources_nothing_else_changes(data):
    other = varied(data, sources=False)
    assert contents(other) == contents(data)
    assert {entry.source for conversation in other.conversations for entry in conversation.entries} == {None}


def test_speakers_of_one_conversation_cannot_be_swapped(locomo, written):
    with pytest.raises(ValueError, match="two conversations or more"):
        varied(read_file(written(locomo[:1])), speakers="swapped")


def test_another_word_for_speakers_is_refused(data):
    with pytest.raises(ValueError, match="speakers must be one of said, shuffled, swapped, none"):
        varied(data, speakers="upper")
