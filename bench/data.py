"""The memories that every peer is given, their metadata, the questions, and the right answers.

A set lies in a folder as arrays that each process maps: vectors (n, d) f32, queries (q, d) f32, importance, created,
last_used (seconds), uses and kind (n). Memory i has content `memory i` unless the set has texts, and belongs to scope
`i % scopes`. Times lie within the 90 days before NOW; every twentieth memory older than ten days was found useful then,
once or three times, so that all four signals differ from one memory to the next.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.synthetic import BATCH, DAY, KINDS, NOW, created, synthetic

import numpy as np  # isort: skip  (after `synthetic`, which sets its threads)

HALF_LIVES = {"episode": 3, "fact": 30, "procedure": 90, "preference": 180}  # hippocore's own, in days
WEIGHTS = {"relevance": 0.5, "recency": 0.25, "importance": 0.15, "usage": 0.10}
SATURATION = 99
FEEDBACK_TIME = NOW - 10 * DAY
FEEDBACK_STEP = 0.05
PART = 50_000
_ARRAYS = ("vectors", "queries", "importance", "created", "last_used", "uses", "kind")


@dataclass(frozen=True)
class Data:
    """One set: see the top of this file. `name` says where the vectors come from."""

    name: str
    folder: Path
    scopes: int
    vectors: np.ndarray
    queries: np.ndarray
    importance: np.ndarray
    created: np.ndarray
    last_used: np.ndarray
    uses: np.ndarray
    kind: np.ndarray
    texts: list[str] | None = None
    questions: list[str] | None = None

    @property
    def count(self) -> int:
        return len(self.vectors)

    @property
    def dimension(self) -> int:
        return int(self.vectors.shape[1])

    def content(self, position: int) -> str:
        """Return its text; positions past the end repeat the set's texts and vectors as memories of their own."""
        return f"memory {position}" if self.texts is None else self.texts[position % self.count]

    def vector(self, position: int) -> np.ndarray:
        return self.vectors[position % self.count]

    def scope(self, position: int) -> str:
        return "default" if self.scopes == 1 else f"user:{position % self.scopes}"

    def eligible(self, scope: int | None) -> slice:
        """Return the positions of one scope, or all of them."""
        return slice(None) if scope is None else slice(scope, None, self.scopes)

    def half_lives(self, positions: slice | np.ndarray = slice(None)) -> np.ndarray:
        return np.array([HALF_LIVES[kind] * DAY for kind in KINDS])[self.kind[positions]]


