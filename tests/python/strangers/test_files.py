"""What somebody puts among a store's files, or in the way of an export or a backup, is neither followed nor waited for.

Each of these tests runs alike as root and as an ordinary user.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import stat
from pathlib import Path

import pytest

from hippocore import CorruptStore, HippocoreError, ImportFormatError, MemoryLayer, StoreFailure
from tests.python.strangers.as_user import in_child

KINDS = ("header", "log", "records", "tail", "payload", "state", "index")
PRECIOUS = b"what must not be touched\n"


def opened(path, **options):
    return MemoryLayer(path, embedder=None, **{"dim": 3, **options})


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "agent.mem"
    with opened(path) as layer:
        layer.remember("one", id="one", embedding=[1, 0, 0])
        layer.checkpoint()
        layer.remember("two", id="two", embedding=[0, 1, 0])
    return path


@pytest.fixture
def victim(tmp_path):
    """A file outside the store; at the end of the test it must be as it was."""
    path = tmp_path / "victim"
    path.write_bytes(PRECIOUS)
    yield path
    assert path.read_bytes() == PRECIOUS


def file_of(store, kind):
    (found,) = store.glob(f"{kind}*")
    return found


def plant_link_to_file(place, victim):
    place.symlink_to(victim)


def plant_link_to_itself_elsewhere(place, victim):
    copy = victim.parent / f"copy of {place.name}"
    shutil.copyfile(victim.parent / "kept", copy)
    place.symlink_to(copy)


def plant_pipe(place, victim):
    os.mkfifo(place)


def plant_folder(place, victim):
    place.mkdir()


def plant_device(place, victim):
    place.symlink_to("/dev/zero")


def plant_socket(place, victim):
    with socket.socket(socket.AF_UNIX) as one:
        os.chdir(place.parent)  # a socket's path is short
        one.bind(place.name)


def plant_dangling_link(place, victim):
    place.symlink_to(victim.parent / "made through a link")


PLANTED = [
    plant_link_to_file,
    plant_link_to_itself_elsewhere,
    plant_pipe,
    plant_folder,
    plant_device,
    plant_socket,
    plant_dangling_link,
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_what_is_no_file_in_the_place_of_a_stores_file_is_refused(store, victim, kind, plant):
    place = file_of(store, kind)
    place.rename(victim.parent / "kept")

    def check():
        plant(place, victim)
        for options in ({}, {"read_only": True}, {"create": False}):
            with pytest.raises(StoreFailure, match=place.name):
                opened(store, **options)

    in_child(check, ordinary=False)  # which ends it if it waits for the other end of a pipe
    assert not (victim.parent / "made through a link").exists()
    if place.is_dir() and not place.is_symlink():
        place.rmdir()
    else:
        place.unlink()
    (victim.parent / "kept").rename(place)
    assert opened(store).count() == 2


@pytest.mark.parametrize("kind", ["header", "log"])
def test_a_file_with_a_second_name_is_read_and_not_written(store, victim, kind):
    place = file_of(store, kind)
    os.link(place, victim.parent / "second name")
    with pytest.raises(StoreFailure, match="hard link"):
        opened(store)
    assert opened(store, read_only=True).count() == 2
    (victim.parent / "second name").unlink()
    assert opened(store).count() == 2


def test_a_new_store_is_not_made_in_a_file_that_has_a_second_name(tmp_path, victim):
    (tmp_path / "new.mem").mkdir()
    empty = tmp_path / "empty"
    empty.touch()
    os.link(empty, tmp_path / "new.mem" / "header")
    with pytest.raises(StoreFailure, match="hard link"):
        opened(tmp_path / "new.mem")
    assert empty.read_bytes() == b""


@pytest.mark.parametrize("kind", KINDS[1:])
def test_a_link_at_the_name_of_a_coming_file_is_replaced(store, victim, kind):
    numbers = {int(file.name.partition("-")[2]) for file in store.glob("*-*")}
    with opened(store) as layer:
        for number in range(min(numbers), max(numbers) + 3):
            name = store / f"{kind}-{number}"
            if not name.exists():
                name.symlink_to(victim)
        layer.checkpoint()
        layer.remember("three", id="three", embedding=[0, 0, 1])
        layer.compact()
    assert all(entry.is_file() and not entry.is_symlink() for entry in store.iterdir())
    with opened(store) as layer:
        assert layer.count() == 3
        assert layer.verify().ok


def test_a_folder_at_the_name_of_a_coming_file_is_named(store):
    with opened(store) as layer:
        for number in range(2, 5):
            if not (store / f"tail-{number}").exists():
                (store / f"tail-{number}").mkdir()
        with pytest.raises(StoreFailure, match="tail-"):
            layer.checkpoint()
        assert layer.count() == 2
    for folder in store.glob("tail-*"):
        if folder.is_dir():
            folder.rmdir()
    with opened(store) as layer:
        layer.checkpoint()
        assert layer.count() == 2


def test_what_else_lies_in_the_folder_is_left_alone(store, victim):
    (store / ".agent.mem.tmp").write_text("of an editor")
    (store / "notes").mkdir()
    (store / "notes" / "log-9").write_text("inside a folder")
    (store / "link").symlink_to(victim)
    (store / "nowhere").symlink_to("nothing")
    os.mkfifo(store / "pipe")

    def check():
        with opened(store) as layer:
            layer.checkpoint()
            layer.compact()
            assert layer.stats().disk_bytes > 0
            assert layer.verify().ok
            assert layer.count() == 2
            layer.backup(victim.parent / "copy.mem")

    in_child(check, ordinary=False)
    assert {".agent.mem.tmp", "notes", "link", "nowhere", "pipe"} <= {entry.name for entry in store.iterdir()}
    assert opened(victim.parent / "copy.mem").count() == 2


def test_a_store_is_reached_through_a_link_to_its_folder(store, tmp_path):
    (tmp_path / "link").symlink_to(store)
    with opened(tmp_path / "link") as layer:
        layer.remember("three", embedding=[0, 0, 1])
        layer.checkpoint()
    assert opened(store).count() == 3


@pytest.mark.parametrize("plant", [plant_dangling_link, plant_pipe, plant_device], ids=lambda plant: plant.__name__)
def test_what_is_no_folder_is_no_store(victim, plant):
    path = victim.parent / "agent.mem"
    plant(path, victim)

    def check():
        for options in ({}, {"read_only": True}):
            with pytest.raises(HippocoreError, match=r"agent\.mem"):
                opened(path, **options)

    in_child(check, ordinary=False)
    assert not (victim.parent / "made through a link").exists()


def test_a_store_copied_while_it_is_open_is_a_store_or_says_why_not(store, tmp_path):
    with opened(store) as layer:
        for number in range(20):
            layer.remember(f"note {number}", embedding=[number, 1, 0])
            copy = tmp_path / f"copy {number}"
            shutil.copytree(store, copy)
            with opened(copy) as copied:
                assert copied.verify().ok
                assert copied.count() == number + 3
            if number % 7 == 3:
                layer.checkpoint()


def test_a_copy_that_lacks_a_file_is_named(store, tmp_path):
    for kind in KINDS[1:]:
        copy = tmp_path / f"without {kind}"
        shutil.copytree(store, copy)
        file_of(copy, kind).unlink()
        with pytest.raises(CorruptStore, match=f"{kind}.*is missing"):
            opened(copy)


def test_an_export_neither_replaces_nor_follows_a_link(store, victim):
    target = victim.parent / "export.jsonl"
    for leads_to in (victim, victim.parent / "nowhere", "/dev/null", victim.parent):
        target.symlink_to(leads_to)
        with (
            opened(store) as layer,
            pytest.raises(ValueError, match=r"cannot export to .*it is there and no plain file"),
        ):
            layer.export(target)
        assert target.readlink() == Path(leads_to)
        target.unlink()
    assert not (victim.parent / "nowhere").exists()
    assert victim.read_bytes() == PRECIOUS


def test_an_export_takes_the_place_of_a_file_for_its_owner_only(store, tmp_path):
    target = tmp_path / "export.jsonl"
    target.write_bytes(PRECIOUS)
    with opened(store) as layer:
        assert layer.export(target) == 2
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert target.read_bytes().startswith(b'{"')


def test_an_export_replaces_one_name_of_a_file_with_two(store, victim):
    target = victim.parent / "export.jsonl"
    os.link(victim, target)
    with opened(store) as layer:
        layer.export(target)
    assert target.stat().st_nlink == 1


def test_an_export_goes_to_no_pipe_folder_or_device(store, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()

    def check():
        with opened(store) as layer:
            for target in (tmp_path / "pipe", tmp_path / "folder", "/dev/null", "/", ".", ""):
                with pytest.raises(ValueError, match="cannot export"):
                    layer.export(target)

    in_child(check, ordinary=False)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["agent.mem", "folder", "pipe"]


def test_an_export_never_goes_among_the_stores_own_files(store, tmp_path):
    (tmp_path / "link").symlink_to(store)
    before = {entry.name: entry.read_bytes() for entry in store.iterdir()}
    with opened(store) as layer:
        for target in (store / "header", store / "export.jsonl", tmp_path / "link" / "header"):
            with pytest.raises(ValueError, match="own files"):
                layer.export(target)
    assert {entry.name: entry.read_bytes() for entry in store.iterdir()} == before


def test_a_failed_export_leaves_nothing_beside_its_target(store, tmp_path):
    def fail(done, total):
        raise KeyboardInterrupt

    with opened(store) as layer, pytest.raises(KeyboardInterrupt):
        layer.export(tmp_path / "export.jsonl", progress=fail)
    assert [entry.name for entry in tmp_path.iterdir()] == ["agent.mem"]


@pytest.mark.parametrize("source", ["pipe", "/dev/zero", "/dev/null", "."])
def test_an_import_reads_no_pipe_folder_or_device(store, tmp_path, source):
    os.mkfifo(tmp_path / "pipe")

    def check():
        with opened(store) as layer, pytest.raises(ImportFormatError, match="no plain file"):
            layer.import_(tmp_path / source)

    in_child(check, ordinary=False)


def test_an_import_through_a_link_only_reads(store, tmp_path):
    with opened(store) as layer:
        layer.export(tmp_path / "export.jsonl")
        (tmp_path / "link").symlink_to(tmp_path / "export.jsonl")
        assert layer.import_(tmp_path / "link") == 0


def test_a_backup_follows_no_link_in_its_folder(store, victim):
    folder = victim.parent / "copy.mem"
    folder.mkdir()
    for kind in KINDS[1:]:
        for number in range(4):
            (folder / f"{kind}-{number}").symlink_to(victim)
    with opened(store) as layer:
        layer.backup(folder)
    copied = [entry for entry in folder.iterdir() if not entry.is_symlink()]
    assert {re.split("-", entry.name)[0] for entry in copied} == set(KINDS)
    assert all(stat.S_IMODE(entry.stat().st_mode) == 0o600 for entry in copied)
    assert opened(folder).count() == 2


def test_a_backup_over_a_link_in_the_place_of_its_header_is_refused(store, victim):
    folder = victim.parent / "copy.mem"
    folder.mkdir()
    for leads_to in (victim, victim.parent / "nowhere"):
        (folder / "header").symlink_to(leads_to)
        with opened(store) as layer, pytest.raises(StoreFailure, match="header"):
            layer.backup(folder)
        (folder / "header").unlink()
    assert not (victim.parent / "nowhere").exists()


def test_a_backup_goes_to_no_file(store, victim):
    with opened(store) as layer, pytest.raises(StoreFailure, match="victim"):
        layer.backup(victim)
