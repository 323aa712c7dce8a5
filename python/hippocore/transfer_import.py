"""One import: a first pass over the file that checks all of it, a second that writes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import IO, Final, NamedTuple

import numpy as np

from hippocore.errors import EmbedderMismatch, ImportFormatError, SecretRefused
from hippocore.guard import Guard
from hippocore.links import texts_of
from hippocore.records import Record, record_of, version_of
from hippocore.stores.protocol import SUPERSEDED, Store, Vectors
from hippocore.tokens import counter
from hippocore.transfer_lines import Header, read_header, read_version

_BATCH: Final = 1000
_BATCH_BYTES: Final = 1 << 26
_PIECE: Final = 1 << 20
_LONGEST_LINE: Final = 1 << 30


class _Line(NamedTuple):
    number: int
    size: int
    record: Record
    vector: Vectors | None

    def __repr__(self) -> str:
        return f"_Line(number={self.number})"


class Import:
    """An open export on its way into a store. `hippocore.transfer.import_store` says what it promises."""

    def __init__(
        self,
        core: Store,
        file: IO[bytes],
        *,
        guard: Guard,
        embed: Callable[[Sequence[str]], Vectors],
        count_tokens: Callable[[str], int] | None,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._core, self._file, self._guard, self._embed, self._progress = core, file, guard, embed, progress
        self._name = _name(file)
        self._size = os.fstat(file.fileno()).st_size
        self._header = self._read_header()
        self._start = file.tell()
        self._count = count_tokens or counter(core.tokenizer)[1] if self._counts_differ else count_tokens

    def run(self) -> int:
        """Check every line, then write; return how many versions were written."""
        lines = 0
        for line in self._lines(0):
            self._is_present(line)
            lines += 1
        if lines != self._header.versions:
            raise ImportFormatError(
                f"{self._name}: the header promises {self._header.versions} versions, {lines} follow"
            )
        return sum(self._write(batch) for batch in self._batches())

    @property
    def _counts_differ(self) -> bool:
        return self._header.tokenizer != self._core.tokenizer

    def _read_header(self) -> Header:
        header = header_of(self._file)
        there, here = (header.embedder, header.dim), (self._core.embedder, self._core.dim)
        if header.embeddings and there != here:
            raise EmbedderMismatch(
                f"{self._name} holds embeddings of {there[0]!r} with dimension {there[1]}, the store {self._core.path} "
                f"has {here[0]!r} with {here[1]}: import into a store of that embedder and reembed it, or export with "
                "embeddings=False so that the texts are embedded again"
            )
        return header

    def _lines(self, bytes_before: int) -> Iterator[_Line]:
        """Read every line: well formed, in order, without gaps between a memory's versions, and past the guard."""
        before: Record | None = None
        for number in count(2):
            try:
                text = _next_line(self._file)
                if not text:
                    break
                record, vector = read_version(text, self._header.dim if self._header.embeddings else None)
                _check_order(before, record)
            except ValueError as error:
                raise _format_error(self._name, number, error) from None
            before = record
            yield self._admitted(_Line(number, len(text), record, vector))
            if self._progress is not None and number % _BATCH == 0:
                self._progress(bytes_before + self._file.tell(), 2 * self._size)
        if self._progress is not None:
            self._progress(bytes_before + self._size, 2 * self._size)

    def _admitted(self, line: _Line) -> _Line:
        """Apply the guard as `remember` does; a content that was redacted needs another vector and other tokens."""
        record, vector = line.record, line.vector
        told = {"content": record.content, "source": record.source, "tags": list(record.extra.tags)}
        screened = self._guard.screen_all({**told, "metadata": record.extra.metadata})
        reason = screened.reason if screened.refused else self._names_refused(record)
        if reason:
            raise SecretRefused(f"{self._name}, line {line.number}: nothing was imported: the memory {reason}")
        state = record.state._replace(importance=self._guard.capped(record.state.importance, record.state.trust))
        if screened.reason is None and not self._counts_differ and state == record.state:
            return line
        clean = screened.content
        extra = record.extra._replace(tags=tuple(clean["tags"]), metadata=clean["metadata"])
        changed = replace(record, content=clean["content"], source=clean["source"], extra=extra, state=state)
        if changed.content != record.content:
            vector = None
        if self._count is not None and (self._counts_differ or vector is None):
            changed.tokens = self._count(changed.content)
        return line._replace(record=changed, vector=vector)

    def _names_refused(self, record: Record) -> str | None:
        extra = record.extra
        return self._guard.refusal_of_names(
            scope=record.scope,
            kind=record.kind,
            id=extra.id,
            name=extra.name,
            links=texts_of(extra.links),
            supersedes=extra.supersedes,
        )

    def _is_present(self, line: _Line) -> bool:
        """Tell whether the store has this version already; raises where it has something else under its id."""
        record = line.record
        if not self._core.contains(record.key):
            return False
        history = self._core.history(record.key)
        same = (record.version, record.content, record.scope, record.kind)
        for there in (record_of(history[i]) for i in range(len(history))):
            if (there.version, there.content, there.scope, there.kind) == same:
                return True
        raise ImportFormatError(
            f"{self._name}, line {line.number}: the store {self._core.path} has the memory {record.public_id!r} "
            "already, with other content: import into another store, or forget it first"
        )

    def _batches(self) -> Iterator[list[_Line]]:
        """Read the file again, in batches that never part the versions of a memory."""
        self._file.seek(self._start)
        batch: list[_Line] = []
        size = 0
        for line in self._lines(self._size):
            if (len(batch) >= _BATCH or size >= _BATCH_BYTES) and line.record.key != batch[-1].record.key:
                yield batch
                batch, size = [], 0
            batch.append(line)
            size += line.size
        if batch:
            yield batch

    def _write(self, batch: list[_Line]) -> int:
        vectors = self._vectors(batch)
        self._core.begin()
        try:
            # Asked again under the lock: another writer may have imported the same file since the first pass.
            missing = [i for i, line in enumerate(batch) if not self._is_present(line)]
            if missing:
                self._core.write([version_of(batch[i].record) for i in missing], vectors[missing])
        finally:
            self._core.end()
        return len(missing)

    def _vectors(self, batch: list[_Line]) -> Vectors:
        """Return (batch, dim): the file's vectors, and those of the texts that came without."""
        vectors = np.zeros((len(batch), self._core.dim), np.float32)
        without = [i for i, line in enumerate(batch) if line.vector is None]
        if without:
            vectors[without] = self._embed([batch[i].record.content for i in without])
        for position, line in enumerate(batch):
            if line.vector is not None:
                vectors[position] = line.vector
        return vectors


