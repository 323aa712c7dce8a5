"""The store that the C++ core keeps in a directory."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, Final

from hippocore import _core
from hippocore.deferred import Deferred

if TYPE_CHECKING:
    from collections.abc import Callable

    from hippocore.stores import approximate
    from hippocore.stores.protocol import Hits, Store, Vectors
else:
    approximate = Deferred("hippocore.stores.approximate")

SYNC_MODES: Final = ("full", "normal", "off")


class NativeStore:
    """`_core.Store` under the Store protocol; its methods are the core's own, with nothing in between.

    But for approximate recall, which needs a library that the core does not know.
    """

    new_filter = _core.Filter
    new_weights = _core.Weights

    def __init__(self, core: _core.Store) -> None:
        self._core = core
        self._graphs: dict[str, approximate.Approximate] = {}
        self.path = core.path
        self.store_id = core.store_id
        self.read_only = core.read_only
        self.discarded_bytes = core.discarded_bytes
        self.begin, self.end, self.write = core.begin, core.end, core.write
        self.find_duplicate, self.touch = core.find_duplicate, core.touch
        self.contains, self.get, self.get_vectors = core.contains, core.get, core.get_vectors
        self.history, self.select, self.select_ids = core.history, core.select, core.select_ids
        self.extras = core.extras
        self.columns, self.count, self.scopes, self.versions = core.columns, core.count, core.scopes, core.versions
        self.recall, self.recall_many, self.newest_event = core.recall, core.recall_many, core.newest_event
        self.sync, self.checkpoint, self.compact = core.sync, core.checkpoint, core.compact
        self.reembed, self.backup, self.verify, self.stats = core.reembed, core.backup, core.verify, core.stats
        self.become_worker, self.resign_worker, self.sequence = core.become_worker, core.resign_worker, core.sequence

    def close(self) -> None:
        """Let the store go; idempotent."""
        for graph in self._graphs.values():
            graph.close()
        self._core.close()

    def recall_approximately(
        self, vector: Vectors | None, filter: Any, weights: Any, limit: int, min_relevance: float = -inf
    ) -> Hits:
        """Answer as `recall`, without what a graph of the vectors does not lead to; never with fewer."""
        return self._graph().recall(vector, filter, weights, limit, min_relevance)

    def build_approximate(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Wait until that graph knows every memory."""
        self._graph().build(progress)

    def searches_graph(self) -> bool:
        """Whether this handle was asked approximately, or a graph is kept, and hnswlib is there to make one of all."""
        from importlib.util import find_spec

        if not find_spec("hnswlib"):
            return False
        return bool(self._graphs) or self._core.kept_graph(self._core.stats()["generation"]) is not None

    def _graph(self) -> approximate.Approximate:
        found = self._graphs.get("vectors")
        return found or self._graphs.setdefault("vectors", approximate.Approximate(self._core))  # one, whoever is first

    @property
    def dim(self) -> int:
        """The dimension of its vectors; `reembed` may change it."""
        return self._core.dim

    @property
    def embedder(self) -> str:
        """The name of the embedder that made its vectors."""
        return self._core.embedder

    @property
    def tokenizer(self) -> str:
        """The name of the counter that made its token counts."""
        return self._core.tokenizer


def open_native(path: str, **options: Any) -> Store:
    """Open the store directory with `_core.Store.open`'s options."""
    return NativeStore(_core.Store.open(path, **options))


def peek_native(path: str) -> tuple[int, str, str] | None:
    """Return (dim, embedder, tokenizer) of a store without opening it, or None where there is none."""
    return _core.Store.peek(path)
