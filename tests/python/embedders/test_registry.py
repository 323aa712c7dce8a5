"""From `embedder=` or a remembered name to an embedder."""

import numpy as np
import pytest

from hippocore.embedders import (
    DEFAULT_DUPLICATE_THRESHOLD,
    CallableEmbedder,
    LocalEmbedder,
    MiniLM,
    OpenAICompatible,
    by_name,
    resolve,
)
from hippocore.errors import DimensionMismatch, EmbedderError


class Foreign:
    name, dim = "foreign", 2

    def __init__(self, result=None):
        self.result = result

    def __call__(self, texts):
        return np.ones((len(texts), 2)) if self.result is None else self.result


def test_the_words_give_the_built_in_embedders():
    assert isinstance(resolve("local"), LocalEmbedder)
    assert isinstance(resolve("minilm"), MiniLM)


def test_none_means_that_vectors_are_handed_in():
    assert resolve(None, dim=5) is None


@pytest.mark.parametrize("word", ["local", "minilm"])
def test_a_built_in_embedder_is_found_again_by_the_name_a_store_remembers(word):
    embedder = resolve(word)
    again = by_name(embedder.name)
    assert type(again) is type(embedder)
    assert again.name == embedder.name


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("openai/text-embedding-3-small", "OpenAICompatible(url, 'text-embedding-3-small')"),
        ("onnx/0123456789abcdef", "embedder=MiniLM(folder)"),
        ("mine", "embedder_name='mine'"),
    ],
)
def test_a_name_that_does_not_say_how_to_make_the_embedder_raises_with_the_remedy(name, remedy):
    with pytest.raises(EmbedderError) as caught:
        by_name(name)
    assert remedy in str(caught.value)
    assert name in str(caught.value)


def test_a_callable_needs_a_name():
    with pytest.raises(ValueError, match="embedder_name="):
        resolve(lambda texts: np.ones((len(texts), 2)))


def test_a_callable_with_a_name_is_wrapped_and_held_to_the_dimension():
    embedder = resolve(lambda texts: np.ones((len(texts), 2)), embedder_name="ones", dim=3)
    assert (embedder.name, embedder.dim) == ("ones", 3)
    with pytest.raises(EmbedderError, match="shape"):
        embedder(["a"])


def test_a_foreign_embedder_keeps_its_name_and_dimension_and_is_checked():
    embedder = resolve(Foreign())
    assert (embedder.name, embedder.dim) == ("foreign", 2)
    assert embedder.duplicate_threshold == DEFAULT_DUPLICATE_THRESHOLD
    assert embedder(["a"]).dtype == np.float32
    with pytest.raises(EmbedderError, match="'foreign' returned an array of shape"):
        resolve(Foreign([[1.0, 2.0]]))(["a", "b"])


def test_a_foreign_embedder_keeps_its_own_duplicate_threshold():
    foreign = Foreign()
    foreign.duplicate_threshold = 0.8
    assert resolve(foreign).duplicate_threshold == 0.8


def test_checked_embedders_come_back_as_they_are():
    for embedder in (CallableEmbedder(len, "len", dim=1), LocalEmbedder(), OpenAICompatible("http://localhost", "m")):
        assert resolve(embedder) is embedder


def test_another_dimension_than_the_embedders_raises():
    with pytest.raises(DimensionMismatch, match="256 dimensions, dim=384"):
        resolve("local", dim=384)
    assert resolve("local", dim=256).dim == 256


def test_a_name_for_an_embedder_that_has_another_raises():
    with pytest.raises(ValueError, match="'mine' was given to the embedder 'foreign'"):
        resolve(Foreign(), embedder_name="mine")


def test_an_unknown_word_raises_and_says_what_there_is():
    with pytest.raises(ValueError, match="'locale' is unknown: say 'local' or 'minilm'"):
        resolve("locale")


def test_what_cannot_be_called_raises():
    with pytest.raises(TypeError, match="not int"):
        resolve(5)
