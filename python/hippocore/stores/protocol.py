"""What a store is to the layer above it: exactly the methods of the native core, on plain values.

Times are integer microseconds since 1970 (UTC), ids are 16 bytes, scopes are their text form (`hippocore.scopes`). A
store decides nothing by itself: it keeps versions, finds and ranks them. Every method may be called from any thread and
raises the exceptions of `hippocore.errors`.
"""

# ruff: noqa: D102  (the native core's stub documents each method)

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol, TypedDict

import numpy as np

NEVER: Final = (1 << 63) - 1  # an expiry or an end that does not come
UNSET: Final = -(1 << 63)  # no event time, not archived
LARGEST_COUNT: Final = (1 << 32) - 1  # of uses, tokens and versions; a use beyond it is no longer counted
SPACING: Final = 86_400_000_000  # a use this long after the one before, or after the creation, is a spaced one

WRITTEN: Final = 1
SUPERSEDED: Final = 2
FORGOTTEN: Final = 4
ARCHIVED: Final = 8
QUARANTINED: Final = 16

TRUST: Final = {"untrusted": 0, "unverified": 1, "trusted": 2}
TRUST_NAMES: Final = tuple(TRUST)

StateTuple = tuple[float, float, float, int, int, int, int, int, int, int]
VersionTuple = tuple[
    bytes, str, str, str, int, int, int, int, int, int, int, StateTuple, str, bytes, Sequence[bytes], bytes
]
RowTuple = tuple[bytes, str, bytes, str, str, str, int, int, int, int, int, StateTuple]
SignalsTuple = tuple[float, float, float, float, float, float, float, str]
QueryTerms = tuple[Sequence[int], Sequence[int]]
Period = tuple[int, int]
Vectors = np.ndarray[Any, np.dtype[np.float32]]  # numpy.typing takes long to import
Moments = np.ndarray[Any, np.dtype[np.int64]]
Keys = Sequence[bytes] | np.ndarray[Any, np.dtype[np.uint8]]  # an array: (n, 16)


class State(NamedTuple):
    """The values of a version that change after it was written: a StateTuple with names.

    `last_used` is the creation while there is no use; `stability` is 1 and the spaced uses.
    """

    importance: float
    confidence: float
    stability: float
    use_count: int
    flags: int
    trust: int
    last_used: int
    expires_at: int
    valid_until: int
    archived_at: int

    def used(self, now: int) -> State:
        """Return the state after one more use at a moment, as a store's `touch` leaves it."""
        return self._replace(
            use_count=min(self.use_count + 1, LARGEST_COUNT),
            last_used=max(now, self.last_used),
            stability=self.stability + (now - self.last_used >= SPACING),
        )


class Columns(TypedDict):
    """What upkeep decides by, of many memories: one value each, and the names that `scopes` and `kinds` number.

    Ids and tokens are not checked one by one: whoever changes a memory reads its row first.
    """

    keys: np.ndarray[Any, np.dtype[np.uint8]]  # (n, 16)
    scopes: np.ndarray[Any, np.dtype[np.uint32]]
    kinds: np.ndarray[Any, np.dtype[np.uint32]]
    created_at: Moments
    valid_from: Moments
    event_time: Moments
    last_used: Moments
    expires_at: Moments
    valid_until: Moments
    archived_at: Moments
    importance: np.ndarray[Any, np.dtype[np.float64]]
    confidence: Vectors
    stability: Vectors
    use_count: np.ndarray[Any, np.dtype[np.uint32]]
    tokens: np.ndarray[Any, np.dtype[np.uint32]]
    flags: np.ndarray[Any, np.dtype[np.uint8]]
    scope_names: list[str]
    kind_names: list[str]


class Rows(Protocol):
    """Memories copied out of a store: plain data that outlives it."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> RowTuple: ...
    def key(self, index: int, /) -> bytes:
        """Return the id of a row, also of one that raises CorruptStore."""

    def tokens(self) -> np.ndarray[Any, np.dtype[np.uint32]]:
        """Return the tokens of each."""

    def vectors(self) -> Vectors:
        """Return the vector of each; only of rows that were asked for with vectors."""


class Hits(Rows, Protocol):
    """Rows in the order of their score, with the signals that made it."""

    def signals(self, index: int, /) -> SignalsTuple:
        """Return (score, relevance, recency, importance, usage, similarity, lexical, what spoke most for it)."""

    def scores(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the score of each."""

    @property
    def confidence(self) -> float | None:
        """How surely what was asked for is stored, 0..1; None where the store cannot tell."""


