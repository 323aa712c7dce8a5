"""lancedb: a table without an index, which is an exact scan by inner product; a scope is a `where` before it."""

from __future__ import annotations

from typing import Any, ClassVar

import lancedb
import numpy as np
import pyarrow

from bench.peers.peer import Found, Peer


class Lance(Peer):
    needs: ClassVar[tuple[str, ...]] = ("lancedb",)
    shared_by_processes: ClassVar[bool] = True
    keeps: ClassVar[str] = "process: nothing; power: not said by its documentation"

    def _rows(self, positions: range) -> pyarrow.Table:
        data = self.data
        vectors = pyarrow.array(np.array(data.vectors[positions.start % data.count :][: len(positions)]).ravel())
        return pyarrow.table(
            {
                "id": pyarrow.array(positions, pyarrow.int64()),
                "scope": pyarrow.array([i % data.scopes for i in positions], pyarrow.int64()),
                "content": pyarrow.array([data.content(i) for i in positions], pyarrow.string()),
                "vector": pyarrow.FixedSizeListArray.from_arrays(vectors, data.dimension),
            }
        )

    def new_store(self) -> None:
        self.table = lancedb.connect(str(self.folder / "lance")).create_table("memories", self._rows(range(0)))

    def fill(self) -> None:
        self.new_store()
        for first in range(0, self.data.count, 50_000):
            self.table.add(self._rows(range(first, min(first + 50_000, self.data.count))))
        if self.data.scopes > 1:
            self.table.create_scalar_index("scope")

    def write(self, position: int) -> None:
        self.table.add(self._rows(range(position, position + 1)))

    def open(self) -> None:
        self.table = lancedb.connect(str(self.folder / "lance")).open_table("memories")

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> Any:
        search = self.table.search(query).distance_type("dot").limit(limit).select(["id", "_distance"])
        return (search if scope is None else search.where(f"scope = {scope}", prefilter=True)).to_arrow()

    def found(self, answer: Any) -> Found:
        return Found(answer["id"].to_numpy(), 1 - answer["_distance"].to_numpy())
