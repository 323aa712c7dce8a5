"""zvec: a flat index by inner product on one query thread; a scope is a filter on an inverted field."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import zvec

from bench.data import batches
from bench.peers.peer import Found, Peer

zvec.init(query_threads=1, optimize_threads=1, log_level=zvec.LogLevel.ERROR)


class Flat(Peer):
    needs: ClassVar[tuple[str, ...]] = ("zvec",)
    keeps: ClassVar[str] = "process and power: nothing, by its documentation (a write-ahead log)"

    def new_store(self) -> None:
        kind = zvec.DataType
        flat = zvec.FlatIndexParam(metric_type=zvec.MetricType.IP)
        schema = zvec.CollectionSchema(
            name="memories",
            fields=[
                zvec.FieldSchema("scope", kind.INT64, nullable=False, index_param=zvec.InvertIndexParam()),
                zvec.FieldSchema("content", kind.STRING, nullable=False),
            ],
            vectors=[zvec.VectorSchema("vector", kind.VECTOR_FP32, self.data.dimension, index_param=flat)],
        )
        self.collection = zvec.create_and_open(path=str(self.folder / "zvec"), schema=schema)

    def fill(self) -> None:
        self.new_store()
        for part in batches(self.data.count):
            for first in range(part.start, part.stop, 500):
                self._insert(range(first, min(first + 500, part.stop)))
        self.collection.optimize()
        self.collection.flush()
        self.collection.close()

    def _insert(self, positions: range) -> None:
        data = self.data
        said = self.collection.insert(
            [
                zvec.Doc(
                    id=str(i),
                    vectors={"vector": data.vector(i)},
                    fields={"scope": i % data.scopes, "content": data.content(i)},
                )
                for i in positions
            ]
        )
        for status in said:
            if not status.ok():
                raise RuntimeError(f"insert refused: {status.message()}")

    def write(self, position: int) -> None:
        self._insert(range(position, position + 1))

    def open(self) -> None:
        self.collection = zvec.open(path=str(self.folder / "zvec"))

    def ask(self, query: np.ndarray, limit: int, scope: int | None) -> Any:
        within = {} if scope is None else {"filter": f"scope = {scope}"}
        question = zvec.Query(field_name="vector", vector=query)
        return self.collection.query(question, topk=limit, output_fields=["scope"], **within)

    def found(self, answer: Any) -> Found:
        positions = np.array([int(document.id) for document in answer], np.int64)
        return Found(positions, np.array([document.score for document in answer]))

    def close(self) -> None:
        self.collection.close()
