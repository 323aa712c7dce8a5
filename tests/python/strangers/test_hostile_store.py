"""A store from a stranger: each verb gives values or an error of hippocore, and does nothing else."""

from __future__ import annotations

import math
import socket
import struct
import tempfile
from itertools import cycle
from pathlib import Path

import msgpack
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hippocore
from hippocore import CorruptStore, EmbedderError, MemoryLayer
from hippocore.identifiers import key_of
from hippocore.stores.protocol import NEVER, UNSET
from tests.python.strangers import raw_store
from tests.python.strangers.every_verb import VECTOR, ask_everything, write_everything
from tests.python.strangers.raw_store import STATE, Version, key, make_store

SECRET = "the content of a memory"
READ_ALL = {"list", "recall", "context", "diverse context", "export", "export without vectors", "get", "history"}
NEEDS_NO_VALUES = {"count", "scopes", "stats", "verify", "open"}


def nested(levels):
    value = 1
    for _ in range(levels):
        value = {"a": value} if levels % 2 else [value]
    return value


HOSTILE_EXTRA = {
    "not msgpack": b"\xc1",
    "cut short": msgpack.packb({"tags": ["a"]})[:-1],
    "more behind it": msgpack.packb({}) + b"\x00",
    "a list": msgpack.packb([1, 2]),
    "a list that claims 4 billion items": b"\xdd\xff\xff\xff\xff",
    "a map that claims 4 billion items": b"\xdf\xff\xff\xff\xff",
    "a text that claims 4 GB": b"\xdb\xff\xff\xff\xff",
    "a thousand levels": b"\x81\xa8metadata" + b"\x91" * 1000 + b"\xc0",
    "a million levels": b"\x81\xa8metadata" + b"\x91" * 1_000_000 + b"\xc0",
    "more levels than metadata has": msgpack.packb({"metadata": {"a": nested(200)}}),
    "tags that are a number": msgpack.packb({"tags": 5}),
    "tags that are a text": msgpack.packb({"tags": "abc"}),
    "tags that are numbers": msgpack.packb({"tags": [1, 2]}),
    "tags that are lists": msgpack.packb({"tags": [["a"]]}),
    "links that are bytes": msgpack.packb({"links": [b"x"]}),
    "a link with a weight beyond 1": msgpack.packb({"links": [["a", "b", 2.0]]}),
    "links that are nothing": msgpack.packb({"links": None}),
    "an id that is a number": msgpack.packb({"id": 5}),
    "an id that is a list": msgpack.packb({"id": ["a"]}),
    "a name that is a number": msgpack.packb({"name": 5}),
    "supersedes a number": msgpack.packb({"supersedes": 1.5}),
    "supersedes a map": msgpack.packb({"supersedes": {}}),
    "metadata that is a list": msgpack.packb({"metadata": [1]}),
    "metadata with bytes": msgpack.packb({"metadata": {"a": b"\x00"}}),
    "metadata with an extension": msgpack.packb({"metadata": {"a": msgpack.ExtType(42, b"x")}}),
    "metadata with a time": msgpack.packb({"metadata": {"a": msgpack.Timestamp(5)}}),
    "metadata with NaN": msgpack.packb({"metadata": {"a": math.nan}}),
    "metadata with infinity": msgpack.packb({"metadata": {"a": [math.inf]}}),
    "metadata with keys that are bytes": msgpack.packb({"metadata": {b"a": 1}}),
    "metadata with keys that are numbers": b"\x81\xa8metadata\x81\x01\x01",
    "text that is no UTF-8": b"\x81\xa4tags\x91\xa2\xff\xfe",
    "keys that are numbers": b"\x81\x01\x01",
}


def assert_named(errors, identifier):
    assert {type(error) for error in errors.values()} == {CorruptStore}
    assert all(identifier in str(error) for error in errors.values()), errors
    assert errors.keys() >= READ_ALL
    assert not errors.keys() & NEEDS_NO_VALUES


