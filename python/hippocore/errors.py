"""Every exception that hippocore raises by itself; a message names the store or id and never holds memory content."""
# ruff: noqa: N818  (the names are the public contract)

from __future__ import annotations

import errno


class HippocoreError(Exception):
    """The root of all of them; beside it only ValueError and TypeError for bad arguments are raised."""


class HippocoreWarning(UserWarning):
    """An answer was given without something that was asked for, such as a reranker that failed."""


class StoreNotFound(HippocoreError, FileNotFoundError):
    """There is no store at that path, and the call was not allowed to create one."""


class StoreClosed(HippocoreError):
    """The handle was closed; open the store again."""


class StoreBusy(HippocoreError, TimeoutError):
    """Another writer held the store for longer than `busy_timeout`; nothing was written."""


class StoreFull(HippocoreError, OSError):
    """The disk is full; what was there before stays, and writing works again once there is space."""


class StoreFailure(HippocoreError, OSError):
    """The system refused or failed: no right to the files, a link or another user's file among them, a failing disk."""


class FileMissing(StoreFailure, FileNotFoundError):
    """There is no file of that name to import, or no folder to export into."""


class FileDenied(StoreFailure, PermissionError):
    """The system gives no right to read the file to import, or to write where the export is to go."""


class CorruptStore(HippocoreError):
    """A checksum or a length on disk is wrong; `verify` names what is damaged."""


class StoreVersionError(HippocoreError):
    """The store was written by a newer release than this one."""


class EmbedderError(HippocoreError):
    """An embedder is missing, failed, or returned something that is not what it promised."""


class ChatError(HippocoreError):
    """A server of a language model could not be asked, or did not answer with a text."""


class EmbedderMissing(EmbedderError, ValueError):
    """A text has to be embedded and there is no embedder; pass `embedding=`, or ask with `mode="lexical"`."""


class MissingExtra(HippocoreError, ImportError):
    """A package that the call needs is not installed; the message says which extra brings it."""


class EmbedderMismatch(HippocoreError, ValueError):
    """The store was made with another embedder or dimension; open it with that one, or `reembed` it."""


class DimensionMismatch(HippocoreError, ValueError):
    """A vector does not have the store's dimension."""


class InvalidVector(HippocoreError, ValueError):
    """A vector holds NaN or infinity, or a value that float32 cannot hold."""


class MemoryNotFound(HippocoreError, KeyError):
    """No such memory: it never was, was forgotten, or has expired."""

    def __str__(self) -> str:
        return Exception.__str__(self)  # KeyError would show the message's repr


class AccessDenied(HippocoreError, PermissionError):
    """The policy gives no right to that scope."""


class ReadOnlyStore(HippocoreError, PermissionError):
    """The handle was opened with `read_only=True`, or must be, since the store's files may not be written."""


class ForkedHandle(HippocoreError):
    """The handle was opened before `fork`; the child opens the store again."""


class SecretRefused(HippocoreError, ValueError):
    """The content holds what looks like a secret, and the guard was asked to raise."""


class ImportFormatError(HippocoreError, ValueError):
    """A line of an export cannot be read, or it is no file at all; the message names it."""


def place_of(error: BaseException) -> str:
    """Return " at file:line" of where a caller's function raised, "" where that is not Python; nothing that it said."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"


def failure_of(error: OSError, message: str) -> HippocoreError:
    """Return what the system refused or failed as an error of this tree, with that message and the system's number."""
    kind: type[StoreFailure | StoreFull] = StoreFailure
    if isinstance(error, FileNotFoundError):
        kind = FileMissing
    elif isinstance(error, PermissionError):
        kind = FileDenied
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        kind = StoreFull
    failure = kind(message)
    failure.errno = error.errno
    return failure
