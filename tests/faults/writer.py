"""The process that is killed: writes to a store for ever, while a second thread folds and compacts it.

Says "opening" and "open" on its standard output, so that the kill can fall into recovery or into writing.
"""

from __future__ import annotations

import os
import random
import sys
import threading
import traceback
from pathlib import Path

from hippocore import MemoryLayer
from tests.faults.journal import DIM, Effect, Fact, Journal, content, name_of, vector

_WANTED = 400  # memories; more are forgotten


class Writer:
    """One thread's operations, each noted before and after."""

    def __init__(self, layer: MemoryLayer, journal: Journal, chance: random.Random, first_name: int) -> None:
        self.layer, self.journal, self.chance = layer, journal, chance
        self.next_name = first_name
        self.ids: dict[int, str] = {}
        self.facts: dict[int, Fact] = {}
        for memory in layer.list():
            name, revision = name_of(memory.content)
            self.ids[name], self.facts[name] = memory.id, Fact(revision, memory.importance)

    def write_for_ever(self) -> None:
        """Choose and do one operation after the other."""
        grow = (self.remember, self.remember_with_id, self.remember_many, self.update, self.judge)
        shrink = (self.forget, self.update, self.judge, self.purge)
        while True:
            few = len(self.facts) < self.chance.randrange(2 * _WANTED)
            weights = (6, 3, 1, 4, 2) if few else (12, 4, 2, 0.1)
            self.chance.choices(grow if few else shrink, weights)[0]()

    def remember(self) -> None:
        """Write a memory whose id the store chooses."""
        name = self._new_name()
        with self._noted({name: Fact(0, 0.5)}):
            self.ids[name] = self.layer.remember(**_item(name)).id

    def remember_with_id(self) -> None:
        """Write a memory under an id of our own."""
        name = self._new_name()
        with self._noted({name: Fact(0, 0.5)}):
            self.ids[name] = self.layer.remember(**_item(name), id=f"name {name}").id

    def remember_many(self) -> None:
        """Write a batch."""
        names = [self._new_name() for _ in range(self.chance.randint(2, 40))]
        items = [{key: value for key, value in _item(name).items() if key != "merge"} for name in names]
        with self._noted({name: Fact(0, 0.5) for name in names}):
            found = self.layer.remember_many(items, merge=False)
        self.ids.update(zip(names, (one.id for one in found), strict=True))

    def update(self) -> None:
        """Give a memory its next revision: a new version under the same id."""
        for name in self._some(1):
            revision, importance = self.facts[name].revision + 1, self.chance.random()
            new = {"content": content(name, revision), "embedding": vector(name, revision), "importance": importance}
            with self._noted({name: Fact(revision, importance)}):
                self.layer.update(self.ids[name], **new)

    def judge(self) -> None:
        """Change a memory in place."""
        for name in self._some(1):
            importance = self.chance.random()
            with self._noted({name: self.facts[name]._replace(importance=importance)}):
                self.layer.update(self.ids[name], importance=importance)

    def forget(self, *, purge: bool = False) -> None:
        """Forget several at once."""
        names = self._some(self.chance.randint(1, 30))
        with self._noted(dict.fromkeys(names)):
            self.layer.forget([self.ids.pop(name) for name in names], purge=purge)

    def purge(self) -> None:
        """Forget several, and rewrite the files without them."""
        self.forget(purge=True)

    def _new_name(self) -> int:
        self.next_name += 1
        return self.next_name

    def _some(self, count: int) -> list[int]:
        return self.chance.sample(sorted(self.facts), min(count, len(self.facts)))

    def _noted(self, effect: Effect) -> _Noted:
        return _Noted(self, effect)


class _Noted:
    """The block between the intent and the acknowledgement of one operation."""

    def __init__(self, writer: Writer, effect: Effect) -> None:
        self._writer, self._effect = writer, effect

    def __enter__(self) -> None:
        self._writer.journal.intend(self._effect)

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            return
        self._writer.journal.acknowledge()
        for name, fact in self._effect.items():
            if fact is None:
                del self._writer.facts[name]
            else:
                self._writer.facts[name] = fact


def _item(name: int) -> dict[str, object]:
    return {"content": content(name, 0), "embedding": vector(name, 0), "scope": f"user:{name % 3}", "merge": False}


def _fold_for_ever(layer: MemoryLayer, chance: random.Random) -> None:
    pause = threading.Event()
    while True:
        pause.wait(chance.uniform(0, 0.03))
        chance.choices((layer.checkpoint, layer.compact), (3, 1))[0]()


def _ends_the_process_when_it_fails(work: threading.Thread) -> None:
    def report(failure: threading.ExceptHookArgs) -> None:
        traceback.print_exception(failure.exc_type, failure.exc_value, failure.exc_traceback)
        sys.stderr.flush()
        os._exit(1)

    threading.excepthook = report
    work.start()


def main(store: str, journal: str, seed: str, first_name: str, sync: str) -> None:
    """Open the store and write until the end, which comes from outside."""
    print("opening", flush=True)
    layer = MemoryLayer(store, embedder=None, dim=DIM, sync=sync)
    print("open", flush=True)
    writer = Writer(layer, Journal(Path(journal)), random.Random(seed), int(first_name))
    fold = threading.Thread(target=_fold_for_ever, args=(layer, random.Random(f"{seed} fold")), daemon=True)
    _ends_the_process_when_it_fails(fold)
    writer.write_for_ever()


if __name__ == "__main__":
    main(*sys.argv[1:])
