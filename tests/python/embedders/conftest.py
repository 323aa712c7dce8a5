"""A tiny sentence-transformer written by hand: its token states are rows of a table the tests know."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

FLOAT, INT32, INT64 = 1, 6, 7
VOCABULARY = {"[UNK]": 0, "north": 1, "east": 2, "up": 3}
TABLE = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 5.0]]

FolderMaker = Callable[..., Path]


def field(number: int, value: int | bytes | str) -> bytes:
    """One protobuf field: a number as varint, bytes and text with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def tensor_value(name: str, kind: int, shape: tuple[int | str, ...]) -> bytes:
    dims = b"".join(field(1, field(1 if isinstance(size, int) else 2, size)) for size in shape)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, dims)))


def onnx_lookup(inputs: tuple[str, ...], *, kind: int, dim: int | str, output: str) -> bytes:
    """A model whose states are Gather(TABLE, input_ids)."""
    raw = b"".join(struct.pack("<3f", *row) for row in TABLE)
    table = field(1, len(TABLE)) + field(1, 3) + field(2, FLOAT) + field(8, "table") + field(9, raw)
    node = field(1, "table") + field(1, inputs[0]) + field(2, output) + field(4, "Gather")
    graph = field(1, node) + field(2, "lookup") + field(5, table)
    for name in inputs:
        graph += field(11, tensor_value(name, kind, ("batch", "tokens")))
    graph += field(12, tensor_value(output, FLOAT, ("batch", "tokens", dim)))
    return field(1, 8) + field(8, field(1, "") + field(2, 13)) + field(7, graph)


@pytest.fixture
def make_folder(tmp_path: Path) -> FolderMaker:
    """Returns a function that writes a folder with model.onnx and tokenizer.json."""

    def make(
        name: str = "model",
        *,
        inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
        kind: int = INT64,
        dim: int | str = 3,
        output: str = "last_hidden_state",
    ) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "model.onnx").write_bytes(onnx_lookup(inputs, kind=kind, dim=dim, output=output))
        tokenizer = Tokenizer(WordLevel(VOCABULARY, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = Whitespace()
        tokenizer.save(str(folder / "tokenizer.json"))
        return folder

    return make
