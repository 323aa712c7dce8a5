"""What a newer text seems to outdate and what it does not, in words that no rule of corrections knows."""

import sys
from collections import Counter

import pytest

from hippocore.lifecycle.outdating import outdates, topics

SIMILAR = 0.5


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The mail relay answers on 2525.", "No more 2525 for the mail relay, please use 2526."),
        ("The mail relay answers on 2525.", "User: You'll reach the mail relay at localhost:2526."),
        ("Our gym charges 40 euros a month.", "They raised it again, so our gym is €45 a month."),
        (
            "User: My sister has a small house in Porto.",
            "User: My sister found a job in Turin and is living there already.",
        ),
        ("Yuki looks after the press list.", "The press list is in the hands of Marek."),
        ("Oskar looks after the press list.", "Don't write to Oskar about the press list, Ines does that job."),
        ("The drum machine reports 3.8.", "It says 3.9 on the drum machine, 3.8 is history."),
        ("The lab protocol goes out as HTML.", "We write the lab protocol in LaTeX now."),
        ("The wedding reception has 80 people on the list.", "Final count for the wedding reception: 75."),
        ("The hearing on our appeal falls on 3 May.", "The clerk called: our appeal has been put on 9 June."),
        ("The recipe scans sit under vault/2016.", "I shifted the recipe scans to depot/2020 for good."),
        ("The class reunion is held in 2027.", "The class reunion got pushed to 2028 and is in 2028."),
        ("The scoring job wants Python 3.11.", "The scoring job wants Python 3.12."),
        ("Tandem supplies our internet.", "Tandem was bought up, hence our internet comes from Hexagon."),
        ("The press list is run by Oskar.", "Don't write to Oskar about the press list any more, Ines does that."),
        ("The retry count is 5.", "We put the retry count at 7."),
        ("Ada's flat costs 900 euros.", "Ada's flat is 950 euros as of this month."),
        ("The hangar door is opened by node4.", "As of today pg2 serves the hangar door."),
    ],
)
def test_another_value_of_what_both_name_outdates(old, new):
    assert outdates(new, old, SIMILAR)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The mail relay answers on 2525.", "The mail relay answers on 2525, as ever."),
        ("The mail relay answers on 2525.", "The image proxy answers on 2526."),
        ("The mail relay answers on 2525.", "The mail relay has 12 workers."),
        ("The mail relay answers on 2525.", "The mail relay also answers on 2526."),
        ("The mail relay answers on 2525.", "The mail relay answers on 2525 and 2526."),
        ("The mail relay answers on 2525.", "The backup of the mail relay is on 2526."),
        ("The mail relay answers on 2525.", "The mail relay dashboard answers on 2526."),
        ("The shop opens at 9:00.", "The shop closes at 18:00."),
        ("The pool opens at 8:00.", "Last Sunday the pool opened at 10:00."),
        ("The shop opens at 9:00 on Saturday.", "The shop opens at 10:00 on Sunday."),
        ("The backup runs on Mondays.", "The backup runs on Thursdays."),
        ("The API returns JSON.", "The API returns XML."),
        ("The mail relay answers on 2526.", "We moved the mail relay from 2525 to 2526."),
        ("The scoring job wants Python 3.11.", "The scoring job wants Ruby 3.2."),
        ("The manual has step 3 on page one.", "The manual has step 4 on page one."),
        ("User: My sister lives in Porto.", "User: My sister works with Kestrel."),
        ("Ada: My sister lives in Porto.", "Bob: My sister lives in Turin."),
        ("Since the cleanup the metrics are on db4.", "Since the cleanup the letters are on db5."),
        ("The date of the trip is 3 May.", "The date of the party is 9 June."),
        ("No more 2525 for the mail relay, please use 2526.", "The mail relay: not 2525, please use 2526."),
    ],
)
def test_the_same_value_another_thing_attribute_case_or_speaker_outdates_nothing(old, new):
    assert not outdates(new, old, SIMILAR)


def test_texts_that_are_not_alike_at_all_outdate_nothing():
    assert not outdates("The hangar door is on pg2 now.", "The hangar door is on pg1.", 0.05)


def test_topics_are_what_is_named_as_known():
    assert topics("Since the storm the boat house of my uncle leaks.") == ["boat house", "uncle"]
    assert topics("Ada's flat is cold.") == ["ada's flat"]


@pytest.mark.parametrize("part", ["my ", "Ada's ", "the relay 5 of my ", "the 5 ", "our db4, "])
def test_a_text_that_is_no_prose_is_little_work(part):
    text = (part * 400)[:400]
    calls = Counter()
    sys.setprofile(lambda frame, event, argument: calls.update([event]))
    try:
        outdates(text, f"{text[3:]}{text[:3]}", SIMILAR)
    finally:
        sys.setprofile(None)
    assert calls["call"] < 10_000
