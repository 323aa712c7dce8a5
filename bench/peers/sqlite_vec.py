"""sqlite-vec: a `vec0` table with cosine distance, the scope its partition key, content in a table beside it."""

from __future__ import annotations

import sqlite3
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import sqlite_vec

from bench.data import batches
from bench.peers.peer import Found, NotOfferedError, Peer


def sqlite_with_extensions() -> ModuleType:
    """Return the standard library's sqlite3, or pysqlite3 where that was built without loadable extensions."""
    if hasattr(sqlite3.Connection, "enable_load_extension"):
        return sqlite3
    try:
        import pysqlite3
    except ModuleNotFoundError:
        raise NotOfferedError("this Python's sqlite3 loads no extensions; install pysqlite3-binary") from None
    return pysqlite3


class SqliteVec(Peer):
    needs: ClassVar[tuple[str, ...]] = ("sqlite-vec",)
    shared_by_processes: ClassVar[bool] = True
    keeps: ClassVar[str] = "process: nothing; power: the last commits may go (WAL, synchronous=NORMAL)"
    synchronous: ClassVar[str] = "NORMAL"

    def _connect(self) -> Any:
        sqlite = sqlite_with_extensions()
        connection = sqlite.connect(str(self.folder / "memories.db"), check_same_thread=False, isolation_level=None)
        connection.enable_load_extension(True)
        sqlite_vec.load(connection)
        connection.enable_load_extension(False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {self.synchronous}")
        return connection

    def _create(self) -> None:
        scoped = "scope INTEGER PARTITION KEY, " if self.data.scopes > 1 else ""
        chunk = ", chunk_size=104" if self.data.scopes > 1 else ""  # a chunk holds one scope's hundred, no empty room
        self.connection.execute(
            f"CREATE VIRTUAL TABLE vectors USING vec0({scoped}embedding FLOAT[{self.data.dimension}] "
            f"DISTANCE_METRIC=cosine{chunk})"
        )
        self.connection.execute("CREATE TABLE memories (id INTEGER PRIMARY KEY, content TEXT)")

    def _insert(self, positions: range) -> None:
        data, many = self.data, self.data.scopes > 1
        rows = [
            (i, i % data.scopes, data.vector(i).tobytes()) if many else (i, data.vector(i).tobytes()) for i in positions
        ]
        columns = "(rowid, scope, embedding) VALUES (?, ?, ?)" if many else "(rowid, embedding) VALUES (?, ?)"
        self.connection.execute("BEGIN")
        self.connection.executemany(f"INSERT INTO vectors{columns}", rows)
        self.connection.executemany("INSERT INTO memories VALUES (?, ?)", [(i, data.content(i)) for i in positions])
        self.connection.execute("COMMIT")

    def fill(self) -> None:
        self.new_store()
        for part in batches(self.data.count):
            self._insert(part)
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.close()

    def open(self) -> None:
        self.connection = self._connect()

    def new_store(self) -> None:
        self.connection = self._connect()
        self._create()

    def write(self, position: int) -> None:
        self._insert(range(position, position + 1))

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> list[tuple[int, float]]:
        within = "" if scope is None else f" AND scope = {scope}"
        question = f"SELECT rowid, distance FROM vectors WHERE embedding MATCH ? AND k = ?{within} ORDER BY distance"
        return self.connection.execute(question, (query.tobytes(), limit)).fetchall()

    def found(self, answer: list[tuple[int, float]]) -> Found:
        positions, distances = zip(*answer, strict=True)
        return Found(np.array(positions, np.int64), 1 - np.array(distances))

    def thread_searcher(self) -> Peer:
        other = SqliteVec(self.folder, self.data)
        other.open()
        return other

    def close(self) -> None:
        self.connection.close()


class SqliteVecSynced(SqliteVec):
    """The same with SQLite's own default: each commit is on the disk before the next."""

    keeps: ClassVar[str] = "process and power: nothing (WAL, SQLite's default synchronous=FULL)"
    synchronous: ClassVar[str] = "FULL"