@pytest.mark.parametrize(
    ("extra", "fold"), list(zip(HOSTILE_EXTRA.values(), cycle([True, False]), strict=False)), ids=HOSTILE_EXTRA
)
def test_hostile_tags_metadata_and_ids_are_damage_of_that_memory(tmp_path, extra, fold):
    bad, good = key(1), key(2)
    versions = Version(bad, extra=extra, content=SECRET), Version(good, content="harmless")
    path = make_store(tmp_path / "hostile.mem", *versions, fold=fold)
    errors = ask_everything(path, [bad.hex()], tmp_path)
    assert_named(errors, bad.hex())
    assert all(SECRET not in str(error) and error.__cause__ is None for error in errors.values())
    with MemoryLayer(path, embedder=None) as layer:
        assert layer.get(good.hex()).content == "harmless"
        (damage,) = layer.verify().damaged
        assert damage.id == bad.hex()
        assert layer.forget(bad.hex()) == 1
        assert [memory.content for memory in layer.list()] == ["harmless"]
        assert layer.verify().ok


def test_verify_names_a_memory_that_claims_the_id_of_another(tmp_path):
    thief = Version(key(1), extra=msgpack.packb({"id": "somebody else"}))
    path = make_store(tmp_path / "hostile.mem", thief, Version(key(2), extra=b""))
    with MemoryLayer(path, embedder=None, read_only=True) as layer:
        (damage,) = layer.verify().damaged
        assert damage.id == key(1).hex()
        assert "another memory" in damage.what


@pytest.mark.parametrize(
    "values",
    [
        {"created_at": NEVER},
        {"created_at": UNSET},
        {"valid_from": 1 << 61},
        {"valid_from": -(1 << 61)},
        {"event_time": NEVER - 1},
        {"event_time": UNSET + 1},
        {"state": STATE._replace(use_count=1, last_used=NEVER - 1)},
        {"state": STATE._replace(last_used=UNSET)},
        {"state": STATE._replace(expires_at=NEVER - 1)},
        {"state": STATE._replace(valid_until=NEVER - 1)},
        {"state": STATE._replace(archived_at=UNSET + 1, flags=1)},
    ],
    ids=lambda values: next(iter(values)),
)
def test_times_outside_the_calendar_are_damage_of_that_memory(tmp_path, values):
    path = make_store(tmp_path / "hostile.mem", Version(key(1), **values), Version(key(2)))
    errors = ask_everything(path, [key(1).hex()], tmp_path)
    assert errors
    assert {type(error) for error in errors.values()} == {CorruptStore}
    assert all(key(1).hex() in str(error) for error in errors.values())
    with MemoryLayer(path, embedder=None, read_only=True) as layer:
        assert [damage.id for damage in layer.verify().damaged] == [key(1).hex()]
        assert layer.get(key(2).hex()).content == "content"


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (raw_store.IMPORTANCE_COLUMN, struct.pack("<d", math.nan)),
        (raw_store.IMPORTANCE_COLUMN, struct.pack("<d", -math.inf)),
        (raw_store.IMPORTANCE_COLUMN, struct.pack("<d", 1e308)),
        (raw_store.CONFIDENCE_COLUMN, struct.pack("<f", math.nan)),
        (raw_store.TRUST_COLUMN, b"\x03"),
        (raw_store.TRUST_COLUMN, b"\xff"),
        (raw_store.FLAGS_COLUMN, b"\xc1"),
        (raw_store.EXPIRES_COLUMN, struct.pack("<q", NEVER - 1)),
    ],
    ids=lambda value: repr(value) if isinstance(value, int) else value.hex(),
)
def test_impossible_states_are_damage(tmp_path, column, value):
    path = make_store(tmp_path / "hostile.mem", Version(key(1)), Version(key(2)), Version(key(3)))
    raw_store.change_state(path, column, value)
    errors = ask_everything(path, [key(1).hex()], tmp_path)
    assert {type(error) for error in errors.values()} == {CorruptStore}
    assert {"get", "list", "export"} <= errors.keys()
    with MemoryLayer(path, embedder=None, read_only=True) as layer:
        assert not layer.verify().ok
    assert "update" in write_everything(path, [key(1).hex(), key(2).hex()], tmp_path)


def test_a_text_that_is_no_utf8_is_damage_of_that_memory(tmp_path):
    path = make_store(tmp_path / "hostile.mem", Version(key(1), content="0123456789"), Version(key(2)))
    raw_store.change_content(path, b"0123456789", b"\xff\xfe\xed\xa0\x80\xc0\x80abc")
    errors = ask_everything(path, [key(1).hex()], tmp_path)
    assert_named(errors, key(1).hex())
    with MemoryLayer(path, embedder=None) as layer:
        assert [damage.id for damage in layer.verify().damaged] == [key(1).hex()]
        assert layer.get(key(2).hex()).content == "content"
        assert layer.forget(key(1).hex()) == 1


