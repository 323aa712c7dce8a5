"""Runs a function as an ordinary user, whom permissions bind: in a child process that gives up root where it has it."""

from __future__ import annotations

import ctypes
import os
import select
import shutil
import signal
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ORDINARY = 65534
LONGEST = 60.0  # seconds; what takes longer hangs
IS_ROOT = os.geteuid() == 0

_CLONE_NEWNS, _MS_RDONLY, _MS_REMOUNT, _MS_REC, _MS_PRIVATE = 0x20000, 1, 32, 0x4000, 1 << 18


def in_child(body: Callable[[], object], *, ordinary: bool = True, before: Callable[[], object] | None = None) -> None:
    """Run a function in a child process, without root unless `ordinary` is False; its failure fails the test.

    `before` runs in the child too, with the rights of the parent. What `body` imports must have been imported before:
    another user may not see the packages.
    """
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child never goes back into this process's threads
        child = os.fork()
    if child == 0:
        os.close(reading)
        _run(body, ordinary, before, writing)
    os.close(writing)
    try:
        failure = _said(reading)
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert failure == "", failure


def _run(body: Callable[[], object], ordinary: bool, before: Callable[[], object] | None, writing: int) -> None:
    failure = ""
    try:
        if before is not None:
            before()
        if ordinary and IS_ROOT:
            os.setgroups([])
            os.setresgid(ORDINARY, ORDINARY, ORDINARY)
            os.setresuid(ORDINARY, ORDINARY, ORDINARY)
        body()
    except BaseException:
        failure = traceback.format_exc()
    os.write(writing, failure.encode(errors="replace")[-60_000:])
    os.close(writing)
    signal.pause()  # the parent ends this process, so that nothing of the parent's is torn down here


def _said(reading: int) -> str:
    said = b""
    while select.select([reading], [], [], LONGEST)[0]:
        if not (part := os.read(reading, 65536)):
            return said.decode()
        said += part
    return f"it took longer than {LONGEST} seconds"


@contextmanager
def folder_of_user() -> Iterator[Path]:
    """Give a folder that belongs to the ordinary user and is reached by it, whoever runs the tests."""
    folder = Path(tempfile.mkdtemp(prefix="hippocore-"))
    try:
        if IS_ROOT:
            os.chown(folder, ORDINARY, ORDINARY)
        yield folder
    finally:
        for place in [folder, *(path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink())]:
            place.chmod(0o700)
        shutil.rmtree(folder)


def make_read_only(folder: Path) -> None:
    """Put what is in a folder onto a read-only file system that this process alone sees; else take its write bits."""
    if IS_ROOT and _mount_read_only(folder):
        return
    for path in sorted(folder.rglob("*"), reverse=True):
        path.chmod(0o555 if path.is_dir() else 0o444)
    folder.chmod(0o555)


def _mount_read_only(folder: Path) -> bool:
    """Mount a small file system over the folder, with the folder's content; return whether that is permitted here."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWNS) != 0 or libc.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None) != 0:
        return False
    above = os.open(folder, os.O_RDONLY)  # what is there, once something is mounted over it
    target = str(folder).encode()
    if libc.mount(b"tmpfs", target, b"tmpfs", 0, b"size=16m,mode=0755") != 0:
        return False
    for entry in Path(f"/proc/self/fd/{above}").iterdir():
        _copy_with_owner(entry, folder / entry.name)
    os.close(above)
    return libc.mount(b"tmpfs", target, b"tmpfs", _MS_REMOUNT | _MS_RDONLY, None) == 0


def _copy_with_owner(source: Path, target: Path) -> None:
    shutil.copytree(source, target) if source.is_dir() else shutil.copy2(source, target)
    for path in (target, *target.rglob("*")):
        original = source / path.relative_to(target)
        os.chown(path, original.stat().st_uid, original.stat().st_gid)
