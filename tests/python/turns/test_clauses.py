"""Which sentences state two things, and what each of them says alone."""

import pytest

from hippocore.lifecycle.clauses import clauses_of


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("I am Ada and live in Paris.", ["I am Ada.", "I live in Paris."]),
        ("I'm a nurse, I work nights and have two cats.", ["I'm a nurse.", "I work nights.", "I have two cats."]),
        ("I hate cilantro but my wife loves it!", ["I hate cilantro.", "My wife loves it!"]),
        ("I don't want PDF, I prefer HTML.", ["I don't want PDF.", "I prefer HTML."]),
    ],
)
def test_what_begins_anew_is_a_clause_of_its_own(sentence, clauses):
    assert clauses_of(sentence) == clauses


@pytest.mark.parametrize(
    "sentence",
    [
        "The kids, my sister and I live in Oslo.",
        "I like tea and the old harbour.",
        "If it rains, I stay at home and my dog sleeps.",
        "Do you know where I live and my brother works?",
        "The flat costs 900 euros, the garage is 80.",
    ],
)
def test_what_does_not_is_one(sentence):
    assert clauses_of(sentence) == [sentence]
