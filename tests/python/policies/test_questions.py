"""Questions about memory itself are asked by their subject; others as they stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocore.questions import subject_of


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("what did I tell you about my infra?", "my infra?"),
        ("What have we discussed about pricing?", "pricing?"),
        ("hey, what do you know about Ada?", "Ada?"),
        ("Do you remember where I parked?", "where I parked?"),
        ("Do you still remember? What is my dog's name?", "What is my dog's name?"),
        ("Can you remind me of what I told you: where is the key", "where is the key"),
        ("Could you please remind me what we said about the budget?", "the budget?"),
        ("ok so, tell me everything you know about Mara’s father", "Mara's father"),
        ("Search your memory and tell me what I've told you about this: where is the key?", "where is the key?"),
        ("Look through our previous chats for the recipe", "the recipe"),
        ("I can't remember the name of the cafe in Rome", "the name of the cafe in Rome"),
        ("I'm trying to remember. Do you know where I parked?", "where I parked?"),
        ("Search your notes: where is the key?", "where is the key?"),
        ("I forgot where I parked", "where I parked"),
        ("I was wondering if you could remind me how the story ended.", "how the story ended."),
        ("  Tell me about   Mara ", "Mara"),
    ],
)
def test_a_question_about_memory_asks_for_its_subject(question, subject):
    assert subject_of(question) == subject


@pytest.mark.parametrize(
    "question",
    """What did Tim say about his injury?; What does Joanna use to remember her dog?; so what's our stack?; remind me
    what do you know about me?; Do you remember?; Do you remember this?; I forgot my charger at the hotel; Tell me
    What did I say to Bob about the rent?; check the memory leak in the parser; check my notes app; I told Bob
    What did we talk about last week?; Rememberance day; tell meat apart from fish; you know what; ; ?!; 你还记得吗
    """.replace("\n", ";").split(";"),
)
def test_another_question_is_asked_as_it_stands(question):
    assert subject_of(question) == question


def test_a_text_of_any_length_is_looked_at_at_its_start_only():
    long = "and so it goes " * 10_000
    assert subject_of("Do you remember " + long) == long.rstrip()
    assert subject_of("so, " * 10_000) == "so, " * 10_000
    assert subject_of(long + "do you remember?") == long + "do you remember?"


WORDS = "hey, do you remember recall tell me what did I told about my infra? this : . that"
SAID = st.lists(st.sampled_from(WORDS.split(" ")), max_size=9)


@given(st.one_of(SAID.map(" ".join), st.text(max_size=40)))
def test_any_text_has_a_subject_that_ends_it(question):
    subject = subject_of(question)
    assert subject == question or question.replace("’", "'").rstrip().endswith(subject)
    assert subject or not question
