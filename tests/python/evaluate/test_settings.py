"""Settings as the command line says them."""

from __future__ import annotations

import re

import pytest

from hippocore import Ranking
from hippocore.evaluate.settings import Setting


def test_the_defaults_are_the_layers():
    assert Setting().made_ranking() == Ranking()
    assert str(Setting()) == "local, hybrid"


def test_what_is_named_changes_and_the_rest_stays():
    setting = Setting(embedder="minilm", budget=300).changed("mode=dense, limit=5,sources=no")
    assert setting == Setting(embedder="minilm", budget=300, mode="dense", limit=5, sources=False)
    assert str(setting) == "minilm, dense, sources=no"


def test_other_wordings_are_asked_for_where_a_setting_says_so():
    setting = Setting().changed("expand=feedback,mode=dense")
    assert setting.how == {"mode": "dense", "ranking": Ranking(), "expand": "feedback"}
    assert Setting().how == {"mode": "hybrid", "ranking": Ranking(), "expand": None}
    assert str(setting) == "local, dense, expand=feedback"
    assert setting.written == Setting().written


def test_weights_that_are_not_named_are_0():
    setting = Setting().changed("relevance=0.75,recency=0.25,recency_of=event")
    assert setting.made_ranking() == Ranking(relevance=0.75, recency=0.25, importance=0, usage=0, recency_of="event")
    assert setting.changed("relevance=1").made_ranking().weights == (1, 0, 0, 0)
    assert setting.changed("usage_saturation=9").made_ranking().weights == (0.75, 0.25, 0, 0)
    assert str(setting) == "local, hybrid, relevance=0.75, recency=0.25, recency_of=event"


def test_settings_that_write_the_same_say_so():
    assert Setting().written == Setting().changed("mode=dense,limit=3,relevance=1").written
    for text in ("embedder=minilm", "speakers=none", "sources=no", "times=no", "order=shuffled", "seed=1"):
        assert Setting().written != Setting().changed(text).written


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a setting must be NAME=VALUE"),
        ("mood=dense", "'mood=dense' is no setting"),
        ("dense", "'dense' is no setting"),
        ("half_life=3", "'half_life=3' is no setting"),
        ("mode=fast", "mode must be one of hybrid, dense, lexical, bm25, rrf"),
        ("mode=bm25,relevance=1", "mode bm25 has no weights: leave out relevance"),
        ("expand=paraphrase", "expand must be one of none, feedback"),
        ("mode=lexical,expand=feedback", "mode lexical is asked by no vector: leave out expand"),
        ("limit=many", "limit must be a number"),
        ("limit=0", "limit must be 1 or more"),
        ("sources=maybe", "sources must be yes or no"),
        ("relevance=0.5", "Ranking's weights must sum to 1"),
        ("recency_of=never", "recency_of must be one of"),
    ],
)
def test_what_no_setting_can_be_is_refused(text, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        Setting().changed(text)
