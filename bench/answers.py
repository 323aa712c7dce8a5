"""Are the answers right? Recall beside double-precision numpy: `python bench/answers.py [set ...]`.

Each set is asked 1,000 queries on every kernel of the machine, top 40 of the four signals. An answer is right when it
has the same ids, others only where scores differ by less than 1e-6. What is scored from f32 is counted.

sentences   docstrings of the standard library and of every installed package, embedded with `local` (d = 256)
synthetic   100,000 clustered vectors, d = 384
near-ties   10,000 vectors within 1e-4 of each other, equal metadata
shared      20,000 vectors with one huge component in common
duplicates  20,000 vectors of which each stands four times
zeros       20,000 vectors, half of them zero; every tenth query is zero too
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from synthetic import NOW, Clock, machine, synthetic

import numpy as np  # isort: skip  (after `synthetic`, which sets its threads)

from hippocore import MemoryLayer, _core

LIMIT = 40
TOLERANCE = 1e-6
AGES = np.array([0.0, 3600.0, 86_400.0 * 3, 86_400.0 * 40])
HALF_LIFE = 86_400.0 * 30  # of a fact


def docstrings(path: Path) -> Iterator[str]:
    from hippocore.cli.demo.docstrings import collect

    for found in collect(path):
        yield found.text


def sentences(queries: int) -> tuple[np.ndarray, np.ndarray]:
    """Return vectors of real sentences (n, 256), each text once, and of `queries` others as questions."""
    from hippocore.embedders import resolve

    folders = [Path(sysconfig.get_path("stdlib")), *sorted(Path(sysconfig.get_path("purelib")).iterdir())]
    texts = list(dict.fromkeys(text for folder in folders if folder.is_dir() for text in docstrings(folder)))
    np.random.default_rng(3).shuffle(texts)
    embed = resolve("local")
    assert embed is not None
    vectors = np.concatenate([embed(texts[first : first + 1000]) for first in range(0, len(texts), 1000)])
    if len(vectors) < 20_000 + queries:
        raise SystemExit(f"only {len(vectors):,} sentences on this machine: install more packages with docstrings")
    return vectors[queries:], vectors[:queries]


def adversarial(name: str, queries: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    data = synthetic(20_000, 384, queries, seed=11)
    vectors, asked = data.vectors.copy(), data.queries.copy()
    if name == "near-ties":
        vectors = vectors[0] + 1e-4 * rng.standard_normal((10_000, 384), dtype=np.float32)
        asked = vectors[0] + 0.1 * rng.standard_normal((queries, 384), dtype=np.float32)
    elif name == "shared":
        vectors[:, 0] += 50
        asked[:, 0] += 50
    elif name == "duplicates":
        vectors = np.repeat(vectors[:5_000], 4, axis=0)
    else:
        vectors[::2] = 0
        asked[::10] = 0
    return vectors, asked


SETS: dict[str, Callable[[int], tuple[np.ndarray, np.ndarray]]] = {
    "sentences": sentences,
    "synthetic": lambda queries: synthetic(100_000, 384, queries)[::2],
    **{
        name: (lambda queries, name=name: adversarial(name, queries))
        for name in ("near-ties", "shared", "duplicates", "zeros")
    },
}


def store_of(path: Path, vectors: np.ndarray, metadata_varies: bool) -> np.ndarray:
    """Make a store of the vectors; returns what importance and recency add to each score."""
    rng = np.random.default_rng(9)
    importance = rng.random(len(vectors)) if metadata_varies else np.full(len(vectors), 0.5)
    group = rng.integers(0, len(AGES), len(vectors)) if metadata_varies else np.zeros(len(vectors), int)
    clock = Clock()
    with MemoryLayer(
        path, embedder=None, embedder_name="answers", dim=vectors.shape[1], sync="off", clock=clock
    ) as memory:
        for number, age in enumerate(AGES):
            clock.now = NOW - age
            of_group = np.flatnonzero(group == number)
            for first in range(0, len(of_group), 5_000):
                memory.remember_many(
                    [
                        {
                            "content": f"memory {i}",
                            "kind": "fact",
                            "importance": importance[i],
                            "embedding": vectors[i],
                            "id": f"{i:032x}",
                        }
                        for i in of_group[first : first + 5_000]
                    ],
                    merge=False,
                )
    return 0.25 * 0.5 ** (AGES[group] / HALF_LIFE) + 0.15 * importance


def unit(vectors: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(vectors.astype(np.float64), axis=-1, keepdims=True)
    return vectors / np.where(norms == 0, 1, norms)


def truth(vectors: np.ndarray, asked: np.ndarray, rest: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the double-precision scores of all memories for each query."""
    units = unit(vectors)
    for query in unit(asked):
        yield 0.5 * np.clip(units @ query, 0, 1) + rest


