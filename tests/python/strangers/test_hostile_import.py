"""An export from a stranger: it is imported whole, or refused with the line and nothing is written."""

from __future__ import annotations

import base64
import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocore import EmbedderMismatch, EmbedderMissing, HippocoreError, ImportFormatError, MemoryLayer, transfer_import
from hippocore.stores.protocol import NEVER, UNSET

SECRET = "the content of a memory"
HEADER = {
    "format": "hippocore export",
    "version": 1,
    "dim": 3,
    "embedder": "given",
    "tokenizer": "estimate",
    "embeddings": True,
    "versions": 1,
}
VECTOR = base64.b64encode(np.ones(3, "<f4").tobytes()).decode()
LINE = {
    "id": "one",
    "version": 1,
    "content": SECRET,
    "scope": "default",
    "kind": "episode",
    "created_at": 0,
    "valid_from": 0,
    "last_used": 0,
    "use_count": 0,
    "importance": 0.5,
    "confidence": 1.0,
    "stability": 1.0,
    "trust": "trusted",
    "tokens": 1,
    "embedding": VECTOR,
}


@pytest.fixture
def layer(tmp_path):
    with MemoryLayer(tmp_path / "agent.mem", embedder=None, dim=3) as opened:
        yield opened


@pytest.fixture
def imported(layer, tmp_path):
    """Import lines of text, bytes or values."""

    def imports(*lines):
        path = tmp_path / "export.jsonl"
        path.write_bytes(b"".join(as_line(line) for line in lines))
        return layer.import_(path)

    return imports


def as_line(line):
    if isinstance(line, bytes):
        return line + b"\n"
    return (line if isinstance(line, str) else json.dumps(line)).encode() + b"\n"


def raw(field, value, base=LINE):
    """Return a line in which a field has a value that is written as it stands."""
    return json.dumps({**base, field: "@"}).replace('"@"', value)


def test_the_line_that_the_others_are_made_from_is_imported(layer, imported):
    assert imported(HEADER, LINE) == 1
    assert layer.get("one").content == SECRET


