"""What a mistake is answered with: it names the verb that was called, the argument, and a way out."""

import numpy as np
import pytest

from hippocore import EmbedderMissing, MemoryLayer


@pytest.mark.parametrize(
    ("items", "words"),
    [
        (["abc"], "item 0: it must be a mapping with remember's arguments, not str"),
        ([{"content": "x"}, None], "item 1: it must be a mapping with remember's arguments, not NoneType"),
        ([{1: 2}], "item 0: the names of arguments must be strings"),
        ([{"content": "x", "tag": 1}], "item 0: remember got an unexpected keyword argument 'tag'"),
        (None, "items must be a list of mappings with remember's arguments, not NoneType"),
        ("abc", "items must be a list of mappings with remember's arguments, not str"),
    ],
)
def test_an_item_that_is_none_is_named(layer, items, words):
    with pytest.raises(TypeError) as caught:
        layer.remember_many(items)
    assert str(caught.value) == words
    assert layer.count() == 0


@pytest.mark.parametrize("verb", ["remember", "recall", "context", "backup", "forget_where", "as_agent", "close"])
def test_an_argument_that_is_unknown_is_said_of_the_layer(layer, verb):
    with pytest.raises(TypeError, match=rf"^MemoryLayer\.{verb}\(\) got an unexpected keyword argument 'tag'"):
        getattr(layer, verb)(tag=1)


def test_a_text_without_an_embedder_is_told_the_way_out(opened, vectors_layer):
    for asked in (vectors_layer, MemoryLayer(vectors_layer.path)):
        with pytest.raises(EmbedderMissing) as caught:
            asked.recall("x")
        assert str(caught.value) == (
            "this store's vectors are handed in: pass embedding=, or ask by words alone with mode='lexical'"
        )
        asked.close()


def test_a_text_that_was_to_have_no_embedder_is_told_which_one_made_the_store(opened):
    opened().close()
    with pytest.raises(EmbedderMissing, match=r"opened with embedder=None: .*mode='lexical'.* with 'words'"):
        opened(embedder=None).recall("x")


def test_an_embedders_dimension_is_a_whole_number(opened):
    class Embedder:
        name = "e"
        dim = "3"

        def __call__(self, texts):
            return np.ones((len(texts), 3))

    with pytest.raises(TypeError, match="the embedder's dim must be a whole number, not str"):
        opened(embedder=Embedder())


def test_a_vector_is_no_text(vectors_layer):
    for wrong, kind in (("abc", "str"), (["a", "b", "c"], "str"), (b"abc", "bytes")):
        with pytest.raises(TypeError, match=f"must (be a flat list or array of|hold real) numbers, not {kind}$"):
            vectors_layer.remember("x", embedding=wrong)
