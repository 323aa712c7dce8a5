"""The default embedder: static word-piece vectors that come with the `wordllama` package. No network, ever."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hippocore.embedders.installed import check_sha256, package_file, require_modules
from hippocore.embedders.protocol import Vectors
from hippocore.embedders.tokenizer import load_tokenizer
from hippocore.embedders.vectors import checked_texts, normalised
from hippocore.errors import EmbedderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LOCAL_NAME = "local/wordllama-l2_supercat_256"
REMEDY = 'pip install "hippocore[local]"'

_DIM = 256
_VOCABULARY = 32_000
_WEIGHTS_SHA256 = {"64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"}
# The two are one tokenizer: the releases 0.3.9 and 0.4.0 of wordllama write its JSON differently.
_TOKENIZER_SHA256 = {
    "bf467c9e0f536bda271283c6ef85eb1a943e3196b621c8a912d64953b205df83",
    "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
}
_TEXTS_AT_ONCE = 1_024
_TOKENS_AT_ONCE = 4_096  # their f32 rows are 4 MB, which stay in a core's cache


class LocalEmbedder:
    """The mean of a text's token vectors, at length 1: 256 dimensions.

    The table stays in half precision: on one x86-64 core that costs 60 instead of 40 microseconds a query and
    0.7 instead of 0.45 s of pooling for 10,000 docstrings, and saves 16 MB. It is read at the first call and
    shared by the process.

    A text has the same bits alone and in any batch; one without tokens has the zero vector. Word order does
    not count. `python bench/duplicate_threshold.py` shows how `duplicate_threshold` was found. The call may
    come from any thread.

    Raises EmbedderError, on construction when a package or file is missing, on the first call when the
    files are not the known ones (by SHA-256).
    """

    name = LOCAL_NAME
    dim = _DIM
    duplicate_threshold = 0.95  # 95.7 % of rewordings reach it, 13.9 % of facts that differ in one content word

    def __init__(self) -> None:
        require_modules("tokenizers", "safetensors", remedy=REMEDY)
        _model_files()

    def __call__(self, texts: Sequence[str], /) -> Vectors:
        """Return float32 vectors of shape (len(texts), 256) and length 1."""
        asked = checked_texts(texts)
        model = _loaded_model()
        vectors = np.zeros((len(asked), _DIM), np.float32)
        for start in range(0, len(asked), _TEXTS_AT_ONCE):
            part = slice(start, start + _TEXTS_AT_ONCE)
            vectors[part] = _token_sums(model.table, _token_ids(model.tokenizer, asked[part]))
        return normalised(vectors)

    def __repr__(self) -> str:
        return "LocalEmbedder()"


class _Model(NamedTuple):
    table: npt.NDArray[np.float16]
    tokenizer: Tokenizer


_model: _Model | None = None
_model_lock = threading.Lock()


def _loaded_model() -> _Model:
    global _model
    with _model_lock:
        if _model is None:
            _model = _load_model()
        return _model


def _load_model() -> _Model:
    weights, tokenizer = _model_files()
    check_sha256(weights, _WEIGHTS_SHA256, remedy=REMEDY)
    check_sha256(tokenizer, _TOKENIZER_SHA256, remedy=REMEDY)
    return _Model(_read_table(weights), load_tokenizer(tokenizer))


def _model_files() -> tuple[Path, Path]:
    weights = package_file("wordllama", "weights", "l2_supercat_256.safetensors", remedy=REMEDY)
    tokenizer = package_file("wordllama", "tokenizers", "l2_supercat_tokenizer_config.json", remedy=REMEDY)
    return weights, tokenizer


def _read_table(path: Path) -> npt.NDArray[np.float16]:
    from safetensors import safe_open

    with safe_open(str(path), framework="numpy") as file:
        table: npt.NDArray[Any] = file.get_tensor("embedding.weight")
    if table.shape != (_VOCABULARY, _DIM) or table.dtype != np.float16:
        raise EmbedderError(f"{path} holds {table.dtype} {table.shape}, expected float16 {(_VOCABULARY, _DIM)}")
    return table


def _token_ids(tokenizer: Tokenizer, texts: list[str]) -> list[list[int]]:
    # One text does not wake the tokenizer's thread pool, whose threads would not survive a fork.
    if len(texts) == 1:
        return [tokenizer.encode(texts[0], add_special_tokens=False).ids]
    return [encoding.ids for encoding in tokenizer.encode_batch_fast(texts, add_special_tokens=False)]


def _token_sums(table: npt.NDArray[np.float16], ids: list[list[int]]) -> Vectors:
    """Return the sum of each text's rows, which at length 1 is the mean at length 1."""
    sums = np.zeros((len(ids), _DIM), np.float32)
    lengths = np.fromiter(map(len, ids), np.int64, len(ids))
    filled = np.flatnonzero(lengths)
    for group in _groups(filled, lengths):
        sums[group] = _group_sums(table, [ids[i] for i in group], lengths[group])
    return sums


def _groups(filled: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> Iterator[npt.NDArray[np.int64]]:
    """Yield runs of whole texts of at most _TOKENS_AT_ONCE tokens together, or one longer text.

    A text is never split between runs, so that its sum does not depend on its neighbours.
    """
    ends = np.cumsum(lengths[filled])
    first, used = 0, 0
    while first < filled.size:
        last = max(first + 1, int(np.searchsorted(ends, used + _TOKENS_AT_ONCE, side="right")))
        yield filled[first:last]
        first, used = last, int(ends[last - 1])


def _group_sums(table: npt.NDArray[np.float16], ids: list[list[int]], lengths: npt.NDArray[np.int64]) -> Vectors:
    tokens = np.concatenate([np.asarray(text, np.int64) for text in ids])
    if len(ids) == 1:
        parts = (tokens[start : start + _TOKENS_AT_ONCE] for start in range(0, tokens.size, _TOKENS_AT_ONCE))
        return sum((_row_sums(table, part, np.zeros(1, np.int64)) for part in parts), np.zeros((1, _DIM), np.float32))
    return _row_sums(table, tokens, np.cumsum(lengths) - lengths)


def _row_sums(table: npt.NDArray[np.float16], tokens: npt.NDArray[np.int64], starts: npt.NDArray[np.int64]) -> Vectors:
    sums: Vectors = np.add.reduceat(table[tokens].astype(np.float32), starts, axis=0)
    return sums
