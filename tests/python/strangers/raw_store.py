"""Stores as a stranger makes them: values that no verb writes, under checksums that are right."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hippocore import _core
from hippocore.stores.protocol import NEVER, UNSET, WRITTEN, State

DIM = 3
GIVEN = "given"  # the name by which a store's vectors are handed in
_PREAMBLE = 4096
_STATE_CHECKSUM = 59392
TRUST_COLUMN, IMPORTANCE_COLUMN, FLAGS_COLUMN, CONFIDENCE_COLUMN, EXPIRES_COLUMN = 58368, 0, 57344, 45056, 16384

STATE = State(0.5, 1.0, 1.0, 0, WRITTEN, 2, 0, NEVER, NEVER, UNSET)


class Version(NamedTuple):
    """One version in the core's own terms; what is not said is harmless."""

    key: bytes = b"k" * 16
    scope: str = "default"
    kind: str = "episode"
    source: str = ""
    created_at: int = 0
    valid_from: int = 0
    event_time: int = UNSET
    text_key: int = 0
    merge_key: int = 0
    tokens: int = 1
    version: int = 1
    state: Any = STATE
    content: str = "content"
    extra: bytes = b"\x80"
    facets: Any = ()
    terms: bytes = b""


def key(number: int) -> bytes:
    """Return the id of a number; ids rise as the numbers do."""
    return number.to_bytes(16, "big")


def make_store(path: Path, *versions: Version, embedder: str = GIVEN, dim: int = DIM, fold: bool = True) -> Path:
    """Make a store of these versions, folded into its files or left in its log."""
    options = {"sync": "off", "read_only": False, "busy_timeout": 5.0, "tokenizer": "estimate"}
    core = _core.Store.open(str(path), create=True, dim=dim, embedder=embedder, **options)
    try:
        if versions:
            vectors = np.ones((len(versions), dim), np.float32)
            vectors[:, 0] = np.arange(len(versions))
            core.write(versions, vectors)
        if fold:
            core.checkpoint()
    finally:
        core.close()
    return path


def change_content(path: Path, old: bytes, new: bytes) -> None:
    """Put other bytes of the same length in the place of a content, and make its checksum right."""

    def change(data: bytearray) -> None:
        at = data.index(old)
        data[at : at + len(old)] = new
        start = at - 8  # the checksum, and the content's length
        data[start : start + 4] = _checksum(data[start + 4 : _end_of_payload(data, start)])

    assert len(old) == len(new)
    _rewrite(path, "payload-*", change)


def change_state(path: Path, column: int, value: bytes, row: int = 0) -> None:
    """Put a value into a column of the first block of states, and make its checksum right."""

    def change(data: bytearray) -> None:
        at = _PREAMBLE + column + row * len(value)
        data[at : at + len(value)] = value
        end = _PREAMBLE + _STATE_CHECKSUM
        data[end : end + 4] = _checksum(data[_PREAMBLE:end])

    _rewrite(path, "state-*", change)


def change_label(path: Path, old: bytes, new: bytes) -> None:
    """Put another text of the same length in the place of a scope's, a source's or a kind's."""

    def change(data: bytearray) -> None:
        sections = memoryview(data)[_PREAMBLE:]
        start = 192
        for section in range(9):
            entry = 16 + 16 * section
            length, _ = struct.unpack_from("<QI", sections, entry)
            text = bytes(sections[start : start + length])
            if section in {1, 3}:
                changed = text.replace(old, new)
                sections[start : start + length] = changed
                sections[entry + 8 : entry + 12] = _checksum(changed)
            start = (start + length + 63) // 64 * 64
        sections[8:12] = _checksum(bytes(sections[12:160]))

    assert len(old) == len(new)
    _rewrite(path, "index-*", change)


def change_header(path: Path, old: bytes, new: bytes) -> None:
    """Put other bytes of the same length into both slots of the header."""

    def change(data: bytearray) -> None:
        for start in (0, 4096):
            slot = bytearray(data[start : start + 4096].replace(old, new))
            slot[8:12] = _checksum(slot[12:])
            data[start : start + 4096] = slot

    assert len(old) == len(new)
    _rewrite(path, "header", change)


def _rewrite(path: Path, pattern: str, change: Callable[[bytearray], None]) -> None:
    (file,) = path.glob(pattern)
    data = bytearray(file.read_bytes())
    before = bytes(data)
    change(data)
    assert data != before, "nothing was changed"
    file.write_bytes(data)


def _end_of_payload(data: bytes, start: int) -> int:
    end = start + 4
    for _ in range(3):
        end += 4 + int.from_bytes(data[end : end + 4], "little")
    facets = int.from_bytes(data[end : end + 4], "little")
    end += 4
    for _ in range(facets):
        end += 4 + int.from_bytes(data[end : end + 4], "little")
    return end


def _table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_CRC32C = _table()


def _checksum(data: bytes) -> bytes:
    """Return the CRC32C of the bytes, as a store keeps it."""
    found = 0xFFFFFFFF
    for byte in data:
        found = _CRC32C[(found ^ byte) & 0xFF] ^ found >> 8
    return (found ^ 0xFFFFFFFF).to_bytes(4, "little")