def wrong(scores: np.ndarray, positions: list[int]) -> bool:
    """Return whether these are not the top of the scores, in order."""
    expected = np.sort(scores)[::-1][:LIMIT]
    return len(set(positions)) != len(expected) or bool(np.abs(scores[positions] - expected).max() > TOLERANCE)


ASK = """
import json, sys
import numpy as np
from hippocore import Ranking, _core
path, questions, now = sys.argv[1:]
options = {"create": False, "dim": 0, "embedder": "", "tokenizer": "", "sync": "off", "read_only": True}
store = _core.Store.open(path, **options, busy_timeout=5)
weights = Ranking().compiled(_core.Weights)
answers = []
for query in np.load(questions):
    hits = store.recall(query, _core.Filter(now=int(now)), weights, 40)
    answers.append(([int.from_bytes(hits[i][0], "big") for i in range(len(hits))], hits.scored_exactly))
print(json.dumps({"kernel": _core.kernel_name(), "answers": answers}))
"""


def answers_of(kernel: str, path: Path, questions: Path) -> list[tuple[list[int], int]]:
    """Return the positions recalled for each query and how many were scored from f32, in a process of that kernel."""
    command = [sys.executable, "-c", ASK, str(path), str(questions), str(int(NOW * 1e6))]
    environment = {**os.environ, "HIPPOCORE_FORCE_KERNEL": kernel}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    said = json.loads(done.stdout)
    if said["kernel"] != kernel:
        raise AssertionError(f"asked for the kernel {kernel}, got {said['kernel']}")
    return said["answers"]


def run(name: str, queries: int, folder: Path) -> int:
    """Ask one set on every kernel; returns how many answers were wrong."""
    vectors, asked = SETS[name](queries)
    vectors, asked = np.ascontiguousarray(vectors, np.float32), np.ascontiguousarray(asked, np.float32)
    path, questions = folder / f"{name}.mem", folder / f"{name}.npy"
    rest = store_of(path, vectors, metadata_varies=name != "near-ties")
    np.save(questions, asked)
    kernels = _core.available_kernels()
    given = {kernel: answers_of(kernel, path, questions) for kernel in kernels}
    mistakes = dict.fromkeys(kernels, 0)
    for number, scores in enumerate(truth(vectors, asked, rest)):
        for kernel in kernels:
            mistakes[kernel] += wrong(scores, given[kernel][number][0])
    exact = np.array([count for _, count in given[kernels[0]]])
    shares = "  ".join(
        f"{label} {np.percentile(exact, at):7,.0f}" for label, at in (("p50", 50), ("p99", 99), ("max", 100))
    )
    verdict = "  ".join(f"{kernel} {queries - wrong_ones}/{queries}" for kernel, wrong_ones in mistakes.items())
    print(
        f"{name:10s} {len(vectors):8,} x {vectors.shape[1]}   right: {verdict}   scored from f32: {shares}", flush=True
    )
    return sum(mistakes.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", nargs="*", default=list(SETS), help=f"of {', '.join(SETS)}; all of them otherwise")
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--folder", type=Path, help="where the stores are made; a temporary directory otherwise")
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        mistakes = sum(run(name, options.queries, Path(folder)) for name in options.set)
    if mistakes:
        raise SystemExit(f"{mistakes} answers were wrong")


if __name__ == "__main__":
    main()
