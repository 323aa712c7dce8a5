"""The rules of corrections and contradictions: what they say, and above all what they leave alone."""

from __future__ import annotations

import pytest

from bench import corrections as bench
from bench.correction_pairs import REPORT
from hippocore.lifecycle.contradictions import contradicts
from hippocore.lifecycle.corrections import REASONS, corrects
from hippocore.lifecycle.statements import read

NEAR = 0.9


def rule(new, old, similarity=NEAR):
    found = corrects(new, old, similarity)
    return found and found.rule


@pytest.mark.parametrize(
    ("old", "new", "by"),
    [
        ("has 5 years of Go", "has 6 years of Go", "number"),
        ("Ada has five years of Go", "Ada has 6 years of Go", "number"),
        ("Ada has 25 years of Go", "Ada has twenty-six years of Go", "number"),
        ("The city has 2,500,000 people", "The city has three million people", "number"),
        ("The server has 16 GB of memory", "The server has 16 TB of memory", "number"),
        ("The fee is $10", "The fee is $12", "number"),
        ("Er hat seit Mai 5 Jahre Erfahrung", "Er hat seit Mai 6 Jahre Erfahrung", "number"),
        ("他有5年Go经验", "他有6年Go经验", "number"),
        ("The deadline is 3 May", "The deadline is 10 May", "date"),
        ("The call is on Friday", "The call was moved to Monday", "date"),
        ("The keynote is at 10 am", "The keynote is at 11 am", "date"),
        ("Ada was born in 1990", "Ada was born in 1991", "date"),
        ("Die Frist endet am 2024-05-03", "Die Frist endet am 2024-06-03", "date"),
        ("Ada lives in Paris", "Ada moved to Berlin", "place"),
        ("Ada lives in New York", "Ada lives in New Orleans", "place"),
        ("Ada works at Initech", "Ada joined Globex", "name"),
        ("Ada's manager is Bob", "Ada's manager is Carol", "name"),
        ("Ada is the CEO of Acme", "Bob is the CEO of Acme", "name"),
        ("User: I live in Paris.", "User: I moved to Berlin last week.", "place"),
        ("User: My dog is called Rex.", "User: My dog is called Max.", "name"),
        ("User: I drive a Tesla.", "User: Actually, I drive a Volvo.", "marker"),
        ("Ada drives a Tesla", "Correction: Ada drives a Volvo", "marker"),
        ("Port: 5432", "Port: 6432", "number"),
        ("My favorite color is blue", "My favourite colour is green", "value"),
        ("The price is 10 euros", "The price went up to 12 euros", "number"),
        ("The cache is enabled", "The cache is disabled", "opposite"),
        ("Ada likes tea", "Ada doesn't like tea", "negation"),
        ("Ada works at Acme as an engineer", "Ada no longer works at Acme", "negation"),
        ("Ada drives a Tesla", "Actually, Ada drives a Volvo", "marker"),
        ("Ada drinks coffee", "Ada now drinks tea", "marker"),
        ("Ada uses vim", "Ada uses emacs instead of vim", "ended"),
        ("The team uses Jenkins", "The team switched from Jenkins to Buildkite", "ended"),
        # one attribute in other words
        ("The port of the mailer is 25", "The mailer moved to port 26", "number"),
        ("The mailer listens on port 25", "The port of the mailer is 26 now", "number"),
        ("The trip has a budget of 500 euros", "The budget of the trip was cut to 400 euros", "number"),
        ("The worker limit was changed to 5", "The worker limit was changed to 6", "number"),
        ("User: We set the worker limit to 5.", "User: We changed the worker limit from 5 to 6.", "number"),
        ("The parser runs on Python 3.9", "User: We upgraded the parser to Python 3.11", "number"),
        ("The tax report is due on 3 May", "The deadline of the tax report is 10 May", "date"),
        ("The tax report was postponed to 3 May", "The deadline of the tax report is 10 May", "date"),
        ("The call was moved to Monday", "The call was moved to Friday", "date"),
        ("Ada owns the parser", "The parser is owned by Bob now", "name"),
        ("The owner of the parser is Ada", "Bob took over the parser from Ada", "name"),
        ("Bob took over the parser from Ada", "The owner of the parser is Carol from today on", "name"),
        ("The cache is at db4", "The cache is at db5 now, not at db4", "ended"),
        ("The cache is at db4", "User: We moved the cache from db4 to db5", "ended"),
        ("User: I prefer PDF for my reports.", "User: I'd rather have my reports as HTML.", "value"),
        ("User: I want my reports as PDF.", "User: I prefer HTML over PDF for my reports.", "value"),
    ],
)
def test_a_correction_is_found_by_its_rule(old, new, by):
    assert rule(new, old) == by


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("item 17 of 40", "item 18 of 40"),
        ("This is item 17 of 40", "This is item 18 of 40"),
        ("Step 3 is to wait", "Step 4 is to wait"),
        ("Ada is on page 12", "Ada is on page 13"),
        ("Chapter 4 is about trees", "Chapter 5 is about trees"),
        ("1. Install it", "2. Install it"),
        ("Server 3 runs Debian", "Server 4 runs Debian"),
        ("The tour is at stop 3 of 9", "The tour is at stop 4 of 9"),
        ("- Ada has 5 cats", "- Ada has 6 cats"),
        ("第17项", "第18项"),
        ("Ada has 2 cats\nAda has 3 dogs", "Ada has 2 cats\nAda has 4 dogs"),
    ],
)
def test_an_enumeration_and_a_list_are_none(old, new):
    assert rule(new, old) is None
    assert contradicts(new, old, NEAR) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ada has 5 years of Go", "Bob has 6 years of Go"),  # two people with one attribute
        ("Ada has 5 years of Go", "Ada has 6 years of Rust"),
        ("Ada: I live in Paris", "Bob: I live in Rome"),
        ("Ada owns a car", "Bob owns a car"),
        ("Ada is Tim's sister", "Zoe is Tim's sister"),
        ("Ada is the sister of Tim", "Zoe is the sister of Tim"),
        ("Ada speaks French", "Ada speaks German"),
        ("Ada ran 5 km", "Ada ran 6 km"),  # events
        ("Ada did not eat lunch", "Ada ate lunch"),
        ("In 2023 the revenue was 5 million", "In 2024 the revenue was 6 million"),
        ("Ada visited Rome", "Ada never visited Rome"),
        ("The backup runs on Mondays", "The backup runs on Thursdays"),
        ("The team has 5 engineers", "The team has 6 engineers too"),
        ("Ada visited Rome in May", "Ada visited Rome in June"),
        ("Ada lives in Paris", "Ada lives in Paris, France"),  # more precise
        ("Ada lives in Berlin", "Ada lives in Germany"),
        ("Ada lives in Paris", "Ada also lives in Berlin"),
        ("Ada lives in Paris", "Ada lives in Berlin too"),
        ("Ada lives in Paris in winter", "Ada lives in Berlin in summer"),
        ("Ada is in Berlin", "Ada is in a meeting"),
        ("Ada does not like tea", "Ada does not like coffee"),
        ("Return True if the queue is empty", "Return True if the queue is full"),
        ("Stop if the queue is not empty", "Stop if the queue is empty"),
        ("If it is not paid, wait a day", "Wait a day if it is paid"),
        ("Tell Ada whether the limit is 10", "Tell Ada whether the limit is 20"),
        ("Called to clean up a server", "Called to stop a request"),
        ("Ada has 5 years of Java", "Ada switched from Java to Go"),
        ("Ada has five years of Go", "Ada has 5 years of Go"),
        ("Ada lives in Paris. She likes it there.", "Ada lives in Berlin. She likes it there."),
        ("Ada lives in Paris", "Ada lives in Paris"),
        ("The trial starts on 5 May", "The deadline of the trial is 9 May"),
        ("The mailer listens on port 25", "The mailer connects to port 26"),
        ("The port of the mailer is 25", "The port of the parser is 26"),
        ("The count of open tickets is 20", "The count of open tickets rose by 5"),
        ("The plan costs 5 euros a month", "The price of the plan is 50 euros a year"),
        ("The parser is owned by Ada", "The lexer is owned by Bob"),
        ("The parser is owned by Ada", "The parser is led by Bob"),
        ("User: I prefer tea for breakfast.", "User: I prefer coffee for lunch."),
        ("User: I like my tea as a starter.", "User: I have a tea as a guest."),
        ("The report was read by Ada", "The report was read by Bob"),
        ("", "!"),
    ],
)
def test_what_can_hold_together_is_left_alone(old, new):
    assert rule(new, old) is None
    assert contradicts(new, old, NEAR) is None


