"""A data set made harder changes what it says it changes, and nothing else."""

from __future__ import annotations

from collections import Counter

import pytest

from hippocore.evaluate.files import read_file
from hippocore.evaluate.replies import replies
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


def test_neutral_speakers_are_the_same_in_every_conversation(data):
    other = varied(data, speakers="neutral")
    assert contents(other)[1] == "Sam: My goat ate the tulips, Alex. [shares a goat]"
    assert contents(other)[4:6] == ["Alex: I planted seven walnut trees.", "Sam: My violin needs a new string."]
    assert asked(other)[0] == "What did Alex repair?"


@pytest.mark.parametrize("speakers", ["neutral", "swapped"])
def test_the_roles_of_a_chat_are_no_names(haystacks, written, speakers):
    data = read_file(written(haystacks))
    assert varied(data, speakers=speakers) == data


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


def test_without_times_nothing_else_changes(data):
    other = varied(data, times=False)
    assert contents(other) == contents(data)
    assert {entry.event_time for conversation in other.conversations for entry in conversation.entries} == {None}


def test_order_shuffled_is_the_same_entries_in_another_order(data):
    other = varied(data, order="shuffled", seed=1)
    assert contents(other) != contents(data)
    for was, now in zip(data.conversations, other.conversations, strict=True):
        assert sorted(entry.id for entry in was.entries) == sorted(entry.id for entry in now.entries)
        assert was.questions == now.questions


def test_what_supersedes_cannot_be_shuffled(lines, written):
    with pytest.raises(ValueError, match="leave the order as said"):
        varied(read_file(written(lines, as_lines=True)), order="shuffled")


def test_speakers_of_one_conversation_cannot_be_swapped(locomo, written):
    with pytest.raises(ValueError, match="two conversations or more"):
        varied(read_file(written(locomo[:1])), speakers="swapped")


def test_another_word_for_speakers_is_refused(data):
    with pytest.raises(ValueError, match="speakers must be one of said, shuffled, swapped, neutral, none"):
        varied(data, speakers="upper")
    with pytest.raises(ValueError, match="order must be one of said, shuffled"):
        varied(data, order="upside down")


def test_replies_are_what_is_expected_and_what_was_asked_is_no_memory(haystacks, written):
    data = replies(read_file(written(haystacks)))
    first, second = data.conversations
    assert asked(data) == ["How do I tune a kayak?", "My aunt cooks nettle soup every spring."]
    assert [question.expected for question in first.questions] == [(frozenset({"1:2"}),), (frozenset({"2:2"}),)]
    assert [entry.id for entry in first.entries] == ["1:2", "2:2"]
    assert (len(second.entries), second.questions) == (1, ())


def test_a_reply_is_not_asked_itself_nor_what_is_too_short_or_of_the_same_speaker_or_session(locomo, written):
    session = locomo[1]["conversation"]["session_1"]
    turn = {"speaker": "Mina", "dia_id": "D1:4", "text": "Where have all of them gone?"}
    session += [turn, {**turn, "dia_id": "D1:5", "text": "Home."}, {**turn, "dia_id": "D1:6", "speaker": "Otto"}]
    data = replies(read_file(written(locomo)))
    assert asked(data) == [
        "I repaired the lighthouse lamp today.",
        "The harbour ferry sails at noon now.",
        "I planted seven walnut trees.",
    ]
    assert [entry.id for entry in data.conversations[1].entries] == ["D1:2", "D1:3", "D1:4", "D1:5", "D1:6"]


def test_without_any_reply_there_is_nothing_to_ask(lines, written):
    with pytest.raises(ValueError, match="no turn of 5 to 60 words has a reply"):
        replies(read_file(written(lines[5:], as_lines=True)))
