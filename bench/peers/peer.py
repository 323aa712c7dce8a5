"""What a peer's adapter offers: one small class a peer, in a process of its own.

An adapter is made for a folder of its own and a set (`bench.data.Data`). A memory is named by its position in the set
throughout; an adapter keeps what it needs to give positions back. `fill` puts every memory in and leaves everything on
disk that `open` needs, in another process, to answer. What a peer cannot do raises `NotOfferedError` with the reason,
which is what its row then says.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from bench.data import Data


class NotOfferedError(Exception):
    """The peer cannot do that; the message says why in one line."""


class Found(NamedTuple):
    """An answer, best first. `similarities` are exact cosines, or None where the peer gives none."""

    positions: np.ndarray
    similarities: np.ndarray | None = None


class Peer(Protocol):
    """The protocol. `ranks` is "four signals", "similarity" (a second row reranks it) or "its own"."""

    stored_as: ClassVar[str] = ""  # peers of one such name read what the first of them filled
    needs: ClassVar[tuple[str, ...]] = ()  # distributions; the first one's version is shown
    ranks: ClassVar[str] = "similarity"
    keeps: ClassVar[str] = ""  # what of an acknowledged write is lost with the process, and with the power
    shared_by_processes: ClassVar[bool] = False  # whether another process may write what this one reads
    efforts: ClassVar[tuple[int, ...]] = ()  # an approximate index: how many times the pool it may look at
    largest: ClassVar[int] = 100_000_000  # memories it is tried with, where a limit of its own is known

    def __init__(self, folder: Path, data: Data) -> None:
        self.folder = folder
        self.data = data

    @classmethod
    def version(cls) -> str:
        return version(cls.needs[0])

    @classmethod
    def build(cls) -> str:
        """Return what a filled store depends on: one of another build is filled anew."""
        return cls.version()

    @abstractmethod
    def fill(self) -> None:
        """Put every memory in, in batches where there are any, and leave it on disk."""

    @abstractmethod
    def open(self) -> None:
        """Make the filled folder ready to answer."""

    @abstractmethod
    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> Any:
        """Return the peer's own answer for a vector, of one scope or of all: this call is what is timed."""

    def ask_text(self, text: str, query: np.ndarray, limit: int) -> Any:
        """The same for a question of which both text and vector are known."""
        return self.ask(query, limit, None)

    @abstractmethod
    def found(self, answer: Any) -> Found:
        """Return what an answer names; timed where a rerank needs it."""

    def keep_ids(self, ids: list[str]) -> None:
        """Keep the ids that the peer gave the memories, in their order, beside the filled store."""
        (self.folder / "ids.json").write_text(json.dumps(ids))

    def kept_positions(self) -> dict[str, int]:
        """Return the position of each kept id."""
        return {each: at for at, each in enumerate(json.loads((self.folder / "ids.json").read_text()))}

    def set_effort(self, candidates: int) -> None:
        """Tell an approximate index how many candidates to look at."""

    def new_store(self) -> None:
        """Open an empty store in the folder, for `write`."""
        raise NotOfferedError("keeps nothing by itself: its user saves it whole")

    def write(self, position: int) -> None:
        """Commit one memory, its vector and content with it; a position past the end is a new one with old content."""
        raise NotOfferedError("keeps nothing by itself: its user saves it whole")

    def thread_searcher(self) -> Peer:
        """Return what one more thread asks; itself where threads may share it."""
        return self

    def close(self) -> None:
        """Give back what open or new_store took."""
