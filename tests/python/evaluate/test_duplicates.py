"""The duplicate threshold by pairs: the formula, and files of pairs that are wrong."""

from __future__ import annotations

import json

import numpy as np
import pytest

from hippocore.embedders import CallableEmbedder
from hippocore.evaluate.duplicates import Pair, read_pairs, similarities, threshold_of, threshold_of_pairs


def test_the_threshold_is_what_95_of_100_duplicates_reach_rounded_down():
    same = np.linspace(0.8, 1.0, 101)
    found = threshold_of(same, [0.1, 0.2, 0.9])
    assert found.threshold == 0.81
    assert (found.same.pairs, found.different.pairs) == (101, 3)
    assert found.same.percentiles[1] == pytest.approx(0.81)
    assert found.same.reach == pytest.approx(96 / 101)
    assert found.different.reach == pytest.approx(1 / 3)


def test_it_is_never_below_what_half_of_the_others_reach_nor_out_of_0_to_1():
    assert threshold_of([0.5, 0.6], [0.1, 0.876, 0.9]).threshold == 0.87
    assert threshold_of([-0.5], [-0.9]).threshold == 0
    assert threshold_of([1.0000002], [0.0]).threshold == 1


@pytest.mark.parametrize(("same", "different"), [([], [0.1]), ([0.9], [])])
def test_it_needs_both_sorts_of_pairs(same, different):
    with pytest.raises(ValueError, match="needs pairs"):
        threshold_of(same, different)


def test_pairs_are_embedded_and_compared_by_cosine():
    vectors = {"a": [3, 0], "b": [4, 0], "c": [0, 2], "d": [1, 1], "none": [0, 0]}
    embedder = CallableEmbedder(lambda texts: np.array([vectors[text] for text in texts], np.float32), "letters", dim=2)
    assert similarities(["a", "a", "a", "a"], ["b", "c", "d", "none"], embedder) == pytest.approx([1, 0, 0.5**0.5, 0])
    assert similarities([], [], embedder) == []
    found = threshold_of_pairs([Pair("a", "b", True), Pair("a", "d", False)], embedder)
    assert found.threshold == 1
    assert found.different.percentiles[2] == pytest.approx(0.5**0.5)


def test_a_file_of_pairs_is_read(tmp_path):
    path = tmp_path / "pairs"
    lines = [{"a": "one", "b": "eins", "same": True}, {"a": "one", "b": "zwei", "same": False}]
    path.write_text("\ufeff" + "\r\n".join(map(json.dumps, lines)) + "\n\n", encoding="utf-8")
    assert read_pairs(path) == [Pair("one", "eins", True), Pair("one", "zwei", False)]
    assert repr(read_pairs(path)[0]) == "Pair(same=True)"


RIGHT = '{"a": "wombat", "b": "x", "same": true}\n'


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("wombat", "line 2 is not JSON"),
        ("[" * 100_000, "line 2 is not JSON"),
        ("[1]", "line 2 must be an object"),
        ('{"a": "wombat", "same": true}', "line 2: field 'b' is missing"),
        ('{"a": "wombat", "b": "x"}', "line 2: field 'same' is missing"),
        ('{"a": "wombat", "b": "x", "same": 1}', "line 2: field 'same' must be true or false"),
        ('{"a": "wombat", "b": 1, "same": true}', "line 2: field 'b' must be text"),
        ('{"a": " ", "b": "x", "same": true}', "line 2: field 'a' must not be blank"),
        ('{"a": "wombat", "b": "x", "same": true, "c": 1}', "line 2: field 'c' is unknown"),
        ("", "pairs with 'same' true, and pairs with 'same' false"),
        (RIGHT, "pairs with 'same' true, and pairs with 'same' false"),
    ],
)
def test_a_wrong_file_is_named_with_its_line_and_shows_nothing(tmp_path, wrong, said):
    path = tmp_path / "pairs"
    path.write_text(RIGHT + wrong, encoding="utf-8")
    with pytest.raises(ValueError, match=r"line|pairs") as caught:
        read_pairs(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
    assert "wombat" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_file_that_is_no_text_or_not_there(tmp_path):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="not UTF-8"):
        read_pairs(tmp_path / "bytes")
    with pytest.raises(FileNotFoundError):
        read_pairs(tmp_path / "none")
