"""Permissions bind an ordinary user: a store that cannot be written is read, and what is refused is named."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from hippocore import HippocoreError, MemoryLayer, ReadOnlyStore, StoreFailure
from tests.python.strangers.as_user import IS_ROOT, ORDINARY, folder_of_user, in_child, make_read_only

SECRET = "the content of a memory"
STRANGER = 4321


@pytest.fixture(scope="module", autouse=True)
def all_imported(tmp_path_factory):
    """Every module that a test's child needs, by doing once what they do: layers import a verb's module when asked."""
    place = tmp_path_factory.mktemp("imports")
    make(place / "agent.mem")
    read_everything(place / "agent.mem", place)
    with opened(place / "copy.mem", create=False) as layer:
        layer.update("two", importance=0.1)
        layer.feedback("two", useful=True)
        layer.compact()


@pytest.fixture
def folder():
    with folder_of_user() as place:
        yield place


@pytest.fixture
def store(folder):
    """A store of the ordinary user with one memory, folded, and one in its log."""
    path = folder / "agent.mem"
    in_child(lambda: make(path))
    return path


def opened(path, **options):
    return MemoryLayer(path, embedder=None, **options)


def make(path):
    with opened(path, dim=3) as layer:
        layer.remember(SECRET, id="one", embedding=[1, 0, 0])
        layer.checkpoint()
        layer.remember("later", id="two", embedding=[0, 1, 0])


def state_of(path):
    return {entry.name: (entry.read_bytes(), entry.stat().st_mode) for entry in path.iterdir()}


def read_everything(path, elsewhere):
    with opened(path, read_only=True, create=False) as layer:
        assert {memory.id for memory in layer.list()} == {"one", "two"}
        assert layer.recall(embedding=[1, 0, 0])[0].memory.content == SECRET
        assert layer.context(embedding=[1, 0, 0]).memories
        assert layer.verify().ok
        assert layer.export(elsewhere / "export.jsonl") == 2
        layer.backup(elsewhere / "copy.mem")
    with opened(elsewhere / "copy.mem", create=False) as copy:
        copy.forget("one")
        assert copy.count() == 1


def assert_refuses_to_write(path):
    before = state_of(path)
    with pytest.raises(ReadOnlyStore, match="read_only=True") as caught:
        opened(path)
    assert isinstance(caught.value, PermissionError)
    assert str(path) in str(caught.value)
    assert re.search("Permission denied|Read-only file system", str(caught.value))
    with opened(path, read_only=True) as layer:
        for write in (
            lambda: layer.remember("more", embedding=[1, 0, 0]),
            lambda: layer.update("one", importance=0.1),
            lambda: layer.forget("one"),
            lambda: layer.feedback("one", useful=True),
            layer.checkpoint,
            layer.compact,
        ):
            with pytest.raises(ReadOnlyStore, match="read-only"):
                write()
    assert state_of(path) == before


def test_a_store_whose_files_may_not_be_written_is_read(folder, store):
    def check():
        for file in store.iterdir():
            file.chmod(0o400)
        store.chmod(0o500)
        read_everything(store, folder)
        assert_refuses_to_write(store)

    in_child(check)


def test_a_store_on_a_read_only_file_system_is_read(folder, store):
    (folder / "elsewhere").mkdir(mode=0o777)
    (folder / "elsewhere").chmod(0o777)
    read_only = folder / "disk"
    read_only.mkdir()
    store.rename(read_only / "agent.mem")

    def check():
        read_everything(read_only / "agent.mem", folder / "elsewhere")
        assert_refuses_to_write(read_only / "agent.mem")
        with pytest.raises(HippocoreError, match=r"new\.mem"):
            opened(read_only / "new.mem", dim=3)
        with (
            pytest.raises(OSError, match=r"Permission denied|Read-only file system"),
            opened(read_only / "agent.mem", read_only=True) as layer,
        ):
            layer.export(read_only / "export.jsonl")

    in_child(check, before=lambda: make_read_only(read_only))


def test_a_folder_that_takes_no_new_files_lets_go_on_until_one_is_needed(store):
    def check():
        store.chmod(0o500)
        with opened(store) as layer:
            layer.remember("still written", id="three", embedding=[0, 0, 1])
            with pytest.raises(StoreFailure, match="Permission denied"):
                layer.checkpoint()
            assert layer.count() == 3
        with opened(store, read_only=True) as layer:
            assert layer.verify().ok
            assert layer.count() == 3

    in_child(check)


def test_a_store_that_another_user_closed_is_refused_by_name(folder):
    path = folder / "theirs.mem"
    if IS_ROOT:
        make(path)  # root's, for root alone
    else:
        in_child(lambda: (make(path), path.chmod(0)))

    def check():
        for options in ({}, {"read_only": True}, {"create": False}):
            with pytest.raises(StoreFailure, match="Permission denied") as caught:
                opened(path, **options)
            assert isinstance(caught.value, OSError)
            assert str(path) in str(caught.value)
            assert "who owns" in str(caught.value)

    in_child(check)


def test_a_store_that_another_user_opened_to_all_is_refused_with_its_owner(folder, store):
    """An ordinary user cannot give files away: where no root runs the test, it sees that its own are not refused."""
    if IS_ROOT:
        for path in (store, *store.iterdir()):
            os.chown(path, STRANGER, STRANGER)
            path.chmod(0o777)

    def check():
        for options in ({}, {"read_only": True}):
            if not IS_ROOT:
                assert opened(store, **options).count() == 2
                continue
            with pytest.raises(StoreFailure, match=f"belongs to user {STRANGER}, not to user {ORDINARY}") as caught:
                opened(store, **options)
            assert str(store) in str(caught.value)
            assert SECRET not in str(caught.value)

    in_child(check)


def test_one_file_of_another_user_is_refused(store):
    """A file that a stranger put into the store in the place of one of its own; or that it may not read."""
    for file in store.iterdir():
        if IS_ROOT:
            os.chown(file, STRANGER, STRANGER)
            file.chmod(0o666)
        else:
            file.chmod(0)

        def check(name=file.name):
            with pytest.raises(StoreFailure, match=f"{re.escape(name)}.*(belongs to user|Permission denied)"):
                opened(store)

        in_child(check)
        if IS_ROOT:
            os.chown(file, ORDINARY, ORDINARY)
        file.chmod(0o600)
    in_child(lambda: opened(store).close())


def test_a_store_of_root_that_all_may_read_is_read(folder, store):
    """Root can do anything to a user's memory anyhow, so its files are trusted."""
    for path in (*store.iterdir(), store):
        if IS_ROOT:
            os.chown(path, 0, 0)
        path.chmod(0o555 if path == store else 0o444)

    def check():
        read_everything(store, folder)
        assert_refuses_to_write(store)

    in_child(check)