class Store(Protocol):
    """A place that keeps the versions of memories. `hippocore._core` says what each method promises."""

    @property
    def path(self) -> str: ...
    @property
    def dim(self) -> int: ...
    @property
    def embedder(self) -> str: ...
    @property
    def tokenizer(self) -> str: ...
    @property
    def store_id(self) -> bytes: ...
    @property
    def read_only(self) -> bool: ...
    @property
    def discarded_bytes(self) -> int: ...

    @property
    def new_filter(self) -> Callable[..., Any]:
        """The store's own form of `_core.Filter`, with its keywords."""

    @property
    def new_weights(self) -> Callable[..., Any]:
        """The store's own form of `_core.Weights`, with its arguments."""

    def close(self) -> None: ...
    def begin(self) -> None: ...
    def end(self) -> None: ...
    def write(
        self,
        versions: Sequence[VersionTuple],
        vectors: Vectors | None,
        changes: Sequence[tuple[bytes, StateTuple]] = (),
        forgets: Keys = (),
        ended: Sequence[tuple[bytes, int]] = (),
    ) -> None: ...
    def find_duplicate(
        self,
        scope: str,
        kind: str,
        text_key: int,
        merge_key: int,
        vector: Vectors,
        threshold: float,
        trust: int,
        now: int,
    ) -> bytes | None: ...
    def touch(self, ids: Sequence[bytes], now: int) -> None: ...
    def contains(self, id: bytes) -> bool: ...
    def get(self, ids: Sequence[bytes]) -> Rows: ...
    def get_vectors(self, ids: Sequence[bytes]) -> Vectors: ...
    def history(self, id: bytes) -> Rows: ...
    def select(
        self, filter: Any, *, newest_first: bool = True, after: bytes | None = None, limit: int = -1
    ) -> Rows: ...
    def select_ids(self, filter: Any) -> list[bytes]: ...
    def columns(self, filter: Any) -> Columns: ...
    def extras(self, ids: Keys) -> list[bytes | None]: ...
    def count(self, filter: Any) -> int: ...
    def scopes(self, now: int) -> list[tuple[str, int]]: ...
    def versions(self, first_slot: int, limit: int, *, vectors: bool = False) -> tuple[Rows, int]: ...
    def recall(
        self,
        vector: Vectors | None,
        filter: Any,
        weights: Any,
        limit: int,
        min_relevance: float = ...,
        mode: str = ...,
        terms: QueryTerms | None = ...,
        *,
        period: Period | None = ...,
    ) -> Hits: ...
    def newest_event(self, filter: Any) -> int | None: ...
    def recall_many(
        self,
        vectors: Vectors,
        filter: Any,
        weights: Any,
        limit: int,
        min_relevance: float = ...,
        mode: str = ...,
        terms: Sequence[QueryTerms] | None = ...,
        periods: Sequence[Period | None] | None = ...,
    ) -> Sequence[Hits]: ...
    def recall_approximately(
        self, vector: Vectors | None, filter: Any, weights: Any, limit: int, min_relevance: float = ...
    ) -> Hits:
        """Answer as `recall`; it may leave out some of the best, and returns as many. MissingExtra if it cannot."""

    def build_approximate(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Wait until what `recall_approximately` searches knows every memory."""

    def searches_graph(self) -> bool:
        """Whether `recall_approximately` is in use, so that `build_approximate` is worth its time."""

    def become_worker(self) -> bool:
        """Whether this is now the one handle of all, in every process, that works on the store while it is idle."""

    def resign_worker(self) -> None:
        """Let another one become it."""

    def sequence(self) -> int:
        """Return a number that changes whenever somebody, here or elsewhere, has written."""

    def sync(self) -> None: ...
    def checkpoint(self) -> None: ...
    def compact(self) -> None: ...
    def reembed(self, embedder: str, vectors: Vectors) -> None: ...
    def backup(self, path: str) -> None: ...
    def verify(self, progress: Callable[[int, int], None] | None = None) -> dict[str, Any]: ...
    def stats(self) -> dict[str, int]: ...
