"""Export and import: every version of every memory as JSON Lines, and back into a store unchanged."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from hippocore.arguments import checked_path
from hippocore.errors import ImportFormatError, StoreBusy, failure_of
from hippocore.guard import Guard
from hippocore.records import Record, record_of
from hippocore.stores.protocol import RowTuple, Store, Vectors
from hippocore.transfer_import import Import
from hippocore.transfer_lines import Header, header_line, version_line

Progress = Callable[[int, int], None]
_LINES_BETWEEN_PROGRESS: Final = 1000


def as_kept(row: RowTuple) -> RowTuple:
    """Return the row itself."""
    return row


def export_store(
    core: Store,
    path: str | os.PathLike[str],
    *,
    embeddings: bool = True,
    progress: Progress | None = None,
    shown: Callable[[RowTuple], RowTuple] = as_kept,
) -> int:
    """Write all versions that are not forgotten to a file, sorted by id and version; return how many.

    The file appears whole or not at all, readable by its owner only, in place of a plain file of that name; a link is
    neither followed nor replaced. The writer's lock is held meanwhile, so that the export is one moment of the store.
    `progress` is called with (lines, all lines). `shown` gives each row as it is to stand in the file; an agent's holds
    its own ids. Raises StoreFailure (FileMissing, FileDenied) or StoreFull when the file cannot be written, StoreBusy
    when a read-only handle sees the store change, ValueError for a target that is no plain file or lies in the store.
    """
    named = checked_path(path, "path")
    target = _checked_target(core, named)
    with _one_moment(core), _replacing(target, named) as file:
        places = _places(core, shown)
        file.write(header_line(Header(core.dim, core.embedder, core.tokenizer, embeddings, len(places))))
        for done, place in enumerate(places, 1):
            line = version_line(*_version_at(core, place, embeddings, shown))
            with _told(named):
                file.write(line)
            if progress is not None and (done % _LINES_BETWEEN_PROGRESS == 0 or done == len(places)):
                progress(done, len(places))
    return len(places)


def import_store(
    core: Store,
    path: str | os.PathLike[str],
    *,
    guard: Guard,
    embed: Callable[[Sequence[str]], Vectors],
    count_tokens: Callable[[str], int] | None = None,
    progress: Progress | None = None,
) -> int:
    """Read an export into a store, keeping ids, versions and state; return how many versions were written.

    The whole file is checked before anything is written. Then it is written in commits of about 1,000 versions, all of
    a memory in one, so that an import that was cut off leaves whole memories, and importing again writes the rest: what
    is there already with the same content is left as it is. The guard refuses and redacts, and caps the importance of
    what is untrusted, as when remembering; what was in quarantine stays there and nothing else goes there, since a
    person may have released it. Texts without an embedding go through `embed`; where the
    export counted tokens by another name than the store, `count_tokens` (or the store's own counter) counts again.
    `progress` is called with (bytes, all bytes), each byte being read twice.

    Raises ImportFormatError naming the line and field, also for an id that the store has with other content, and for
    a path that leads to no plain file (of a pipe or a device nothing is read);
    EmbedderMismatch for embeddings of another embedder or dimension; SecretRefused naming the line where the guard
    refuses; the store's own errors.
    """
    with _plain_file(checked_path(path, "path")) as file:
        return Import(core, file, guard=guard, embed=embed, count_tokens=count_tokens, progress=progress).run()


def _checked_target(core: Store, path: str) -> Path:
    """Return where an export goes: its folder as the system finds it, its name never followed."""
    named = Path(path)
    target = named.parent.resolve() / named.name
    there = target.lstat() if os.path.lexists(target) else None
    if not named.name or (there is not None and not stat.S_ISREG(there.st_mode)):
        raise ValueError(f"cannot export to {path!r}: it is there and no plain file")
    if target.parent == Path(core.path).resolve():
        raise ValueError(f"cannot export to {path!r}: it lies among the store's own files")
    return target


# Public id, version, and the slot to start reading from to find it.
_Place = tuple[str, int, int]


def _places(core: Store, shown: Callable[[RowTuple], RowTuple]) -> list[_Place]:
    """Find every version; only these few words of each are held at once, however large the store is."""
    places = []
    slot = 0
    while True:
        rows, following = core.versions(slot, 1)
        if len(rows):
            record = record_of(shown(rows[0]))
            places.append((record.public_id, record.version, slot))
        if not following:
            return sorted(places)
        slot = following


def _version_at(
    core: Store, place: _Place, embeddings: bool, shown: Callable[[RowTuple], RowTuple]
) -> tuple[Record, Vectors | None]:
    identifier, version, slot = place
    rows, _ = core.versions(slot, 1, vectors=embeddings)
    record = record_of(shown(rows[0])) if len(rows) else None
    if record is None or (record.public_id, record.version) != (identifier, version):
        raise StoreBusy(f"{core.path}: the store was changed during the export: export again")
    return record, rows.vectors()[0] if embeddings else None


def _plain_file(path: str) -> IO[bytes]:
    # Without O_NONBLOCK, opening a pipe would wait for its other end.
    try:
        file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))  # noqa: SIM115
    except IsADirectoryError:
        raise ImportFormatError(f"cannot import {path!r}: it is no plain file") from None
    except FileNotFoundError as error:
        raise failure_of(error, f"cannot import {path!r}: there is no such file") from None
    except PermissionError as error:
        raise failure_of(error, f"cannot import {path!r}: no right to read it") from None
    except OSError as error:
        raise failure_of(error, f"cannot import {path!r}: {error.strerror}") from None
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise ImportFormatError(f"cannot import {path!r}: it is no plain file")


@contextmanager
def _one_moment(core: Store) -> Iterator[None]:
    """Keep other writers away; a read-only handle cannot, and notices what moved instead."""
    if core.read_only:
        yield
        return
    core.begin()
    try:
        yield
    finally:
        core.end()


@contextmanager
def _replacing(target: Path, named: str) -> Iterator[IO[bytes]]:
    """Give a file beside the target that takes its place when the block ends, synced, or vanishes when it fails."""
    with _told(named):
        file = tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name[:100]}.", delete=False)  # noqa: SIM115
    try:
        os.fchmod(file.fileno(), 0o600)  # a umask may have taken the owner's own rights
        yield file
        with _told(named):
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).replace(target)
    except BaseException:
        Path(file.name).unlink(missing_ok=True)
        raise
    finally:
        with suppress(OSError):  # of what a full disk did not take
            file.close()


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Say what the system refuses or fails with the path that the caller named."""
    try:
        yield
    except FileNotFoundError as error:
        raise failure_of(error, f"cannot export to {path!r}: its folder is not there, make it first") from None
    except PermissionError as error:
        raise failure_of(
            error, f"cannot export to {path!r}: no right to write in its folder, name another folder"
        ) from None
    except OSError as error:
        raise failure_of(error, f"cannot export to {path!r}: {error.strerror}") from None
