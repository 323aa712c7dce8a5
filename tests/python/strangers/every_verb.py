"""Every verb of a store, asked of one that may be hostile: each gives a value or raises an error of hippocore."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hippocore import ALL, HippocoreError, MemoryLayer

VECTOR = [1.0, 2.0, 3.0]
Verb = tuple[str, Callable[[MemoryLayer, Path], Any]]


def _looked_at(found: list[Any]) -> list[Any]:
    """Look at all that a hit computes when it is looked at."""
    return [(hit.memory, hit.id, hit.why, hit.score, repr(hit), hash(hit.memory), repr(hit.memory)) for hit in found]


def _of_one(identifier: str) -> Iterator[Verb]:
    yield "get", lambda layer, _: layer.get(identifier)
    yield "history", lambda layer, _: layer.history(identifier)
    yield "embeddings", lambda layer, _: layer.embeddings([identifier])
    yield "in", lambda layer, _: identifier in layer
    yield "list after", lambda layer, _: layer.list(after=identifier)


READING: tuple[Verb, ...] = (
    ("list", lambda layer, _: layer.list()),
    ("list archived", lambda layer, _: layer.list(archived=True)),
    ("list quarantined", lambda layer, _: layer.list(quarantined=True, order="oldest")),
    ("count", lambda layer, _: layer.count()),
    ("recall", lambda layer, _: _looked_at(layer.recall(embedding=VECTOR, scope=ALL))),
    ("recall many", lambda layer, _: [_looked_at(hits) for hits in layer.recall_many(embeddings=[VECTOR], scope=ALL)]),
    ("recall below", lambda layer, _: _looked_at(layer.recall(embedding=VECTOR, scope=ALL, drill_down=True))),
    ("recall as of", lambda layer, _: _looked_at(layer.recall(scope=ALL, as_of=1e9, since=-1e9, until=2e9))),
    ("recall of the trusted", lambda layer, _: _looked_at(layer.recall(scope=ALL, min_trust="trusted", tags=["t"]))),
    ("context", lambda layer, _: layer.context(embedding=VECTOR, scope=ALL, touch=False)),
    ("diverse context", lambda layer, _: layer.context(embedding=VECTOR, scope=ALL, diversity=0.5, strategy="best")),
    ("scopes", lambda layer, _: layer.scopes()),
    ("stats", lambda layer, _: layer.stats()),
    ("verify", lambda layer, _: layer.verify()),
    ("maintain dry", lambda layer, _: layer.maintain(dry_run=True)),
    ("export", lambda layer, folder: layer.export(folder / "export.jsonl")),
    ("export without vectors", lambda layer, folder: layer.export(folder / "export.jsonl", embeddings=False)),
)


def _of_one_written(identifier: str) -> Iterator[Verb]:
    yield "update", lambda layer, _: layer.update(identifier, importance=0.25)
    yield "update content", lambda layer, _: layer.update(identifier, content="new words", embedding=VECTOR)
    yield "feedback", lambda layer, _: layer.feedback(identifier, useful=True)
    yield "supersede", lambda layer, _: layer.remember("newer", embedding=VECTOR, supersedes=identifier)


def ask_everything(path: Path, identifiers: list[str], folder: Path) -> dict[str, HippocoreError]:
    """Ask every verb that reads, through a handle that reads only; return the errors by the verb's name."""
    verbs = [*READING, *(verb for identifier in identifiers for verb in _of_one(identifier))]
    return _asked(path, verbs, folder, read_only=True)


def write_everything(path: Path, identifiers: list[str], folder: Path) -> dict[str, HippocoreError]:
    """Ask every verb that writes, and in the end forget all; return the errors by the verb's name."""
    verbs: list[Verb] = [
        ("remember", lambda layer, _: layer.remember("content", embedding=VECTOR)),
        *(verb for identifier in identifiers for verb in _of_one_written(identifier)),
        ("consolidate", lambda layer, _: repr(layer.consolidate(scope=ALL, at_least=2, kinds=["episode", "fact"]))),
        ("summarize", lambda layer, _: repr(layer.summarize(scope=ALL, budget_tokens=0, keep_recent=0))),
        ("reflect", lambda layer, _: repr(layer.reflect(scope=ALL, min_importance=0.0, at_least=2))),
        ("checkpoint", lambda layer, _: layer.checkpoint()),
        ("compact", lambda layer, _: layer.compact()),
        ("backup", lambda layer, folder: layer.backup(folder / "backup.mem")),
        ("maintain", lambda layer, _: layer.maintain(now=4e9)),
        *((f"forget {identifier}", _forget(identifier)) for identifier in identifiers),
        ("forget all", lambda layer, _: layer.forget_where(scope=ALL, purge=True)),
    ]
    return _asked(path, verbs, folder, read_only=False)


def _forget(identifier: str) -> Callable[[MemoryLayer, Path], Any]:
    return lambda layer, _: layer.forget(identifier)


def _asked(path: Path, verbs: list[Verb], folder: Path, *, read_only: bool) -> dict[str, HippocoreError]:
    errors: dict[str, HippocoreError] = {}
    try:
        layer = MemoryLayer(path, create=False, read_only=read_only, embedder=None, sync="off")
    except HippocoreError as error:
        return {"open": error}
    with layer:
        for name, verb in verbs:
            try:
                verb(layer, folder)
            except HippocoreError as error:
                errors[name] = error
    return errors
