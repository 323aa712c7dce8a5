"""Terms as they are stored: fixed hashes, counts, labels, and that a question's words find the content's."""

import struct
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippocore.lexical_terms import _remembered, document_terms, query_terms
from hippocore.word_patterns import patterns_for

HASHES = (1 << 56) - 1
TEXTS = st.text(
    alphabet=st.one_of(st.sampled_from("aB's:[]/_ 1é東京서울ไปน้ำ\u0301\ud800"), st.characters(categories=None)),
    max_size=20,
)


def entries(content):
    """Hash -> count of each term, ascending by hash, as the store adds them up."""
    packed = document_terms(content)
    counts = {}
    for value in struct.unpack(f"<{len(packed) // 8}Q", packed):
        counts[value & HASHES] = counts.get(value & HASHES, 0) + (value >> 56)
    return dict(sorted(counts.items()))


def labels(content):
    return [term for term, count in entries(content).items() if count == 0]


def names(question, content):
    return [label for label in labels(content) if label in query_terms(question)[1]]


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("dog", 0x3440CFCD0ABC82),
        ("ERR_42", 0x06A3E142AA0CB1),
        ("été", 0xA7BB7FB519C389),
        ("東京", 0x07EBD6148EB680),
        ("น้ำ", 0x27995D6A40E3B8),
    ],
)
def test_the_hashes_of_terms_never_change(term, expected):
    assert query_terms(term)[0][0] == expected
    assert expected in entries(f"1 {term} 2")


def test_what_is_stored_never_changes():
    assert entries("Ada: the dogs ran, the dogs slept") == {
        0x08270F06EE38F9: 1,
        0x16A559E93F490E: 0,
        0x3440CFCD0ABC82: 2,
        0x366E7C373E7A64: 1,
        0x395FC5AEB09E30: 1,
        0x62F5245AFB8583: 2,
    }
    assert query_terms("Ada Byron?")[1] == [0x16A559E93F490E, 0xC11541BD212B2C, 0x8BDD6B147B836B]


def test_counts_are_of_the_content():
    dog, cat = (query_terms(word)[0][0] for word in ("dog", "cat"))
    assert entries("Dogs and a dog, the dog's; cat") | {dog: 3, cat: 1} == entries("Dogs and a dog, the dog's; cat")
    for often in (1, 300):
        assert entries("dog " * often + "cat") == {dog: often, cat: 1}


@pytest.mark.parametrize("content", ["", " \n", "?!", "👩\u200d👧", "\u0301", "\ud800", "___"])
def test_a_text_without_words_has_no_terms(content):
    assert document_terms(content) == b""
    assert query_terms(content) == ([], [])


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("Ada: I agree", "What did Ada say?"),
        ("ADA: I agree", "ada's opinion"),
        ("Ada：我同意", "Ada?"),
        ("[Ada] I agree", "did ada agree"),
        ("  Ada: I agree", "did ada agree"),
        ("Ada Byron: I agree", "What did Ada Byron say?"),
        ("Dr. Ada O'Brien: I agree", "has Dr. Ada O’Brien agreed?"),
        ("user_1: hello", "what did user_1 want"),
        ("小明：你好", "昨天小明说了什么"),
        ("철수: 안녕", "철수가 뭐라고 했어"),
    ],
)
def test_a_question_that_names_a_label_asks_for_it(content, question):
    assert len(labels(content)) == 1
    assert names(question, content) == labels(content)
    assert set(query_terms(question)[1]).isdisjoint(query_terms(question)[0])


@pytest.mark.parametrize(
    "content",
    [
        "I agree", "Ada:", "Ada:I agree", "Ada", "https://ada.example", "Ada (late): I agree", "Well, Ada: I agree",
        "Four words are many: I agree", f"{'a' * 41}: I agree", "A\nda: I agree", ": I agree", "?: I agree", "[Ada]",
        "[] I agree", "[link](there): I agree",
    ],
)  # fmt: skip
def test_what_is_no_name_before_a_colon_is_no_label(content):
    assert labels(content) == []


def test_a_name_that_is_part_of_another_is_not_it():
    assert names("What did Ada say?", "Ada Byron: I agree") == []
    assert names("Byron Ada?", "Ada Byron: I agree") == []
    assert names("Ada Augusta Byron", "Ada Byron: I agree") == []


def test_a_labels_words_are_terms_and_a_label_counts_as_no_term():
    assert set(query_terms("Ada agree")[0]) < set(entries("Ada: I agree"))
    assert {term: count for term, count in entries("Ada: I agree").items() if count} == entries("Ada I agree")


@given(TEXTS, TEXTS, TEXTS)
@example("", "東京", "都")
def test_every_word_of_a_content_finds_it(before, middle, behind):
    stored = entries(f"{before} {middle} {behind}")
    assert set(query_terms(middle)[0]) <= set(stored)
    normal = unicodedata.normalize("NFKC", middle)
    for word in patterns_for(normal).word.findall(patterns_for(normal).unseen.sub("", normal)):
        assert set(query_terms(word)[0]) <= set(stored)


@given(TEXTS)
def test_content_and_question_have_the_same_terms(text):
    found = query_terms(text)
    assert sorted(found[0]) == [term for term, count in entries(text).items() if count]
    assert len(set(found[0])) == len(found[0])
    assert len(set(found[1])) == len(found[1])
    assert set(labels(text)) <= set(found[1])


@given(TEXTS)
def test_what_is_remembered_of_chunks_changes_nothing(text):
    _remembered.clear()
    first = document_terms(text), query_terms(text)
    assert (document_terms(text), query_terms(text)) == first


def test_no_more_chunks_are_remembered_than_a_bound():
    document_terms(" ".join(map(str, range(20_000))))
    document_terms("x" * 100)
    assert 0 < len(_remembered) <= 8192
    assert "x" * 100 not in _remembered
