"""What a writer is about to do and what it was told is done, noted outside the store so that a kill cannot take it.

A memory of these tests is a name (a number) and a revision: content and vector follow from both, so that half of a
memory can be told from a whole one. An effect says what one operation makes of each name that it touches.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import NamedTuple

import numpy as np

DIM = 48
_WORDS = [
    "river",
    "stone",
    "lamp",
    "copper",
    "window",
    "morning",
    "garden",
    "letter",
    "winter",
    "harbour",
    "thread",
    "silver",
    "meadow",
    "paper",
    "signal",
]


class Fact(NamedTuple):
    """A memory as the test knows it."""

    revision: int
    importance: float


Effect = dict[int, Fact | None]  # None: forgotten


def content(name: int, revision: int) -> str:
    """Return a text that no other name or revision has, of up to some thousand bytes."""
    chance = random.Random(f"{name}.{revision}")
    filler = chance.choices(_WORDS, k=chance.choice((0, 3, 40, 500)))
    return " ".join(["memory", str(name), "revision", str(revision), *filler])


def name_of(text: str) -> tuple[int, int]:
    """Return the name and the revision of a content; the caller compares the rest."""
    _, name, _, revision, *_ = text.split(" ")
    return int(name), int(revision)


def vector(name: int, revision: int) -> np.ndarray:
    """Return the float32 vector (DIM,) that goes with a content."""
    return np.random.default_rng([name, revision]).standard_normal(DIM, np.float32)


class Journal:
    """The writer's side. Each line is in the file, if not on the disk, when its call returns: a kill keeps it."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def intend(self, effect: Effect) -> None:
        """Note what the next operation will do."""
        os.write(self._file, json.dumps(list(effect.items())).encode() + b"\n")

    def acknowledge(self) -> None:
        """Note that it returned."""
        os.write(self._file, b"done\n")


def read_journal(path: Path) -> tuple[list[Effect], Effect]:
    """Return the effects that were acknowledged, in their order, and the one that was under way (or nothing)."""
    acknowledged: list[Effect] = []
    under_way: Effect = {}
    for line in path.read_bytes().splitlines() if path.exists() else ():
        if line == b"done":
            acknowledged.append(under_way)
            under_way = {}
        else:
            under_way = {name: None if fact is None else Fact(*fact) for name, fact in json.loads(line)}
    return acknowledged, under_way
