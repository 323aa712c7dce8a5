"""Maximal marginal relevance: what is like a memory that was taken before is worth less.

J. Carbonell and J. Goldstein, "The use of MMR, diversity-based reranking for reordering documents and producing
summaries", SIGIR 1998.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def diverse_scores(
    scores: npt.NDArray[np.float64], vectors: npt.NDArray[np.float32], diversity: float
) -> npt.NDArray[np.float64]:
    """Return marginal scores (n,) for scores (n,) and vectors (n, dim).

    Greedily, the best of what is left is taken: (1 - diversity) * score - diversity * its largest cosine to what was
    taken before (0 for the first). The values fall in the order of taking.
    """
    units = _units(vectors)
    base = (1.0 - diversity) * scores
    marginal = base.copy()
    likeness = np.zeros(len(scores))
    left = np.ones(len(scores), bool)
    for _ in range(len(scores)):
        values = base - diversity * likeness
        taken = int(np.argmax(np.where(left, values, -np.inf)))
        marginal[taken] = values[taken]
        left[taken] = False
        likeness = np.maximum(likeness, units @ units[taken])
    return marginal


def _units(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    wide = vectors.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    units: npt.NDArray[np.float64] = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0)
    return units
