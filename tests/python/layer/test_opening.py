"""Opening and closing: stores that are not there, are others', or were closed."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hippocore
from hippocore import (
    AsyncMemoryLayer,
    DimensionMismatch,
    EmbedderError,
    EmbedderMismatch,
    MemoryLayer,
    ReadOnlyStore,
    StoreClosed,
    StoreNotFound,
)


async def an_async_one(*given):
    raise AssertionError("nobody awaits it")


def test_a_missing_store_is_found_missing(path, opened):
    for options in ({"create": False}, {"read_only": True}):
        with pytest.raises(StoreNotFound, match="agent"):
            opened(**options)
    assert not path.exists()


def test_an_empty_store_is_reopened_recalled_and_exported(opened, tmp_path):
    opened().close()
    layer = opened(create=False)
    assert (layer.recall("note"), layer.list(), layer.scopes(), layer.count(), layer.context("x").text) == (
        [],
        [],
        [],
        0,
        "",
    )
    assert layer.verify().ok
    layer.compact()
    layer.checkpoint()
    assert layer.export(tmp_path / "out.jsonl") == 0
    layer.backup(tmp_path / "copy.mem")
    assert opened(tmp_path / "copy.mem", create=False).count() == 0


@pytest.mark.parametrize(
    "options",
    [
        {"embedder": None, "dim": 3},
        {"embedder": lambda texts: np.ones((len(texts), 3)), "embedder_name": "words"},
        {"embedder": lambda texts: np.ones((len(texts), 64)), "embedder_name": "other", "dim": 64},
        {"embedder": None, "embedder_name": "other"},
        {"embedder": "auto", "dim": 65},
    ],
)
def test_another_embedder_or_dimension_is_refused_with_the_remedy(opened, path, options):
    layer = opened()
    layer.remember("note")
    layer.close()
    before = {file.name: file.read_bytes() for file in path.iterdir()}
    with pytest.raises(EmbedderMismatch, match=r"words.*64.*reembed"):
        opened(**options)
    assert {file.name: file.read_bytes() for file in path.iterdir()} == before


def test_auto_finds_the_store_s_own_embedder_or_says_how_to_pass_it(opened):
    opened().close()
    with pytest.raises(EmbedderError, match="embedder_name='words'"):
        opened(embedder="auto")
    assert opened(embedder=None).count() == 0


def test_a_store_of_given_vectors_opens_by_itself(opened):
    opened(embedder=None, dim=3).close()
    layer = opened(embedder="auto")
    layer.remember("note", embedding=[1, 2, 3])
    assert layer.recall(embedding=[1, 2, 3])[0].memory.content == "note"


def test_a_new_store_of_given_vectors_wants_a_dimension(opened, path):
    with pytest.raises(ValueError, match="dim="):
        opened(embedder=None)
    assert not path.exists()


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"sync": "maybe"}, ValueError, "sync"),
        ({"threads": 0}, ValueError, "threads"),
        ({"threads": 257}, ValueError, "threads"),
        ({"threads": "1"}, TypeError, "threads"),
        ({"busy_timeout": -1}, ValueError, "busy_timeout"),
        ({"busy_timeout": float("nan")}, ValueError, "busy_timeout"),
        ({"busy_timeout": "5"}, TypeError, "busy_timeout"),
        ({"create": 1}, TypeError, "create"),
        ({"read_only": None}, TypeError, "read_only"),
        ({"clock": 5.0}, TypeError, "clock"),
        ({"guard": "refuse"}, TypeError, "guard"),
        ({"ranking": 0.5}, TypeError, "ranking"),
        ({"tokens": "no such encoding"}, ValueError, "no such encoding"),
        ({"tokens": 4}, TypeError, "tokens"),
        ({"embedder": "no such embedder"}, ValueError, "no such embedder"),
        ({"embedder": 5}, TypeError, "embedder"),
        (
            {"embedder": an_async_one, "embedder_name": "words"},
            TypeError,
            "embedder must be a plain function, not an async",
        ),
        ({"tokens": an_async_one}, TypeError, "tokens must be a plain function, not an async one"),
        ({"clock": an_async_one}, TypeError, "clock must be a plain function, not an async one"),
        ({"embedder": lambda texts: None}, ValueError, "embedder_name"),
        ({"embedder": None, "dim": 0}, ValueError, "dim"),
        ({"embedder": None, "dim": True}, TypeError, "dim"),
        ({"embedder": None, "dim": 10**9}, ValueError, "dim"),
        ({"policy": {"coder": {"read": []}}}, TypeError, "policy"),
        ({"retention": {"ttl": {}}}, TypeError, r"retention must be a Retention, not dict: say retention=Retention\("),
        ({"encryption": True}, TypeError, "encryption"),
    ],
)
def test_a_wrong_option_is_refused_and_makes_no_store(opened, path, options, error, words):
    with pytest.raises(error, match=words):
        opened(**options)
    assert not path.exists()


def test_a_tilde_is_the_home_folder_and_nobody_elses_name(opened, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    with opened("~/home.mem") as layer:
        assert layer.path == str(tmp_path / "home.mem")
        layer.backup("~/copy.mem")
        assert layer.export(Path("~/out.jsonl")) == layer.import_("~/out.jsonl") == 0
    assert {entry.name for entry in tmp_path.iterdir()} == {"home.mem", "copy.mem", "out.jsonl"}
    with pytest.raises(ValueError, match=r"store begins with ~ and names no user: say \./~"):
        opened("~nobody-of-this-name")


@pytest.mark.parametrize("verb", ["export", "import_", "backup"])
def test_what_is_no_path_is_said_with_the_arguments_name(layer, verb):
    for wrong in (None, b"bytes", 5):
        with pytest.raises(TypeError, match="path must be a path, as a string or a Path, not"):
            getattr(layer, verb)(wrong)
    with pytest.raises(ValueError, match="path"):
        getattr(layer, verb)("a\0b")


@pytest.mark.parametrize("where", ["postgresql://localhost/x", "postgres://x", "", "a\0b", b"bytes"])
def test_what_is_no_path_of_a_directory_is_refused(opened, where):
    with pytest.raises((ValueError, TypeError), match="store"):
        opened(where)


def test_a_file_in_the_place_of_a_store_is_refused(opened, path):
    path.write_text("mine")
    with pytest.raises((OSError, hippocore.HippocoreError)):
        opened()
    assert path.read_text() == "mine"


@pytest.mark.parametrize("name", ["with spaces", "日本語の記憶", "n" * 200, "quo'te\"s", "new\nline"])
def test_any_name_of_a_directory_works(opened, tmp_path, name):
    for where in (tmp_path / name, str(tmp_path / name)):
        layer = opened(where)
        layer.remember("note", merge=True)
        layer.close()
    assert opened(tmp_path / name, create=False).count() == 1


def test_a_stray_file_in_the_directory_does_not_matter(opened, path):
    opened().remember("note")
    (path / "stray.tmp").write_text("x")
    (path / ".hidden").write_text("x")
    layer = opened()
    layer.compact()
    assert (layer.count(), layer.verify().ok) == (1, True)


def test_a_copy_of_the_directory_opens(opened, path, tmp_path):
    layer = opened()
    layer.remember_many([{"content": f"note {n}"} for n in range(30)])
    layer.checkpoint()
    layer.remember("after the checkpoint")
    shutil.copytree(path, tmp_path / "copy.mem")
    copy = opened(tmp_path / "copy.mem")
    assert copy.count() == 31
    copy.remember("only in the copy")
    assert (copy.count(), layer.count()) == (32, 31)


def test_a_read_only_handle_reads_and_refuses_to_write(opened):
    writer = opened()
    identifier = writer.remember("note").id
    reader = opened(read_only=True)
    assert reader.get(identifier).content == "note"
    for write in (
        lambda: reader.remember("more"),
        lambda: reader.remember("more", merge=False),
        lambda: reader.remember_many([{"content": "more"}], merge=False),
        lambda: reader.update(identifier, importance=0.1),
        lambda: reader.forget(identifier),
        lambda: reader.forget_where(scope="default"),
        lambda: reader.feedback(identifier, True),
        reader.compact,
        reader.checkpoint,
    ):
        with pytest.raises(ReadOnlyStore):
            write()
    writer.remember("seen at once")
    assert reader.count() == 2


def test_a_closed_handle_says_so_at_every_verb(opened, tmp_path, embed):
    layer = opened()
    layer.remember("note", id="a")
    layer.close()
    layer.close()
    verbs = [
        lambda: layer.remember("x"),
        lambda: layer.remember_many([]),
        lambda: layer.update("a", content="x"),
        lambda: layer.forget("a"),
        lambda: layer.forget_where(scope="a"),
        lambda: layer.feedback("a", True),
        lambda: layer.recall("x"),
        lambda: layer.context("x"),
        lambda: layer.get("a"),
        lambda: layer.history("a"),
        lambda: layer.embeddings("a"),
        lambda: "a" in layer,
        layer.list,
        layer.count,
        layer.scopes,
        layer.stats,
        layer.checkpoint,
        layer.compact,
        layer.verify,
        lambda: layer.reembed(embed),
        lambda: layer.backup(tmp_path / "b"),
        lambda: layer.export(tmp_path / "e"),
        lambda: layer.import_(tmp_path / "e"),
        layer.__enter__,
    ]
    for verb in verbs:
        with pytest.raises(StoreClosed, match=r"agent\.mem"):
            verb()
    assert layer.closed
    assert "closed" in repr(layer)


def test_the_context_manager_closes_even_after_an_error(opened):
    layer = opened()

    def fails():
        with layer:
            layer.remember("note")
            raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        fails()
    assert layer.closed
    assert opened().count() == 1


def test_an_embedder_that_fails_writes_nothing(opened):
    def broken(texts):
        raise OSError("no network, and the text was " + texts[0])

    layer = opened(embedder=broken, embedder_name="broken", dim=4)
    for write in (lambda: layer.remember("private"), lambda: layer.remember_many([{"content": "private"}])):
        with pytest.raises(EmbedderError, match="broken") as caught:
            write()
        assert "private" not in str(caught.value)
    assert layer.count() == 0


def test_reembedding_replaces_every_vector_and_the_remembered_embedder(opened, contents):
    layer = opened()
    layer.remember("note one", id="a")
    layer.update("a", content="note two")
    layer.remember("note three", id="b")
    told = []

    class Lengths:
        name, dim = "lengths", 2

        def __call__(self, texts):
            return np.array([[len(text), 1.0] for text in texts], np.float32)

    layer.reembed(Lengths(), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3, 3)
    np.testing.assert_array_equal(layer.embeddings(["a", "b"]), [[8, 1], [10, 1]])
    assert (layer.stats().dim, layer.stats().embedder) == (2, "lengths")
    assert sorted(contents(layer.recall("1234567890"))) == ["note three", "note two"]
    layer.close()
    with pytest.raises(EmbedderMismatch):
        opened()
    again = opened(embedder=Lengths())
    assert [memory.content for memory in again.history("a")] == ["note one", "note two"]
    with pytest.raises(DimensionMismatch):
        again.recall(embedding=np.ones(64))


def test_a_failed_reembedding_changes_nothing(opened, embed):
    layer = opened()
    layer.remember_many([{"content": f"note {n}"} for n in range(600)])
    before = layer.embeddings([memory.id for memory in layer.list()])
    calls = []

    def fails_late(texts):
        calls.append(len(texts))
        if len(calls) == 3:
            raise RuntimeError("enough")
        return np.ones((len(texts), 5))

    with pytest.raises(ValueError, match="embedder_name"):
        layer.reembed(fails_late)
    fails_late.name, fails_late.dim = "late", 5
    with pytest.raises(EmbedderError):
        layer.reembed(fails_late)
    with pytest.raises(ValueError, match="embedder"):
        layer.reembed(None)
    np.testing.assert_array_equal(layer.embeddings([memory.id for memory in layer.list()]), before)
    assert layer.stats().embedder == "words"
    layer.remember("still writes")


def test_a_backup_is_a_store_of_its_own(opened, tmp_path, contents):
    layer = opened()
    layer.remember("note one", id="a")
    layer.update("a", content="note two")
    layer.backup(tmp_path / "copy.mem")
    layer.remember("later")
    copy = opened(tmp_path / "copy.mem", create=False)
    assert contents(copy.list()) == ["note two"]
    assert contents(copy.history("a")) == ["note one", "note two"]
    with pytest.raises((OSError, ValueError, hippocore.HippocoreError)):
        layer.backup(tmp_path / "copy.mem")
    assert copy.count() == 1


def test_a_store_and_a_backup_need_a_directory_of_their_own(opened, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "shopping.txt").write_text("tea")
    with pytest.raises(ValueError, match="directory of its own"):
        opened(tmp_path / "notes")
    with pytest.raises(ValueError, match="directory of its own"):
        opened(tmp_path / "a.mem").backup(tmp_path / "notes")
    assert [entry.name for entry in (tmp_path / "notes").iterdir()] == ["shopping.txt"]
    (tmp_path / "volume" / "lost+found").mkdir(parents=True)
    (tmp_path / "volume" / ".keep").touch()
    assert opened(tmp_path / "volume").remember("stored").action == "stored"


def test_what_an_open_store_was_opened_with_is_not_said_again(opened):
    store = opened()._session.handle().store
    with pytest.raises(ValueError, match=r"sync=, threads= cannot change a Store that is open"):
        MemoryLayer(store, embedder=None, sync="off", threads=2)
    with pytest.raises(ValueError, match="read_only="):
        MemoryLayer(store, embedder=None, read_only=True)


def test_importing_hippocore_imports_nothing_heavy(tmp_path):
    script = "import sys, hippocore; print(sorted({name.partition('.')[0] for name in sys.modules}))"
    environment = {**os.environ, "PYTHONPATH": str(Path(hippocore.__file__).parents[1])}
    command = [sys.executable, "-c", script]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=tmp_path).stdout
    imported = set(ast.literal_eval(shown)) - _modules("import numpy, msgpack")
    assert imported - set(sys.stdlib_module_names) == {"hippocore"}
    heavy = {"asyncio", "http", "urllib", "ssl", "socket", "multiprocessing", "sqlite3", "concurrent", "subprocess"}
    assert not heavy & imported


def _modules(statement):
    script = f"import sys; {statement}; print(sorted({{name.partition('.')[0] for name in sys.modules}}))"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    return set(ast.literal_eval(shown))


def test_every_name_of_the_contract_is_there():
    for name in hippocore.__all__:
        assert getattr(hippocore, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = hippocore.no_such_name
    assert MemoryLayer.__doc__


def test_an_async_layer_is_opened_and_never_made_of_a_path(path):
    with pytest.raises(TypeError, match=r"await AsyncMemoryLayer\.open\(path\)"):
        AsyncMemoryLayer(path)


def test_a_store_keeps_its_unit_of_tokens_and_tokens_counts_the_context(opened):
    text = "Ada deploys on Tuesdays"
    opened().close()
    with opened(tokens=len) as layer:
        assert layer.remember(text, id="a").action == "stored"
        assert (layer.stats().tokenizer, layer.get("a").tokens) == ("estimate", 6)
        assert layer.update("a", content=text + " only").tokens == 7
        packed = layer.context("Ada", budget=2000)
        assert packed.tokens == len(packed.text) > 0
        assert layer.context("Ada", budget=2000, max_per_memory=28).skipped == []
        assert [reason for _, reason in layer.context("Ada", max_per_memory=27).skipped] == [
            "its 28 tokens are more than max_per_memory=27"
        ]


def test_another_encoding_than_the_stores_is_refused_with_the_remedy(opened, path, monkeypatch):
    monkeypatch.setattr("hippocore.encodings.encoding_counter", lambda name: len)
    opened(tokens="cl100k_base").close()
    with opened(tokens="cl100k_base") as layer:
        layer.remember("Ada", id="a")
        assert (layer.stats().tokenizer, layer.get("a").tokens) == ("cl100k_base", 3)
    for same in ("estimate", len):
        opened(tokens=same).close()
    with pytest.raises(ValueError, match="by 'cl100k_base', not 'o200k_base': open it with tokens='cl100k_base', or"):
        opened(tokens="o200k_base")


def test_a_store_of_the_callers_own_counter_counts_by_the_one_that_is_given(opened, tmp_path):
    with opened(tokens=len) as layer:
        layer.remember("Ada deploys", id="a")
        assert (layer.stats().tokenizer, layer.get("a").tokens) == ("custom", 11)
        layer.export(tmp_path / "out.jsonl")
    with opened() as layer:
        layer.remember("Bob deploys", id="b")
        assert layer.get("b").tokens == 3
    with opened(tmp_path / "other.mem") as layer:
        layer.import_(tmp_path / "out.jsonl")
        assert (layer.stats().tokenizer, layer.get("a").tokens) == ("estimate", 3)


def test_the_package_gives_what_the_contract_names():
    names = "Embedder FileDenied FileMissing HippocoreWarning MissingExtra Scored Skipped Store Verification"
    for name in names.split():
        assert name in hippocore.__all__
        assert getattr(hippocore, name).__name__ == name
    assert hippocore.Embedder is hippocore.embedders.protocol.Embedder
