"""What a model wrote is taken only where the texts in front of it say it; and sentences are cut where they end."""

import pytest

from hippocore.lifecycle.agreement import is_grounded, names_and_numbers, one_sentence, stance
from hippocore.lifecycle.centrality import central_sentences, clipped, sentences, speaker_of, statements
from hippocore.tokens import estimate

NOTES = ["Ada moved the staging database to pg2.", "Since then it listens on port 6432, and Ada wrote that down."]


@pytest.mark.parametrize(
    ("text", "grounded"),
    [
        ("Ada moved the staging database to pg2, on port 6432.", True),
        ("The staging database is pg2 since Ada moved it.", True),
        ("Bob moved the staging database to pg2.", False),
        ("Ada moved the staging database to pg3.", False),
        ("Ada moved the staging database to port 5432.", False),
        ("Ada has not moved the staging database to pg2.", False),
        ("Ada didn't move the staging database.", False),
        ("Ada runs a large farm with horses.", False),
        ("", False),
        ("...", False),
    ],
)
def test_a_text_is_grounded_where_its_names_numbers_negations_and_half_its_words_are(text, grounded):
    assert is_grounded(text, NOTES) is grounded


def test_what_is_denied_may_be_denied():
    assert is_grounded(
        "Ada never deploys on Fridays.", ["Ada does not deploy on Fridays", "no deploys by Ada on Fridays"]
    )


def test_names_and_numbers_are_found_wherever_they_stand():
    assert list(names_and_numbers("The DB moved. (Ada) wrote v2.1.3, camelCase and 7!")) == [
        "DB", "Ada", "v2.1.3", "camelCase", "7",
    ]  # fmt: skip


def test_a_stance_is_of_numbers_and_negation():
    assert stance("port 5432 is open.") == stance("Open is port 5432!")
    assert len({stance(text) for text in ("port 5432", "port 6432", "no port 5432", "port")}) == 4


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (' "Tea is nice." \n', "Tea is nice."),
        ("Tea\nis nice", "Tea is nice"),
        ("Tea is nice. Coffee too.", None),
        ("", None),
        ('"" ', None),
        ("x" * 21, None),
    ],
)
def test_one_sentence_on_one_line_is_read_from_an_answer(answer, sentence):
    assert one_sentence(answer, 20) == sentence


def test_sentences_end_where_they_end():
    text = "Dr. Smith came at 5 p.m. and left. “We won!” she said?\nOn a line\n\n"
    text += "Version 2.1.3 is e.g. out! 日本語。次です。"
    assert sentences(text) == [
        "Dr. Smith came at 5 p.m. and left.",
        "“We won!” she said?",
        "On a line",
        "Version 2.1.3 is e.g. out!",
        "日本語。",
        "次です。",
    ]


def test_sentences_lose_no_word():
    text = "a. B! C? d… E “F.” (G.) H.\r\nI\u2028J. K. Rowling wrote. L"
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_a_statement_is_no_question_and_no_greeting():
    text = "Ada: Hi Bob! How did the migration go? I moved the staging database. “Was it slow?” Bye."
    assert statements(text) == ["I moved the staging database."]
    assert statements("日本語を話します。何ですか？") == ["日本語を話します。"]


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Ada: I agree", "Ada: "),
        ("Ada L. Byron: I agree", "Ada L. Byron: "),
        ("12:30 is the time: noon", ""),
        ("See https://example.com", ""),
        ("one two three four: five", ""),
    ],
)
def test_who_says_a_text_is_the_name_before_its_colon(text, speaker):
    assert speaker_of(text) == speaker


@pytest.mark.parametrize(
    ("room", "beginning"), [(3, "one two"), (4, "one two three"), (1, "one"), (100, "one two three four")]
)
def test_a_text_is_cut_between_words(room, beginning):
    assert clipped("one two three four", room, estimate) == beginning


def test_a_text_without_spaces_is_cut_anyway():
    assert clipped("x" * 1000, 5, estimate) == "x" * 20


SAID = [
    "Hello there.",
    "The migration of the billing database failed on Monday.",
    "The billing database migration failed because a lock was held.",
    "Lunch was pasta.",
    "The billing migration ran again after the lock was released.",
]


def test_the_most_central_sentences_are_taken_in_their_order():
    assert central_sentences(SAID, 16, estimate) == [2]
    assert central_sentences(SAID, 31, estimate) == [2, 4]
    assert central_sentences(SAID, 1000, estimate) == [1, 2, 4]
    assert central_sentences(SAID, 1, estimate) == []
    assert central_sentences([], 10, estimate) == []


def test_what_is_said_twice_is_taken_once():
    assert central_sentences([SAID[1], *SAID], 1000, estimate) == [0, 3, 5]
