"""The documented shapes of secrets are found in every kind of text; what only resembles them is left alone."""

import subprocess
import sys

import pytest

from hippocore.guard import Guard
from tests.fabricated_keys import all_fabricated
from tests.near_misses import near_misses

SEED = 11  # no other than bench/guard.py's, so that what is measured there was never looked at here
FABRICATED = all_fabricated(SEED)
refusing, redacting = Guard(), Guard(secrets="redact")


def missed(texts):
    return [(one.kind, one.context) for one in texts if one.secret in redacting.screen(one.text).content]


@pytest.mark.parametrize("name", ["keys with a shape", "keys with a name", "passwords", "blocks"])
def test_every_fabricated_secret_is_found_in_every_kind_of_text(name):
    assert missed(FABRICATED[name]) == []


def test_a_key_of_a_vendor_that_is_not_known_is_found_beside_a_word_for_it():
    assert {context for _, context in missed(FABRICATED["unknown vendors"])} == {"no word"}


def test_no_reason_shows_any_of_a_secret():
    for texts in FABRICATED.values():
        for one in texts:
            reason = refusing.screen(one.text).reason
            assert reason is None or one.secret[-6:] not in reason


def test_what_was_redacted_holds_no_secret_any_more():
    for texts in FABRICATED.values():
        for one in texts:
            once = redacting.screen(one.text).content
            assert redacting.screen(once).content == once, (one.kind, one.context)


@pytest.mark.parametrize("text", near_misses(SEED))
def test_what_only_resembles_a_secret_is_left_alone(text):
    assert refusing.screen(text) == (text, None, False)


def test_a_name_and_a_value_side_by_side_are_a_secret():
    value = {"env": [{"name": "DB_PASSWORD", "value": "hunter2"}, {"name": "PORT", "value": "8080"}]}
    assert redacting.screen_all(value).content == {
        "env": [{"name": "DB_PASSWORD", "value": "[redacted: password]"}, {"name": "PORT", "value": "8080"}]
    }


def test_a_number_under_a_password_is_a_secret_and_other_numbers_stay():
    assert redacting.screen_all({"password": 12345678}).content == {"password": "[redacted: password]"}
    value = {"tokens": 4096, "token": 800, "password": True, "retries": 12345678, "password_length": 12}
    assert refusing.screen_all(value) == (value, None, False)


def test_a_secret_in_a_key_and_one_in_its_value_are_both_redacted():
    key = next(one.secret for one in FABRICATED["keys with a shape"] if one.kind == "GitHub")
    clean = redacting.screen_all({f"password {key}": "fine", "password": "hunter2"}).content
    assert clean == {"password [redacted: GitHub token]": "fine", "password": "[redacted: password]"}


def test_a_turkish_capital_moves_no_redaction():
    assert redacting.screen("İİİ password: hunter2 İ").content == "İİİ password: [redacted: password] İ"


def test_patterns_are_compiled_when_a_text_needs_them():
    script = (
        "import hippocore.secret_patterns as patterns\n"
        "from hippocore.guard import Guard\n"
        "assert patterns.compiled.cache_info().currsize == 0\n"
        "Guard().screen('We met in Berlin.')\n"
        "assert patterns.compiled.cache_info().currsize == 0\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