def header_of(file: IO[bytes]) -> Header:
    """Read the first line of an export; raises ImportFormatError."""
    try:
        return read_header(_next_line(file))
    except ValueError as error:
        raise _format_error(_name(file), 1, error) from None


def _name(file: IO[bytes]) -> str:
    return os.path.basename(file.name)  # noqa: PTH119  (a name to show, no path to use)


def _next_line(file: IO[bytes]) -> bytes:
    """Return the next line, empty at the end; raises ValueError, having read little, for one without an end."""
    pieces: list[bytes] = []
    while piece := file.readline(_PIECE):
        if b"\0" in piece:
            raise ValueError("it is no JSON in UTF-8")
        pieces.append(piece)
        if piece.endswith(b"\n"):
            break
        if len(pieces) * _PIECE > _LONGEST_LINE:
            raise ValueError(f"it is longer than {_LONGEST_LINE} bytes")
    return b"".join(pieces)


def _format_error(name: str, number: int, error: Exception) -> ImportFormatError:
    return ImportFormatError(f"{name}, line {number}: {error}")


def _check_order(before: Record | None, record: Record) -> None:
    """Raise ValueError unless the line follows the one before by id and version, and a memory's times meet."""
    if before is None or before.public_id < record.public_id:
        return
    if (before.public_id, before.version) >= (record.public_id, record.version):
        raise ValueError("the lines are not sorted by id and version, or one is there twice")
    if before.scope != record.scope:
        raise ValueError("field 'scope': it must be that of the version before")
    if not before.state.flags & SUPERSEDED or before.state.valid_until != record.valid_from:
        raise ValueError("field 'valid_from': it must be when the version before was superseded and ended")