def test_a_file_of_root_that_nobody_else_may_read_is_named(store):
    (file,) = store.glob("payload-*")
    if IS_ROOT:
        os.chown(file, 0, 0)
    else:
        file.chmod(0)

    def check():
        with pytest.raises(StoreFailure, match=f"{file.name}.*Permission denied"):
            opened(store)

    in_child(check)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777], ids=oct)
def test_what_is_made_is_its_owners_alone_under_any_umask(folder, umask):
    def modes(path):
        return {entry.stat().st_mode & 0o777 for entry in path.iterdir()}

    def check():
        os.umask(umask)
        path = folder / "above" / "agent.mem"
        make(path)
        with opened(path) as layer:
            layer.checkpoint()
            layer.compact()
            layer.backup(folder / "copy" / "copy.mem")
            layer.export(folder / "export.jsonl")
        for directory in (path.parent, path, folder / "copy", folder / "copy" / "copy.mem"):
            assert directory.stat().st_mode & 0o777 == 0o700
        assert modes(path) == modes(folder / "copy" / "copy.mem") == {0o600}
        assert (folder / "export.jsonl").stat().st_mode & 0o777 == 0o600
        with opened(folder / "copy" / "copy.mem") as copy:
            assert copy.import_(folder / "export.jsonl") == 0
            assert copy.count() == 2

    in_child(check)


def test_a_user_without_a_right_to_the_folder_above_is_told_so(folder):
    def check():
        (folder / "closed").mkdir()
        (folder / "closed").chmod(0)
        for options in ({}, {"create": False}):
            with pytest.raises(StoreFailure, match="Permission denied") as caught:
                opened(folder / "closed" / "agent.mem", dim=3, **options)
            assert str(Path("closed") / "agent.mem") in str(caught.value)

    in_child(check)


def test_an_export_or_import_that_the_system_refuses_is_said_with_its_path(store, folder):
    def check():
        closed, locked = folder / "closed", folder / "locked"
        closed.mkdir()
        closed.chmod(0o500)
        locked.write_bytes(b"")
        locked.chmod(0)
        refused = (
            ("export", closed / "x", r"to '.*/x': no right to write.*another folder", PermissionError),
            ("export", folder / "no" / "x", r"to '.*/no/x': .*make it first", FileNotFoundError),
            ("import_", folder / "missing", r" '.*missing': there is no such file", FileNotFoundError),
            ("import_", locked, r" '.*locked': no right to read", PermissionError),
            ("import_", folder / ("n" * 300), " '.*nnn': File name too long", OSError),
        )
        with opened(store) as layer:
            for verb, path, words, also in refused:
                with pytest.raises(StoreFailure, match=f"cannot {verb.strip('_')} ?{words}") as caught:
                    getattr(layer, verb)(path)
                assert isinstance(caught.value, also)
                assert caught.value.errno
        assert list(closed.iterdir()) == []

    in_child(check)
