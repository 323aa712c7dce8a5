"""Where the microseconds of a recall, a write and a context go: `python bench/share.py [count]`.

Each row is the least and the median of 30 rounds' means, on a warm store; "beside" is a difference of two rows. "store"
is the native call with ready-made arguments; "no one eligible" is the same call under a filter that no memory meets:
the conversion of arguments and result, and the snapshot. So "beside the scan" is what Python takes, plus that.
"""

from __future__ import annotations

import argparse
import logging  # noqa: F401  (a listener is looked for only where it is imported)
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from synthetic import Synthetic, fill, machine, synthetic

import numpy as np  # isort: skip  (after `synthetic`, which sets its threads)

from hippocore import MemoryLayer, Scored, events
from hippocore.drafts import Draft, refusal
from hippocore.filters import Conditions, recall_filter
from hippocore.handle import Handle
from hippocore.identifiers import new_keys
from hippocore.lexical_terms import document_terms
from hippocore.terms import merge_keys
from hippocore.vectors import checked_vector

ROUNDS = 30
LIMIT = 20
POOL = 200
CONTENT = "The staging database moved to another host; ask before it is restarted."
Work = Callable[[], Any]


def measured(works: dict[str, Work], calls: int) -> dict[str, np.ndarray]:
    """Print and return each work's least and median time of a call in microseconds; the works take turns."""
    means: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            start = time.perf_counter()
            for _ in range(calls):
                work()
            means[name].append((time.perf_counter() - start) / calls * 1e6)
    return {name: show(name, np.array([min(times), np.median(times)])) for name, times in means.items()}


def show(name: str, least_and_median: np.ndarray) -> np.ndarray:
    print(f"  {name:48s} least {least_and_median[0]:9.2f}   p50 {least_and_median[1]:9.2f}")
    return least_and_median


def conditions(scope: Any) -> Conditions:
    return Conditions(scope, False, None, None, "any", None, None, None, None, None)


def recall_shares(memory: MemoryLayer, handle: Handle, query: np.ndarray) -> None:
    store, weights, shares = handle.store, handle.weights, handle.ranking.weights
    everyone, nobody = (recall_filter(store, handle.now(), conditions(scope)) for scope in ("default", []))
    found = store.recall(query, everyone, weights, LIMIT)
    works: dict[str, Work] = {
        "whole": lambda: memory.recall(embedding=query, limit=LIMIT),
        "store": lambda: store.recall(query, everyone, weights, LIMIT),
        "store, no one eligible": lambda: store.recall(query, nobody, weights, LIMIT),
        "  the query checked": lambda: checked_vector(query, len(query)),
        "  the clock read": handle.now,
        "  the filter made": lambda: recall_filter(store, 0, conditions("default")),
        "  a listener looked for": events.began,
        "  the hits made": lambda: [Scored(found, i, shares) for i in range(LIMIT)],
        "each memory, when it is looked at": lambda: Scored(found, 0, shares).memory,
        "each score, when it is looked at": lambda: Scored(found, 0, shares).score,
    }
    print(f"recall(embedding=…, limit={LIMIT})")
    times = measured(works, 200)
    show("beside the scan", times["whole"] - times["store"] + times["store, no one eligible"])


def context_shares(memory: MemoryLayer, handle: Handle, query: np.ndarray) -> None:
    store, everyone = handle.store, recall_filter(handle.store, handle.now(), conditions("default"))
    works: dict[str, Work] = {
        "whole": lambda: memory.context(embedding=query, pool=POOL, touch=False),
        "store": lambda: store.recall(query, everyone, handle.weights, POOL),
    }
    print(f"context(embedding=…, pool={POOL}, touch=False)")
    times = measured(works, 10)
    show("beside the store", times["whole"] - times["store"])


def write_shares(memory: MemoryLayer, handle: Handle, vector: np.ndarray) -> None:
    numbers = iter(range(1_000_000))
    draft = Draft(CONTENT, embedding=vector)
    draft.text_key, draft.merge_key = merge_keys(draft.scope, draft.kind, draft.content)
    draft.terms = document_terms(CONTENT)
    draft.tokens = handle.count_tokens(CONTENT)

    def write() -> None:
        now = handle.now()
        handle.store.write([draft.version(new_keys(1, now)[0], now)], vector[np.newaxis])

    works: dict[str, Work] = {
        "whole, merge=False": lambda: memory.remember(CONTENT, embedding=vector, merge=False),
        "whole, merge=True": lambda: memory.remember(f"{CONTENT} {next(numbers)}", embedding=vector),
        "store, a ready draft": write,
        "  the arguments checked": lambda: Draft(CONTENT, embedding=vector),
        "  the vector checked": lambda: checked_vector(vector, len(vector)),
        "  the guard asked": lambda: refusal(draft, handle.guard),
        "  the keys made": lambda: merge_keys(draft.scope, draft.kind, CONTENT),
        "  the terms made": lambda: document_terms(CONTENT),
    }
    print("remember(…, embedding=…)")
    times = measured(works, 100)
    show("beside the store", times["whole, merge=False"] - times["store, a ready draft"])


def run(data: Synthetic, path: Path) -> None:
    with fill(path, data) as memory:
        handle = memory._session.handle()
        recall_shares(memory, handle, data.queries[0])
        context_shares(memory, handle, data.queries[0])
        write_shares(memory, handle, data.queries[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1_000)
    parser.add_argument("--dimension", type=int, default=384)
    options = parser.parse_args()
    print(machine())
    print(f"{options.count:,} memories, d = {options.dimension}; microseconds")
    with tempfile.TemporaryDirectory() as folder:
        run(synthetic(options.count, options.dimension, 1), Path(folder) / "share.mem")


if __name__ == "__main__":
    main()
