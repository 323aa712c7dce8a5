"""The native core, as Python sees it. Private: the public names are in `hippocore`.

Times are integer microseconds since 1970 (UTC); ids are 16 bytes; scopes are canonical text (see `hippocore.scopes`).
Every call releases the GIL while it works, may be made from any thread, and raises the exceptions of
`hippocore.errors`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hippocore.stores.protocol import Columns

FORMAT_VERSION: Final[int]
NEVER: Final[int]  # no expiry, no end
UNSET: Final[int]  # no event time, not archived

# State flags, and trust from least to most.
WRITTEN: Final[int]
SUPERSEDED: Final[int]
FORGOTTEN: Final[int]
ARCHIVED: Final[int]
QUARANTINED: Final[int]

def kernel_name() -> str: ...
def available_kernels() -> list[str]: ...

# Scoring on arrays (hippocore.scoring checks them): contiguous, finite, of shapes that belong together.
class PackStrategy:
    SCORE: Final[PackStrategy]
    DENSITY: Final[PackStrategy]
    BEST: Final[PackStrategy]

def cosine(query: NDArray[np.float32], vectors: NDArray[np.float32]) -> NDArray[np.float64]: ...
def fused_score(
    relevance: NDArray[np.float64],
    recency: NDArray[np.float64],
    importance: NDArray[np.float64],
    usage: NDArray[np.float64],
    weights: tuple[float, ...],  # of the four signals
) -> NDArray[np.float64]: ...
def best(scores: NDArray[np.float64], limit: int) -> NDArray[np.uint64]: ...
def pack(
    scores: NDArray[np.float64], tokens: NDArray[np.uint32], budget: int, strategy: PackStrategy
) -> NDArray[np.uint64]: ...

# (importance, confidence, stability, use_count, flags, trust, last_used, expires_at, valid_until, archived_at)
StateTuple = tuple[float, float, float, int, int, int, int, int, int, int]
# (id, scope, kind, source or "", created_at, valid_from, event_time or UNSET, text_key, merge_key, tokens, version,
#  state, content, extra, facets, terms)
VersionTuple = tuple[
    bytes, str, str, str, int, int, int, int, int, int, int, StateTuple, str, bytes, Sequence[bytes], bytes
]
# (id, content, extra, scope, kind, source or "", created_at, valid_from, event_time or UNSET, tokens, version, state)
RowTuple = tuple[bytes, str, bytes, str, str, str, int, int, int, int, int, StateTuple]
# (score, relevance, recency, importance, usage, similarity, lexical, what spoke most for it: "meaning", "words",
#  "neighbours", "date", or "" where nothing did or the recall is not hybrid)
SignalsTuple = tuple[float, float, float, float, float, float, float, str]
# Hashes (below 2**56) of a query's distinct terms, and of the labels that it may name: cpp/format/terms.h.
QueryTerms = tuple[Sequence[int], Sequence[int]]
# A time that a query asks about, for hybrid recalls: what happened in it, or near it, is preferred (from <= time < to).
Period = tuple[int, int]

class Filter:
    """Which versions take part. None means no condition; an empty list means that nothing passes it.

    Without `as_of`, live versions: not superseded, not expired at `now`. With it, the versions valid at that moment and
    not expired then; what was archived after it was not yet. Never a forgotten one. Archived or quarantined versions
    only when asked for; then only those.
    `since <= time < until`, where a version's time is its event time or else its creation.
    """

    def __init__(
        self,
        *,
        now: int,
        scopes: Sequence[str] | None = None,
        subtree: bool = False,
        kinds: Sequence[str] | None = None,
        source: str | None = None,
        any_facets: Sequence[bytes] | None = None,
        all_facets: Sequence[bytes] = (),
        any_links: Sequence[bytes] | None = None,  # facets of links: one at least, beside any_facets
        ids: Sequence[bytes] | NDArray[np.uint8] | None = None,  # an array: (n, 16)
        since: int | None = None,
        until: int | None = None,
        as_of: int | None = None,
        ended_by: int | None = None,  # instead: old versions that ended by then
        min_trust: int = 0,
        archived: bool = False,
        quarantined: bool = False,
        expired: bool = False,  # True: expired ones take part too (forget_where)
        superseded: bool = False,  # True: so do memories that another one superseded, by their newest version
    ) -> None: ...

class Weights:
    """Ranking in numbers. Half-lives in seconds; a kind without one uses `default_half_life`."""

    def __init__(
        self,
        relevance: float,
        recency: float,
        importance: float,
        usage: float,
        usage_saturation: float,
        half_lives: dict[str, float],
        default_half_life: float,
        recency_of: str,  # "last_used" | "created" | "event"
        lexical_weight: float = 0.5,  # 0..1, of a hybrid recall
        rrf_k: float | None = None,  # above 0: hybrid recall by reciprocal ranks instead
        k1: float = 0.9,  # 0 or more, of BM25
        b: float = 0.3,  # 0..1, of BM25
    ) -> None: ...

class Rows:
    """Memories copied out of the store: plain data that outlives it."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> RowTuple: ...  # CorruptStore where a text in it is no UTF-8
    def key(self, index: int) -> bytes: ...  # the row's id, whatever else is wrong with it
    def tokens(self) -> NDArray[np.uint32]: ...
    def vectors(self) -> NDArray[np.float32]: ...  # (n, dim); only from versions(vectors=True)

