"""Sets with real vectors: sentences and conversation turns, embedded with hippocore's local embedder (no network).

Sentences are those of the standard library's docstrings and of the files given with --text. Turns are read from the
files given with --conversations (LoCoMo or LongMemEval), asked with the questions of those files where there are any;
without such a file, sentences stand in for turns and the set's name says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.data import Data, load, save
from bench.injections import turns

import numpy as np  # isort: skip  (after `bench.data`, which sets its threads)

TURNS = 5_000
_END = re.compile(r"(?<=[.!?])\s+")


def sentences(folder: Path, texts: list[Path], queries: int) -> Data:
    """Return every sentence of five words or more once, but for `queries` of them that ask."""
    found = _shuffled(_sentences_of(texts))
    more = " and text files" if texts else ""
    return _embedded(folder, f"sentences of docstrings{more}", found[queries:], found[:queries])


def conversation(folder: Path, conversations: list[Path], texts: list[Path], queries: int) -> Data:
    """Return 5,000 turns and questions about them."""
    values = [json.loads(path.read_text(encoding="utf-8")) for path in conversations]
    if not values:
        found = _shuffled(_sentences_of(texts))
        name = "sentences standing in for turns"
        return _embedded(folder, name, found[queries : queries + TURNS], found[:queries])
    found = list(dict.fromkeys(turn for value in values for turn in turns(value) if turn.strip()))
    asked = _shuffled(question for value in values for question in _questions(value)) or _shuffled(found)
    return _embedded(folder, "conversation turns", found[:TURNS], asked[:queries])


def _sentences_of(texts: list[Path]) -> Iterator[str]:
    from hippocore.cli.demo.docstrings import collect

    for text in (*(found.text for found in collect()), *(path.read_text(encoding="utf-8") for path in texts)):
        for sentence in _END.split(" ".join(text.split())):
            if sentence.count(" ") >= 4:
                yield sentence


def _questions(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("question"), str):
            yield value["question"]
        for inner in value.values():
            yield from _questions(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _questions(inner)


def _shuffled(texts: Iterator[str] | list[str]) -> list[str]:
    once = list(dict.fromkeys(texts))
    np.random.default_rng(3).shuffle(once)
    return once


def _embedded(folder: Path, name: str, texts: list[str], questions: list[str]) -> Data:
    from hippocore.embedders import resolve

    embed = resolve("local")
    assert embed is not None
    path = folder / f"{name.replace(' ', '-')}-{len(texts)}"
    if not (path / "about.json").exists():
        vectors, queries = (
            np.concatenate([embed(part[first : first + 1000]) for first in range(0, len(part), 1000)])
            for part in (texts, questions)
        )
        save(path, f"{name}, local embedder", vectors, queries, texts=texts, questions=questions)
    return load(path)