HOSTILE = {
    "100,000 levels of lists": raw("metadata", '{"a":' + "[" * 100_000 + "]" * 100_000 + "}"),
    "100,000 levels of objects": raw("metadata", '{"a":' * 100_000 + "1" + "}" * 100_000),
    "500 levels": raw("metadata", '{"a":' * 500 + "1" + "}" * 500),
    "levels without an end": raw("metadata", "[" * 1_000_000),
    "a number of a million digits": raw("use_count", "9" * 1_000_000),
    "a number of 4,000 digits": raw("use_count", "9" * 4_000),
    "a huge number in metadata": raw("metadata", '{"a":' + "9" * 4_000 + "}"),
    "a huge exponent": raw("importance", "1e999999999"),
    "a huge exponent in metadata": raw("metadata", '{"a":1e999999999}'),
    "a huge stability": raw("stability", "1e308"),
    "a huge negative exponent of a count": raw("use_count", "1e-999999999"),
    "NaN": raw("importance", "NaN"),
    "infinity": raw("stability", "-Infinity"),
    "NaN in metadata": raw("metadata", '{"a":[NaN]}'),
    "a name twice": json.dumps(LINE)[:-1] + ',"content":"other"}',
    "a name twice in metadata": raw("metadata", '{"a":1,"a":2}'),
    "a name twice by an escape": raw("metadata", '{"a":1,"\\u0061":2}'),
    "a lone surrogate": raw("content", '"\\ud800"'),
    "a lone surrogate in a scope": raw("scope", '"a/\\udfff"'),
    "a lone surrogate in an id": raw("id", '"\\udfff"'),
    "a lone surrogate in a tag": raw("tags", '["\\udfff"]'),
    "a lone surrogate in a metadata key": raw("metadata", '{"\\udfff":1}'),
    "bytes that are no UTF-8": as_line(LINE)[:-2] + b"\xff}",
    "UTF-16": json.dumps(LINE).encode("utf-16"),
    "a mark of UTF-8 before it": b"\xef\xbb\xbf" + json.dumps(LINE).encode(),
    "zeros": b"\0" * 100_000,
    "an empty scope": raw("scope", '""'),
    "an empty label": raw("scope", '"a//b"'),
    "a scope that is a list": raw("scope", '["a"]'),
    "an empty id": raw("id", '""'),
    "an id that is a number": raw("id", "1"),
    "a blank content": raw("content", '" \\n "'),
    "a version of 0": raw("version", "0"),
    "a version of 1.0": raw("version", "1.0"),
    "a version of true": raw("version", "true"),
    "a version that is too large": raw("version", "4294967296"),
    "a time after year 9999": raw("created_at", str(NEVER)),
    "a time before year 1": raw("valid_from", str(UNSET + 1)),
    "a time beyond 64 bits": raw("last_used", str(1 << 64)),
    "an expiry outside the calendar": raw("expires_at", str(NEVER - 1)),
    "negative tokens": raw("tokens", "-1"),
    "an unknown trust": raw("trust", '"root"'),
    "a trust that is a number": raw("trust", "2"),
    "unknown flags": raw("flags", '["written"]'),
    "flags that are numbers": raw("flags", "[1]"),
    "a field that there is none of": raw("__class__", '"x"'),
    "a vector of another dimension": raw("embedding", '"AACAPw=="'),
    "a vector with NaN": raw("embedding", json.dumps(base64.b64encode(b"\0\0\xc0\x7f" * 3).decode())),
    "a vector that is no base64": raw("embedding", '"****"'),
    "a vector that is a list": raw("embedding", "[1,0,0]"),
    "a vector of odd length": raw("embedding", '"AAAA"'),
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_line_is_refused_with_its_number_and_nothing_is_written(layer, imported, line):
    with pytest.raises(ImportFormatError, match="line 3: ") as caught:
        imported({**HEADER, "versions": 2}, {**LINE, "id": "harmless"}, line)
    assert len(str(caught.value)) < 500
    assert SECRET not in str(caught.value)
    assert layer.count() == 0
    assert layer.stats().versions == 0


HOSTILE_HEADERS = {
    "nothing": b"",
    "a list": "[]",
    "a million levels": "[" * 1_000_000,
    "another format": {**HEADER, "format": "sqlite"},
    "a newer release": {**HEADER, "version": 2},
    "a dimension of 0": {**HEADER, "dim": 0},
    "a dimension beyond 32 bits": {**HEADER, "dim": 1 << 40},
    "a dimension that is a text": {**HEADER, "dim": "3"},
    "an embedder that is a list": {**HEADER, "embedder": ["given"]},
    "a negative number of versions": {**HEADER, "versions": -1},
    "more versions than follow": {**HEADER, "versions": 1 << 60},
    "fewer versions than follow": {**HEADER, "versions": 0},
    "a field that there is none of": {**HEADER, "path": "/etc/passwd"},
    "vectors that should not be there": {**HEADER, "embeddings": False},
    "a small dimension without vectors": {**HEADER, "embeddings": False, "dim": 1},
}


@pytest.mark.parametrize("header", HOSTILE_HEADERS.values(), ids=HOSTILE_HEADERS)
def test_a_hostile_header_is_refused_and_nothing_is_written(layer, imported, header):
    with pytest.raises(ImportFormatError):
        imported(header, LINE)
    assert layer.count() == 0


def test_a_vector_is_never_stretched_to_the_dimension_of_the_store(layer, imported):
    one = {**LINE, "embedding": base64.b64encode(np.ones(1, "<f4").tobytes()).decode()}
    with pytest.raises(ImportFormatError, match="embedding"):
        imported({**HEADER, "embeddings": False, "dim": 1}, one)
    with pytest.raises(EmbedderMismatch):
        imported({**HEADER, "dim": 1}, one)
    assert layer.count() == 0


@pytest.mark.parametrize("name", ["openai/x", "onnx/../../model", "/etc/passwd", "\x1b]0;x\x07"])
def test_an_embedder_that_an_export_names_is_never_loaded(layer, imported, name):
    with pytest.raises(EmbedderMismatch) as caught:
        imported({**HEADER, "embedder": name}, LINE)
    assert str(caught.value).isprintable()
    without = {name: value for name, value in LINE.items() if name != "embedding"}
    with pytest.raises(EmbedderMissing):
        imported({**HEADER, "embedder": name, "embeddings": False}, without)


def test_a_tokenizer_that_an_export_names_is_never_loaded(layer, imported):
    assert imported({**HEADER, "tokenizer": "../../evil"}, {**LINE, "tokens": 77}) == 1
    assert layer.get("one").tokens < 10


def test_a_file_that_takes_no_room_and_claims_terabytes_is_refused(layer, tmp_path):
    path = tmp_path / "export.jsonl"
    with path.open("wb") as file:
        file.write(as_line(HEADER))
        file.truncate(1 << 40)
    with pytest.raises(ImportFormatError, match="line 2: it is no JSON"):
        layer.import_(path)
    assert layer.count() == 0


def test_a_line_without_an_end_is_read_only_so_far(layer, imported, monkeypatch):
    monkeypatch.setattr(transfer_import, "_LONGEST_LINE", 1 << 21)
    with pytest.raises(ImportFormatError, match="line 2: it is longer"):
        imported(HEADER, b"[" * (1 << 23))
    assert imported(HEADER, {**LINE, "content": "x" * (1 << 20)}) == 1


def test_a_circle_of_superseded_memories_is_imported_and_its_history_ends(layer, imported):
    lines = [{**LINE, "id": name, "supersedes": other} for name, other in ("ab", "bc", "ca")]
    assert imported({**HEADER, "versions": 3}, *lines) == 3
    assert [memory.id for memory in layer.history("a")] == ["c", "b", "a"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
NAMES = st.sampled_from([*LINE, "source", "valid_until", "event_time", "expires_at", "flags", "tags", "metadata"])


@settings(max_examples=100, deadline=None)
@given(changes=st.dictionaries(NAMES, JSON, min_size=1, max_size=3), ends=st.binary(max_size=3))
def test_any_line_is_imported_or_refused(changes, ends):
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "export.jsonl"
        path.write_bytes(as_line(HEADER) + as_line({**LINE, **changes})[:-1] + ends)
        with MemoryLayer(Path(name) / "agent.mem", embedder=None, dim=3, sync="off") as layer:
            try:
                assert layer.import_(path) == 1
            except HippocoreError:
                assert layer.count() == 0
            else:
                assert layer.verify().ok
                layer.export(path)
