"""Token counts: the estimate by script, an encoding by name, and the caller's own."""

import sys
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocore.tokens import counter, estimate


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("four", 1),
        ("five5", 2),
        ("a" * 400, 100),
        ("é" * 400, 100),
        ("我喜欢茶", 4),
        ("お茶が好き", 5),
        ("차를좋아해", 5),
        ("ฉันชอบชา", 8),
        ("Привет", 3),
        ("tea 茶", 2),
        ("𠀀𠀁", 2),
        ("😀😀", 2),
    ],
)
def test_a_token_is_four_latin_characters_or_one_of_a_dense_script(text, tokens):
    assert estimate(text) == tokens


@given(st.text(max_size=50), st.text(max_size=50))
def test_an_estimate_is_positive_and_joining_never_costs_more(one, other):
    assert (estimate(one) > 0) is (one != "")
    assert max(estimate(one), estimate(other)) <= estimate(one + other) <= estimate(one) + estimate(other)


def test_the_estimate_goes_by_its_name():
    name, count = counter("estimate")
    assert (name, count("four" * 3)) == ("estimate", 3)


def test_a_callable_is_used_as_given():
    name, count = counter(lambda text: len(text.split()))
    assert (name, count("three short words")) == ("custom", 3)


@pytest.mark.parametrize("result", [-1, 1.0, None, True, "3"])
def test_a_callable_that_gives_no_count_is_refused_when_it_does(result):
    _, count = counter(lambda text: result)
    with pytest.raises(ValueError, match="token counter must return an int"):
        count("text")


@pytest.mark.parametrize("spec", [None, 5, ["estimate"]])
def test_what_is_no_counter_is_refused(spec):
    with pytest.raises(TypeError, match="tokens must be"):
        counter(spec)


def test_an_encoding_without_its_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(ValueError, match="pip install tiktoken"):
        counter("cl100k_base")


@pytest.fixture
def tiktoken(monkeypatch):
    """The shape of tiktoken: encodings by name, whose files `load.read_file` fetches unless they are cached."""
    package, load = ModuleType("tiktoken"), ModuleType("tiktoken.load")
    package.downloads, package.cached = [], set()
    load.read_file = package.downloads.append
    package.load = load

    def get_encoding(name):
        if name not in package.cached:
            load.read_file(f"https://example.invalid/{name}.tiktoken")
        return SimpleNamespace(encode_ordinary=lambda text: text.split("-"))

    package.list_encoding_names = lambda: ["dashes"]
    package.get_encoding = get_encoding
    monkeypatch.setitem(sys.modules, "tiktoken", package)
    monkeypatch.setitem(sys.modules, "tiktoken.load", load)
    return package


def test_an_encoding_counts_by_its_name(tiktoken):
    tiktoken.cached.add("dashes")
    name, count = counter("dashes")
    assert (name, count("a-b-c")) == ("dashes", 3)


def test_an_encoding_that_would_be_downloaded_is_refused_with_the_remedy(tiktoken):
    fetch = tiktoken.load.read_file
    with pytest.raises(ValueError, match="TIKTOKEN_CACHE_DIR"):
        counter("dashes")
    assert tiktoken.downloads == []
    assert tiktoken.load.read_file is fetch


def test_an_unknown_encoding_is_refused_with_those_there_are(tiktoken):
    with pytest.raises(ValueError, match="known are 'estimate' and dashes"):
        counter("dots")