@pytest.mark.parametrize("what", ["scope", "kind", "source"])
def test_a_label_that_is_no_utf8_is_damage(tmp_path, what):
    path = make_store(tmp_path / "hostile.mem", Version(key(1), **{what: "0123456789"}), Version(key(2)))
    raw_store.change_label(path, b"0123456789", b"\xff\xfe\xed\xa0\x80\xc0\x80abc")
    errors = ask_everything(path, [key(1).hex()], tmp_path)
    assert {type(error) for error in errors.values()} == {CorruptStore}
    assert errors.keys() >= READ_ALL
    assert ("scopes" in errors) == (what == "scope")
    with MemoryLayer(path, embedder=None, read_only=True) as layer:
        assert [damage.id for damage in layer.verify().damaged] == [key(1).hex()]
        assert layer.get(key(2).hex()).content == "content"


def test_odd_but_possible_texts_are_values(tmp_path):
    odd = {"content": "a\0b\x1b[2J\u202e", "scope": "a\0b/../../\x1b[31m", "kind": "k\0\n", "source": "\u2028"}
    path = make_store(tmp_path / "hostile.mem", Version(key(1), **odd))
    assert ask_everything(path, [key(1).hex()], tmp_path) == {}
    with MemoryLayer(path, embedder=None, read_only=True) as layer:
        memory = layer.get(key(1).hex())
        assert {name: getattr(memory, name) for name in odd} == odd
        assert layer.context(embedding=VECTOR, scope=hippocore.ALL).text.count("\n") == 3


@pytest.mark.parametrize("length", [1, 2, 3, 5000])
def test_history_ends_where_memories_supersede_each_other_in_a_circle(tmp_path, length):
    def link(number):
        return msgpack.packb({"supersedes": key((number + 1) % length).hex()})

    path = make_store(tmp_path / "hostile.mem", *(Version(key(i), extra=link(i)) for i in range(length)))
    with MemoryLayer(path, embedder=None, read_only=True) as layer:
        found = layer.history(key(0).hex())
    assert len(found) == length
    assert found[-1].id == key(0).hex()


def test_history_ends_where_the_superseded_memory_is_gone(tmp_path):
    extra = msgpack.packb({"supersedes": "nobody"})
    path = make_store(tmp_path / "hostile.mem", Version(key(1), extra=extra))
    with MemoryLayer(path, embedder=None, read_only=True) as layer:
        assert [memory.supersedes for memory in layer.history(key(1).hex())] == ["nobody"]


@pytest.fixture
def no_network(monkeypatch):
    """Any use of the network fails the test."""

    def refuse(*arguments, **options):
        raise AssertionError("a store made hippocore use the network")

    for name in ("connect", "connect_ex", "bind", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)


@pytest.mark.parametrize(
    "name",
    [
        "openai/text-embedding-3-small",
        "openai-compatible/http://127.0.0.1:9/v1",
        "http://127.0.0.1:9/embeddings",
        "onnx/0123456789abcdef",
        "onnx/../../../../etc/passwd",
        "/etc/passwd",
        "../planted/model.onnx",
        "os.system",
        "local",
        "minilm",
        "\x1b]52;c;aGlkZGVu\x07",
        "\N{RIGHT-TO-LEFT OVERRIDE}lacol",
        "n" * 512,
        "",
    ],
)
def test_an_embedder_that_a_store_names_is_never_fetched_nor_loaded(tmp_path, no_network, name):
    path = make_store(tmp_path / "hostile.mem", Version(), embedder=name)
    with pytest.raises(EmbedderError, match="embedder=") as caught:
        MemoryLayer(path)
    assert str(caught.value).isprintable()
    with MemoryLayer(path, embedder=None, read_only=True) as layer:
        assert layer.get(Version().key.hex()).content == "content"


def test_a_known_embedder_of_another_dimension_is_refused(tmp_path):
    from hippocore.embedders.local import LOCAL_NAME

    path = make_store(tmp_path / "hostile.mem", Version(), embedder=LOCAL_NAME)
    with pytest.raises(hippocore.EmbedderMismatch):
        MemoryLayer(path)