@pytest.mark.parametrize(
    ("old", "new", "by"),
    [
        ("User: I prefer tabs over spaces.", "User: I prefer spaces over tabs.", "order"),
        ("Ada: I live in Utrecht.", "ada: I moved to Hamburg.", "place"),
        ("Ada: Our port is 5432.", "Ada: Correction: our port is 6432.", "number"),
        ("Our port is 5432.", "Correction: our port is 6432.", "number"),
        ("Ada: I live in Utrecht.", "Bob: I live in Hamburg.", None),
        ("Ada: I like tea.", "Bob: I don't like tea.", None),
        ("I live in Utrecht.", "Bob: I live in Hamburg.", None),
    ],
)
def test_what_somebody_says_of_themselves_is_held_against_their_own_words_alone(old, new, by):
    found = corrects(new, old, NEAR) or contradicts(new, old, NEAR)
    assert (found and found.rule) == by


def test_what_is_not_near_at_all_corrects_nothing():
    assert rule("Ada moved to Berlin", "Ada lives in Paris", 0.2) == "place"
    assert rule("Ada moved to Berlin", "Ada lives in Paris", 0.05) is None
    assert contradicts("You may push to main", "Never push to main", 0.05) is None


@pytest.mark.parametrize(
    ("old", "new", "by"),
    [
        ("Bob never drinks coffee in the morning", "In the morning Bob drinks coffee", "negation"),
        ("Never push to main", "You may push to main", "negation"),
        ("The cache is enabled in production", "In production the cache is disabled", "opposite"),
        ("The server has 16 GB of memory", "Memory of the server: 32 GB", "number"),
        ("Ada prefers tea over coffee", "Ada prefers coffee over tea", "order"),
    ],
)
def test_a_contradiction_is_found_in_any_order_of_words(old, new, by):
    found = contradicts(new, old, NEAR)
    assert found is not None
    assert found.rule == by


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Bob never drinks coffee in the morning", "In the morning Ann drinks coffee"),
        ("Ada never drinks coffee after lunch", "Ada drinks coffee before lunch"),
        ("The cache is enabled in production", "In development the cache is disabled"),
        ("The left wheel has 5 bolts", "The right wheel has 5 bolts"),
        ("Rack 3 is red", "Red is rack 4"),
        ("Never push to main", "Never push to release"),
        ("The public report has 5 pages", "The private report has 5 pages"),
        ("Host 3 logs are full", "Full are host 4 logs"),
        (
            "Bob never drinks large hot cups of strong black coffee with sugar in Rome",
            "In Rome Ann drinks large hot cups of strong black coffee with sugar",
        ),
    ],
)
def test_what_is_about_another_case_contradicts_nothing(old, new):
    assert contradicts(new, old, NEAR) is None


def test_nothing_shows_what_was_read():
    statement = read("The wombat does not live in Zanzibar")
    assert statement is not None
    assert repr(statement) == "Statement(4 words)"
    assert repr(statement.words[0]) == f"Word({len(statement.words[0].shown)} characters)"
    assert "wombat" not in "".join(REASONS.values())


@pytest.mark.parametrize(
    "text", ["x" * 500, "word " * 60, "One. Two.", "a\nb", " ", "?", "the", "\ud800", "۵ ۶", "9" * 390]
)
def test_any_text_is_read_or_not(text):
    read(text)
    assert corrects(text, "Ada has 5 cats", NEAR) is None
    assert contradicts(text, "Ada has 5 cats", NEAR) is None


def test_the_figures_of_the_docs():
    found = bench.judged(REPORT)
    near = [one for one in found if one.near]
    either = [one for one in found if one.near or one.apart]
    assert (len(found), sum(one.mark == "=" for one in near), sum(one.mark != "+" for one in near)) == (173, 55, 56)
    assert (len(near), sum(one.mark != "+" for one in either), len(either)) == (58, 66, 68)