def useful_positions(data_created: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the memories found useful at FEEDBACK_TIME: those told so once at least, and those told so twice more."""
    positions = np.arange(7, len(data_created), 20)
    positions = positions[data_created[positions] < FEEDBACK_TIME]
    return positions, positions[positions % 100 == 7]


def rest_of_score(data: Data, positions: slice | np.ndarray = slice(None)) -> np.ndarray:
    """Return what recency, importance and usage add to each score, in double precision."""
    age = NOW - data.last_used[positions]
    usage = np.minimum(1, np.log1p(data.uses[positions]) / np.log1p(SATURATION))
    return (
        WEIGHTS["recency"] * 0.5 ** (age / data.half_lives(positions))
        + WEIGHTS["importance"] * data.importance[positions]
        + WEIGHTS["usage"] * usage
    )


@dataclass(frozen=True)
class Truth:
    """The right answers of each query: the k-th best score (q,) and cosine (q,) in double precision, and all norms."""

    data: Data
    limit: int
    score: np.ndarray
    cosine: np.ndarray

    def share(self, query: int, positions: np.ndarray, *, fused: bool) -> float:
        """Return recall@limit: how many of the right answers are among these; a tie within 1e-6 is right too."""
        positions = np.unique(positions[: self.limit])
        cosines = _unit(self.data.vectors[positions]) @ _unit(self.data.queries[query])
        values = cosines
        least = self.cosine[query]
        if fused:
            values = WEIGHTS["relevance"] * np.maximum(cosines, 0) + rest_of_score(self.data, positions)
            least = self.score[query]
        return float((values >= least - 1e-6).sum()) / self.limit


def truth_of(data: Data, queries: int, limit: int, scope_of: dict[int, int] | None = None) -> Truth:
    """Score every eligible memory from its f32 vector, by numpy alone. `scope_of`: the scope each query asks in."""
    asked = _unit(data.queries[:queries])
    if scope_of is not None:
        pairs = [_best_in_scope(data, asked[q], scope_of[q], limit) for q in range(queries)]
        score, cosine = (np.array(column) for column in zip(*pairs, strict=True))
        return Truth(data, limit, score, cosine)
    rest = rest_of_score(data)
    best_scores, best_cosines = np.empty((queries, 0)), np.empty((queries, 0))
    for first in range(0, data.count, PART):
        cosines = asked @ _unit(data.vectors[first : first + PART]).T
        scores = WEIGHTS["relevance"] * np.maximum(cosines, 0) + rest[first : first + PART]
        best_scores = _top(np.hstack([best_scores, scores]), limit)
        best_cosines = _top(np.hstack([best_cosines, cosines]), limit)
    return Truth(data, limit, best_scores.min(axis=1), best_cosines.min(axis=1))


def _best_in_scope(data: Data, query: np.ndarray, scope: int, limit: int) -> tuple[float, float]:
    eligible = data.eligible(scope)
    cosines = _unit(data.vectors[eligible]) @ query
    scores = WEIGHTS["relevance"] * np.maximum(cosines, 0) + rest_of_score(data, eligible)
    return _top(scores[None], limit).min(), _top(cosines[None], limit).min()


def _top(values: np.ndarray, limit: int) -> np.ndarray:
    return values if values.shape[1] <= limit else np.partition(values, -limit, axis=1)[:, -limit:]


def _unit(vectors: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(vectors.astype(np.float64), axis=-1, keepdims=True)
    return vectors / np.where(norms == 0, 1, norms)


def make(folder: Path, count: int, dimension: int, *, scopes: int = 1, queries: int = 300) -> Data:
    """Return the synthetic set of that size, from the folder where it is there already."""
    name = f"synthetic-{count}x{dimension}-{scopes}"
    if not (folder / name / "about.json").exists():
        drawn = synthetic(count, dimension, queries)
        save(folder / name, "synthetic clusters", drawn.vectors, drawn.queries, scopes=scopes)
    return load(folder / name)


def save(
    folder: Path,
    name: str,
    vectors: np.ndarray,
    queries: np.ndarray,
    *,
    scopes: int = 1,
    texts: list[str] | None = None,
    questions: list[str] | None = None,
) -> None:
    """Write a set: the vectors given, the metadata drawn from a seed."""
    folder.mkdir(parents=True, exist_ok=True)
    count = len(vectors)
    parts = list(batches(count))
    when = np.concatenate([np.full(len(part), created(at, len(parts))) for at, part in enumerate(parts)])
    importance, last_used, uses = np.random.default_rng(5).random(count), when.copy(), np.zeros(count)
    once, again = useful_positions(when)
    for told in (once, again, again):
        uses[told] += 1
        importance[told] = np.minimum(1, importance[told] + FEEDBACK_STEP)
    last_used[once] = FEEDBACK_TIME
    arrays = (vectors, queries, importance, when, last_used, uses, np.arange(count) % len(KINDS))
    for array_name, array in zip(_ARRAYS, arrays, strict=True):
        np.save(folder / f"{array_name}.npy", array)
    about = {"name": name, "scopes": scopes, "texts": texts, "questions": questions}
    (folder / "about.json").write_text(json.dumps(about))


def load(folder: Path) -> Data:
    arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r").view(np.ndarray) for name in _ARRAYS}
    return Data(folder=folder, **json.loads((folder / "about.json").read_text()), **arrays)


def first_importance(data: Data) -> np.ndarray:
    """Return the importance each memory is remembered with, before any feedback."""
    return np.random.default_rng(5).random(data.count)


def batches(count: int) -> Iterator[range]:
    """Yield the positions that are remembered together, and so share a time: at least twenty batches."""
    size = max(1, min(BATCH, count // 20))
    for first in range(0, count, size):
        yield range(first, min(first + size, count))
