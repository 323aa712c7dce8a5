"""The local embedder: pinned values, the same bits in any batch, and errors that say what to install."""

import threading

import numpy as np
import pytest

from hippocore.embedders import LocalEmbedder, installed, local
from hippocore.errors import EmbedderError

SENTENCES = [
    "The user prefers tea over coffee.",
    "User prefers tea over coffee",
    "Quarterly revenue grew by nine percent.",
]
LONG = "lorem ipsum 中文 " * 2_000


@pytest.fixture(scope="module")
def embed():
    return LocalEmbedder()


def test_the_name_tells_the_weights(embed):
    assert (embed.name, embed.dim) == ("local/wordllama-l2_supercat_256", 256)


def test_the_vectors_are_the_pinned_ones(embed):
    vectors = embed(SENTENCES)
    assert vectors.shape == (3, 256)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors[0, :4], [0.04926049, 0.05736328, -0.05271062, -0.01596394], atol=1e-6)
    cosines = vectors @ vectors.T
    np.testing.assert_allclose(np.diag(cosines), 1, atol=1e-6)
    np.testing.assert_allclose([cosines[0, 1], cosines[0, 2], cosines[1, 2]], [0.963574, 0.002506, 0.000121], atol=1e-5)


def test_a_vector_is_the_normalised_mean_of_the_token_rows(embed):
    model = local._loaded_model()
    ids = model.tokenizer.encode(LONG, add_special_tokens=False).ids
    assert len(ids) > 2 * local._TOKENS_AT_ONCE
    mean = model.table[ids].astype(np.float64).mean(axis=0)
    np.testing.assert_allclose(embed([LONG])[0], mean / np.linalg.norm(mean), atol=1e-6)


def test_a_text_has_the_same_bits_alone_and_in_any_batch(embed):
    texts = [f"{sentence} {number}" * (number % 40) for number in range(1_500) for sentence in SENTENCES[:1]] + [LONG]
    together = embed(texts)
    for row in (0, 1, 39, 700, 1_023, 1_024, 1_499, 1_500):
        np.testing.assert_array_equal(together[row], embed([texts[row]])[0])


def test_a_text_without_tokens_has_the_zero_vector(embed):
    vectors = embed(["", "word", ""])
    assert not vectors[0].any()
    assert not vectors[2].any()
    assert vectors[1].any()


def test_no_texts_give_no_rows(embed):
    assert embed([]).shape == (0, 256)


def test_odd_texts_have_finite_vectors(embed):
    vectors = embed(["\0", "\ud800", "😀", "\u202eabc", " ", "a" * 100_000])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_texts_are_pooled_together_up_to_a_number_of_tokens_and_never_split():
    lengths = np.array([2_000, 2_000, 0, 96, 1, 9_000, 4_096, 5, 7])
    groups = local._groups(np.flatnonzero(lengths), lengths)
    assert [group.tolist() for group in groups] == [[0, 1, 3], [4], [5], [6], [7, 8]]


def test_no_special_tokens_are_added(embed):
    ids = local._token_ids(local._loaded_model().tokenizer, ["tea", "tea"])
    assert [len(text) for text in ids] == [len(ids[0])] * 2
    assert 1 not in ids[0]  # the beginning-of-sequence token of this vocabulary


def test_the_weights_are_read_once_by_many_threads(monkeypatch):
    loads = []
    monkeypatch.setattr(local, "_model", None)
    load = local._load_model
    monkeypatch.setattr(local, "_load_model", lambda: loads.append(1) or load())
    threads = [threading.Thread(target=LocalEmbedder(), args=(["a"],)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 1


@pytest.mark.parametrize("package", ["wordllama", "tokenizers", "safetensors"])
def test_a_missing_package_is_said_at_once_with_the_remedy(monkeypatch, package):
    found = installed.package_folder_or_none
    monkeypatch.setattr(installed, "package_folder_or_none", lambda name: None if name == package else found(name))
    with pytest.raises(EmbedderError) as caught:
        LocalEmbedder()
    assert f"'{package}' is not installed" in str(caught.value)
    assert 'pip install "hippocore[local]"' in str(caught.value)


def test_a_package_without_the_weights_is_said_at_once(monkeypatch, tmp_path):
    monkeypatch.setattr(installed, "package_folder_or_none", lambda name: tmp_path)
    with pytest.raises(EmbedderError, match=r"no file weights/l2_supercat_256\.safetensors: pip install"):
        LocalEmbedder()


def test_other_weights_under_the_same_name_are_refused(monkeypatch, tmp_path):
    _, tokenizer = local._model_files()
    weights = tmp_path / "l2_supercat_256.safetensors"
    weights.write_bytes(b"other weights")
    monkeypatch.setattr(local, "_model", None)
    monkeypatch.setattr(local, "_model_files", lambda: (weights, tokenizer))
    with pytest.raises(EmbedderError, match="SHA-256"):
        LocalEmbedder()(["a"])