class Hits(Rows):
    def signals(self, index: int) -> SignalsTuple: ...
    def scores(self) -> NDArray[np.float64]: ...
    eligible: int
    scored_exactly: int
    confidence: float | None  # of a hybrid recall: 0..1, how surely what was asked for is stored

class Store:
    @staticmethod
    def open(
        path: str,
        *,
        create: bool,
        dim: int,  # 0: as the store remembers (StoreNotFound when it does not exist)
        embedder: str,  # "": as the store remembers; another name or dim raises EmbedderMismatch
        tokenizer: str,
        sync: str,
        read_only: bool,
        busy_timeout: float,
        threads: int = 1,  # that work on one recall, the caller's own included
    ) -> Store: ...
    @staticmethod
    def peek(path: str) -> tuple[int, str, str] | None:
        """(dim, embedder, tokenizer) that a store remembers, without opening it; None where there is no store."""
    path: str
    dim: int
    embedder: str
    tokenizer: str
    store_id: bytes
    read_only: bool
    discarded_bytes: int  # of an unfinished write found at opening
    def close(self) -> None:
        """Ends its threads too; a recall that is under way in another thread goes on to its end."""

    # Writing. begin() takes the writer's lock and catches up, end() gives it back; a write outside takes it by itself.
    def begin(self) -> None: ...
    def end(self) -> None: ...
    def write(
        self,
        versions: Sequence[VersionTuple],
        vectors: NDArray[np.float32] | None,  # (len(versions), dim)
        changes: Sequence[tuple[bytes, StateTuple]] = (),
        forgets: Sequence[bytes] | NDArray[np.uint8] = (),  # an array: (n, 16)
        ended: Sequence[tuple[bytes, int]] = (),
    ) -> None:
        """One entry of the log: all or nothing. Acknowledged as `sync` says.

        `ended`: an id and a moment each; its versions that ended by then are forgotten, never its newest one."""
    def find_duplicate(
        self,
        scope: str,
        kind: str,
        text_key: int,
        merge_key: int,
        vector: NDArray[np.float32],
        threshold: float,
        trust: int,
        now: int,
    ) -> bytes | None:
        """Id of the live memory of that scope, kind and trust with the same merge key that has the same text key or at
        least `threshold` cosine; the newest of several."""
    def touch(self, ids: Sequence[bytes], now: int) -> None:
        """Queues a use of each; written with the next write, within about a second, or at close."""

    # Reading.
    def contains(self, id: bytes) -> bool: ...
    def get(self, ids: Sequence[bytes]) -> Rows:
        """The newest version of each, in that order. Raises MemoryNotFound naming the first that is missing."""
    def get_vectors(self, ids: Sequence[bytes]) -> NDArray[np.float32]: ...
    def history(self, id: bytes) -> Rows:
        """Every version, oldest first; empty where there is none."""
    def select(self, filter: Filter, *, newest_first: bool = True, after: bytes | None = None, limit: int = -1) -> Rows:
        """Ordered by the memory's creation, then id. `after`: what follows that id in this order."""
    def select_ids(self, filter: Filter) -> list[bytes]:
        """In the order in which they were written."""
    def columns(self, filter: Filter) -> Columns:
        """One value a memory of what passes, in the order written; ids and tokens are not checked one by one."""
    def extras(self, ids: Sequence[bytes] | NDArray[np.uint8]) -> list[bytes | None]:
        """What is kept beside the newest version of each, None where there is none. Their vectors are not looked at."""
    def count(self, filter: Filter) -> int: ...
    def scopes(self, now: int) -> list[tuple[str, int]]:
        """(scope, live memories) of every scope with any, sorted."""
    def versions(self, first_slot: int, limit: int, *, vectors: bool = False) -> tuple[Rows, int]:
        """Up to `limit` versions that are not forgotten from that slot on, in the order written, and the slot to go on
        from (0 when done)."""
    def recall(
        self,
        vector: NDArray[np.float32] | None,
        filter: Filter,
        weights: Weights,
        limit: int,
        min_relevance: float = ...,  # -inf: no condition
        mode: str = "dense",  # | "lexical" | "hybrid"
        terms: QueryTerms | None = None,  # for the modes that read them
        # (generation, first slot beyond it, slots): of what passes, only these and those from that slot on are ranked;
        # everything is where they are of another generation, or give fewer than `limit`.
        candidates: tuple[int, int, NDArray[np.uint32]] | None = None,
        period: Period | None = None,
    ) -> Hits: ...
    def newest_event(self, filter: Filter) -> int | None:
        """The newest event time of what passes; None where nothing has one."""
    def eligible(self, filter: Filter) -> tuple[int, int, int, NDArray[np.uint64]]:
        """(generation, slots of the store, how many of them pass, which: bit i of word w is slot 64 w + i). A slot
        and its vector stay what they are in a generation."""
    def slot_vectors(self, first_slot: int, limit: int) -> tuple[int, NDArray[np.float32], NDArray[np.uint8]]:
        """(generation, vectors (n, dim), which are forgotten) of at most `limit` slots."""
    def keep_graph(self, generation: int, graph: bytes) -> bool:
        """Keeps the graph of an approximate search beside the store; False where its generation is gone."""
    def kept_graph(self, generation: int) -> bytes | None:
        """What was kept for the generation, whole; what it says is for the caller to check."""
    def recall_many(
        self,
        vectors: NDArray[np.float32],  # (n, dim)
        filter: Filter,
        weights: Weights,
        limit: int,
        min_relevance: float = ...,
        mode: str = "dense",
        terms: Sequence[QueryTerms] | None = None,  # for each vector
        periods: Sequence[Period | None] | None = None,  # for each of the terms
    ) -> list[Hits]:
        """What recall gives for each vector, all from one state of the store."""

    # Upkeep.
    def sync(self) -> None: ...
    def checkpoint(self) -> None: ...
    def compact(self) -> None:
        """New files without what was forgotten; when it returns the old ones are unlinked."""
    def reembed(self, embedder: str, vectors: NDArray[np.float32]) -> None:
        """New files with another dimension and embedder. Between begin() and end(); one vector for each of `versions`
        from slot 0 on."""
    def become_worker(self) -> bool:
        """Whether this handle is now the one of all, in every process, that works on the store while it is idle; it
        never waits."""
    def resign_worker(self) -> None:
        """Lets another handle become it; does nothing where this one is not. Closing does the same."""
    def backup(self, path: str) -> None: ...
    def verify(self, progress: Callable[[int, int], None] | None = None) -> dict[str, Any]:
        """{"memories": checked, "damaged": [(id bytes or None, what)], "bytes": read}."""
    def stats(self) -> dict[str, int]:
        """memories, versions (live and superseded), forgotten, scopes, slots, generation, epoch, sequence, log_bytes,
        disk_bytes."""
    def sequence(self) -> int:
        """A number that rises with everything that anybody writes, and with nothing else."""