def test_names_in_the_header_that_are_no_utf8_are_damage(tmp_path):
    path = make_store(tmp_path / "hostile.mem", Version(), embedder="0123456789")
    raw_store.change_header(path, b"0123456789", b"\xff\xfe\xed\xa0\x80\xc0\x80abc")
    for embedder in ("auto", None):
        with pytest.raises(CorruptStore, match="embedder"):
            MemoryLayer(path, embedder=embedder)


def test_a_tokenizer_that_a_store_names_is_never_loaded(tmp_path, no_network):
    path = make_store(tmp_path / "hostile.mem", Version())
    raw_store.change_header(path, b"estimate", b"o200k_ba")
    with MemoryLayer(path, embedder=None) as layer:
        assert layer.stats().tokenizer == "o200k_ba"
        layer.remember("counted by the estimate", embedding=VECTOR)
        assert layer.context(embedding=VECTOR).tokens > 0


def test_file_names_in_messages_command_no_terminal(tmp_path):
    path = make_store(tmp_path / "plain\x1b]52;c;aGk=\x07\u202e.mem", Version())
    (path / "header").write_bytes(b"x" * 8192)
    with pytest.raises(CorruptStore, match="header") as caught:
        MemoryLayer(path, embedder=None)
    assert str(caught.value).isprintable()


def test_nothing_outside_the_store_is_written(tmp_path, monkeypatch):
    outside = tmp_path / "outside"
    outside.mkdir()
    monkeypatch.chdir(outside)
    monkeypatch.setenv("HOME", str(outside))
    extra = msgpack.packb({"id": "../../escape", "links": ["../x"], "metadata": {"path": "/tmp/x"}})
    version = Version(key_of("../../escape"), scope="../../escape", source="/etc/passwd", extra=extra)
    path = make_store(tmp_path / "place" / "hostile.mem", version)
    exports = tmp_path / "exports"
    exports.mkdir()
    assert ask_everything(path, ["../../escape"], exports) == {}
    assert list(outside.iterdir()) == []
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["exports", "outside", "place"]
    assert [entry.name for entry in (tmp_path / "place").iterdir()] == ["hostile.mem"]
    assert [entry.name for entry in exports.iterdir()] == ["export.jsonl"]


MOMENTS = st.sampled_from([0, 1, -1, UNSET, UNSET + 1, NEVER, NEVER - 1, 1 << 60, -(1 << 60), 1_700_000_000_000_000])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAMES = TEXTS.filter(bool)
PACKED = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | TEXTS | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS | st.binary(max_size=2), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(["id", "tags", "links", "metadata", "supersedes", "other"])
EXTRAS = st.binary(max_size=20) | (st.dictionaries(FIELDS, PACKED, max_size=4) | PACKED).map(msgpack.packb)
STATES = st.builds(
    STATE._replace,
    importance=st.floats(0, 1),
    confidence=st.floats(0, width=32, allow_infinity=False, allow_nan=False),
    stability=st.floats(0, width=32, allow_infinity=False, allow_nan=False),
    use_count=st.integers(0, 2**32 - 1),
    flags=st.integers(0, 31).map(lambda flags: flags | 1),
    trust=st.integers(0, 2),
    last_used=MOMENTS,
    expires_at=MOMENTS,
    valid_until=MOMENTS,
    archived_at=MOMENTS,
)
VERSIONS = st.builds(
    Version,
    key=st.integers(0, 3).map(key),
    scope=NAMES,
    kind=NAMES,
    source=TEXTS,
    created_at=MOMENTS,
    valid_from=MOMENTS,
    event_time=MOMENTS,
    text_key=st.just(0),
    merge_key=st.just(0),
    tokens=st.sampled_from([0, 1, 2**32 - 1]),
    version=st.sampled_from([0, 1, 2, 2**32 - 1]),
    state=STATES,
    content=TEXTS,
    extra=EXTRAS,
    facets=st.lists(st.binary(max_size=5), max_size=3),
    terms=st.binary(max_size=5),
)


@settings(max_examples=25, deadline=None)
@given(versions=st.lists(VERSIONS, min_size=1, max_size=4), fold=st.booleans())
def test_any_values_are_given_back_or_refused(versions, fold):
    identifiers = [key(number).hex() for number in range(4)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "hostile.mem"
        make_store(path, *versions, fold=fold)
        ask_everything(path, identifiers, folder)
        write_everything(path, identifiers, folder)
        with MemoryLayer(path, embedder=None) as layer:
            layer.remember("it still works", embedding=VECTOR)
            assert np.isfinite(layer.recall(embedding=VECTOR)[0].score)
