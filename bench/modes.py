"""What words and neighbours add to a recall: `python bench/modes.py [count ...]`, 5,000 and 100,000 without counts.

The memories are sentences of the standard library's docstrings in their order, those of one docstring of one source,
again and again with a number where more are wanted; the local embedder makes the vectors. "store" is the native call
with vector and words ready; "whole" is `recall(text)`, which makes both, and "beside" what it takes more than the
embedding. The rows take turns, a call of each for every question.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from synthetic import machine, percentiles, timed

import numpy as np  # isort: skip  (after `synthetic`, which sets its threads)

from hippocore import MemoryLayer
from hippocore.cli.demo.docstrings import collect
from hippocore.filters import Conditions, recall_filter
from hippocore.lexical_terms import query_terms

BATCH = 5_000
EVERYTHING = Conditions("default", False, None, None, "any", None, None, None, None, None)


def sentences() -> list[tuple[str, str]]:
    """Return (source, sentence) for the sentences of five words or more."""
    found = []
    for number, text in enumerate(collect()):
        parts = " ".join(text.text.split()).split(". ")
        found += [(f"docstring {number}", part) for part in parts if part.count(" ") >= 4]
    return found


def items(texts: list[tuple[str, str]], count: int) -> Iterator[dict[str, Any]]:
    for i in range(count):
        again, place = divmod(i, len(texts))
        source, text = texts[place]
        more = f" {again}" if again else ""
        yield {"content": text + more, "source": source + more}


def filled(path: Path, texts: list[tuple[str, str]], count: int) -> MemoryLayer:
    memory = MemoryLayer(path, sync="off", embedder="local")
    waiting = list(items(texts, count))
    for first in range(0, count, BATCH):
        memory.remember_many(waiting[first : first + BATCH], merge=False)
    memory.checkpoint()
    return memory


def show(memory: MemoryLayer, questions: list[str], limit: int) -> None:
    """Print each row's times; the first questions are not counted."""
    handle = memory._handle
    store, weights, embed = handle.store, handle.weights, handle.embed
    everything = recall_filter(store, handle.now(), EVERYTHING)
    rows: dict[str, list[float]] = {}

    def note(name: str, milliseconds: float) -> None:
        rows.setdefault(name, []).append(milliseconds)

    for question in questions:
        vector, terms = embed([question])[0], query_terms(question)
        asked = (vector, everything, weights, limit)
        for mode in ("dense", "hybrid", "lexical"):
            least = () if mode == "dense" else (float("-inf"), mode, terms)
            note(f"store, {mode}", timed(lambda asked=asked, least=least: store.recall(*asked, *least))[0])
        embedding = timed(lambda question=question: embed([question]))[0]
        for mode in ("dense", "hybrid"):
            whole = timed(lambda question=question, mode=mode: memory.recall(question, limit=limit, mode=mode))[0]
            note(f"whole, {mode}", whole)
            note(f"whole, {mode}, beside the embedding", whole - embedding)
    dense, hybrid = (np.median(rows[f"store, {mode}"][len(questions) // 5 :]) for mode in ("dense", "hybrid"))
    for name, times in rows.items():
        print(f"  {name:38s} ms {percentiles(times[len(questions) // 5 :])}")
    print(f"  hybrid / dense, store: {hybrid / dense:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=[5_000, 100_000])
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--questions", type=int, default=500)
    given = parser.parse_args()
    print(machine())
    texts = sentences()
    shuffled = np.random.default_rng(3).permutation(len(texts))[: given.questions]
    questions = [texts[i][1] for i in shuffled]
    for count in given.counts:
        with tempfile.TemporaryDirectory() as folder, filled(Path(folder) / "store", texts, count) as memory:
            print(f"{count:,} sentences of {len(texts):,}, top {given.limit}, {len(questions)} questions")
            show(memory, questions, given.limit)


if __name__ == "__main__":
    main()
