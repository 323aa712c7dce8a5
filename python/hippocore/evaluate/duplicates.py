"""The similarity from which two texts may be called duplicates, by pairs of which it is known whether they are.

`threshold_of` is how the built-in embedders' own thresholds were found (`bench/duplicate_threshold.py`). The pairs of a
user are JSON Lines, each of them one pair:

    {"a": "The staging host is db1.", "b": "Staging host: db1", "same": true}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from hippocore.embedders import resolve
from hippocore.embedders.protocol import ResolvedEmbedder
from hippocore.evaluate.fields import flag, record, refuse_others, required, text

PERCENTILES: Final = (1, 5, 50, 95, 99)
_FIELDS: Final = ("a", "b", "same")
_MISSED: Final = 5  # of 100 duplicates


class Pair(NamedTuple):
    """Two texts, and whether they say the same; its repr shows neither."""

    a: str
    b: str
    same: bool

    def __repr__(self) -> str:
        return f"Pair(same={self.same})"


class Spread(NamedTuple):
    """The similarities of some pairs: how many, at PERCENTILES, and the share that reaches the threshold."""

    pairs: int
    percentiles: tuple[float, ...]
    reach: float


class Threshold(NamedTuple):
    """The cosine from which two texts may be duplicates, and how those that are and those that are not lie to it."""

    threshold: float
    same: Spread
    different: Spread


def threshold_of(same: Sequence[float], different: Sequence[float]) -> Threshold:
    """Return the cosine that 95 of 100 duplicates reach, but not below what half of the others reach.

    Rounded down to 0.01, within 0 and 1. It is a first sieve: merging also compares the words, so that what differs in
    meaning above it is not merged, while a duplicate below it never gets its chance. Raises ValueError without any of
    either.
    """
    if not len(same) or not len(different):
        raise ValueError("a threshold needs pairs that say the same, and pairs that do not")
    least = max(float(np.percentile(same, _MISSED)), float(np.median(different)))
    threshold = min(1.0, max(0.0, float(np.floor(least * 100) / 100)))
    return Threshold(threshold, _spread(same, threshold), _spread(different, threshold))


def threshold_of_pairs(pairs: Sequence[Pair], embedder: ResolvedEmbedder) -> Threshold:
    """Return the threshold of an embedder by pairs; raises as `threshold_of` does."""
    cosines = similarities([pair.a for pair in pairs], [pair.b for pair in pairs], embedder)
    told = list(zip(pairs, cosines, strict=True))
    return threshold_of([near for pair, near in told if pair.same], [near for pair, near in told if not pair.same])


def similarities(texts: Sequence[str], others: Sequence[str], embedder: ResolvedEmbedder) -> list[float]:
    """Return the cosine of each text to the one at its place in the others; 0 where a vector has no direction."""
    if not texts:
        return []
    a, b = (embedder(list(some)).astype(np.float64) for some in (texts, others))
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    sums = np.einsum("ij,ij->i", a, b)
    found: list[float] = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0).tolist()
    return found


def embedder_of(word: str) -> ResolvedEmbedder:
    """Return a built-in embedder by its word."""
    embedder = resolve(word)
    assert embedder is not None, "only None is none"
    return embedder


def read_pairs(path: Path) -> list[Pair]:
    """Return the pairs of a file; raises OSError, and ValueError naming file, line and field, never with content."""
    try:
        return _pairs(path.read_text(encoding="utf-8-sig").split("\n"))
    except UnicodeDecodeError:
        message = f"{path}: it is not UTF-8"
    except ValueError as error:
        message = f"{path}: {error}"
    raise ValueError(message)  # outside of the handler: a parser's exception carries the text


def _pairs(lines: Iterable[str]) -> list[Pair]:
    pairs = [_pair(record(_parsed(line, number), where), where) for number, line, where in _numbered(lines)]
    if not any(pair.same for pair in pairs) or all(pair.same for pair in pairs):
        raise ValueError("it needs pairs with 'same' true, and pairs with 'same' false")
    return pairs


def _numbered(lines: Iterable[str]) -> Iterable[tuple[int, str, str]]:
    return ((number, line, f"line {number}") for number, line in enumerate(lines, 1) if line.strip())


def _pair(fields: Any, where: str) -> Pair:
    refuse_others(fields, _FIELDS, where)
    required(fields, "same", where)
    return Pair(text(fields, "a", where), text(fields, "b", where), flag(fields, "same", where))


def _parsed(line: str, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        message = f"line {number} is not JSON: each line must be one object"
    raise ValueError(message)  # outside of the handler, as above


def _spread(cosines: Sequence[float], threshold: float) -> Spread:
    values = np.asarray(cosines, np.float64)
    percentiles = tuple(np.percentile(values, PERCENTILES).tolist())
    return Spread(len(values), percentiles, float(np.mean(values >= threshold)))
