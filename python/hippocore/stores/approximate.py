"""Approximate recall: a graph proposes candidates, and the store ranks them as it ranks everything.

The graph is over the slots of one generation of the store, whose vectors never change. What is eligible, what is ranked
and what is returned the store decides; a graph can only leave out what should have been among the best. Slots that it
does not know yet are candidates all. It is made in the background, and kept beside the store for the next process.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hippocore import _core
from hippocore.errors import StoreBusy, StoreClosed
from hippocore.stores.graph import Graph, directions_of, links_of, require_hnswlib

if TYPE_CHECKING:
    from hippocore.stores.graph import Links, Numbers
    from hippocore.stores.protocol import Hits, Vectors

    Progress = Callable[[int, int], None]

SMALLEST: Final = 200_000
"""Where fewer memories are eligible the exact scan answers: it is as fast, or faster."""
SHARE: Final = 4
"""Also where they are less than 1 / SHARE of the graph: a search would pass by most of what it meets."""
NEARLY_ALL: Final = 0.9
"""Where more than this share is eligible the graph is searched without asking for each element whether it is."""
TIMES: Final = 10
"""How many candidates a recall has for each memory that it may return …"""
FEWEST: Final = 200
"""… and how many at least."""
_GROWTH: Final = 10  # a graph that lacks 1 / _GROWTH of the slots, and a few thousand, is grown
_FEW: Final = 5_000
_AT_ONCE: Final = 64  # elements between two looks at whether to stop
_NOBODY: Final = _core.Filter(now=0, scopes=[])


class _Proposer(NamedTuple):
    """A graph that is ready, and what it is of."""

    graph: Graph
    generation: int
    covered: int  # slots below are in it, or were forgotten before it was made


class _Eligible(NamedTuple):
    generation: int
    slots: int
    passing: int  # of them
    words: np.ndarray[Any, np.dtype[np.uint64]]  # bit i of word w: slot 64 w + i


class _Outdated(Exception):  # noqa: N818  (no error: another generation of the store has begun)
    pass


class Approximate:
    """Approximate recall in one open store. Any thread may call; its own thread ends at `close`."""

    def __init__(self, core: _core.Store) -> None:
        self._core = core
        self._process = os.getpid()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._proposer: _Proposer | None = None
        self._failure: BaseException | None = None
        self._closed = False
        self._done, self._total = 0, 0

    def recall(self, vector: Vectors | None, filter: Any, weights: Any, limit: int, least: float = -inf) -> Hits:
        """Answer as the core's `recall`, from candidates where that is worth it.

        Raises what ended the making of a graph, once; the next call tries again.
        """
        require_hnswlib()
        candidates = None if vector is None else self._candidates(vector, filter, limit)
        return self._core.recall(vector, filter, weights, limit, least, candidates=candidates)

    def build(self, progress: Progress | None) -> None:
        """Wait until a graph knows every slot that there is now; progress(done, total) counts slots."""
        require_hnswlib()
        now = self._eligible(_NOBODY)
        while not self._knows(now, 0):
            thread = self._start()
            while thread.is_alive():
                thread.join(0.1)
                if progress is not None:
                    progress(self._done, self._total)
            self._raise_failure()
            now = now._replace(generation=self._eligible(_NOBODY).generation)

    def close(self) -> None:
        """End the making of a graph that is under way."""
        self._closed = True
        thread = self._thread
        if thread is not None and os.getpid() == self._process:
            thread.join()

    def _candidates(self, vector: Vectors, filter: Any, limit: int) -> tuple[int, int, Numbers] | None:
        eligible = self._eligible(filter)
        self._raise_failure()
        if eligible.passing < SMALLEST:
            return None
        proposer = self._proposer
        if not self._knows(eligible, _few_of(eligible.slots)):
            self._start()
        if proposer is None or proposer.generation != eligible.generation:
            self._proposer = None if self._proposer is proposer else self._proposer  # its vectors may be forgotten ones
            return None
        slots = _proposed(proposer, eligible, directions_of(vector[None, :]), max(FEWEST, TIMES * limit))
        return None if slots is None else (proposer.generation, proposer.covered, slots)

    def _eligible(self, filter: Any) -> _Eligible:
        return _Eligible(*self._core.eligible(filter))

    def _knows(self, eligible: _Eligible, but: int) -> bool:
        """Whether there is a graph of that generation that lacks no more than so many slots."""
        proposer = self._proposer
        if proposer is None or proposer.generation != eligible.generation:
            return eligible.slots == 0
        return eligible.slots - proposer.covered <= but

    def _raise_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def _start(self) -> threading.Thread:
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                # Not a daemon: a thread inside hnswlib must not be cut off when the interpreter ends.
                self._thread = threading.Thread(target=self._work, name="hippocore-approximate")
                self._thread.start()
            return self._thread

    def _work(self) -> None:
        try:
            self._make()
        except _Outdated:
            pass
        except BaseException as error:
            self._failure = error

    def _make(self) -> None:
        generation, slots, _, _ = self._core.eligible(_NOBODY)
        self._done, self._total = 0, slots
        before = self._proposer
        if before is None or before.generation != generation:
            kept = self._core.kept_graph(generation)
            links = None if kept is None else links_of(kept, slots)
        else:
            links = before.graph.links(before.covered)
        self._proposer = made = self._grown(links, generation, slots)
        covered = 0 if links is None else links.covered
        if len(made.graph) and slots - covered > (0 if links is None else _few_of(slots)):
            self._keep(made)

    def _keep(self, made: _Proposer) -> None:
        if self._core.read_only:
            return
        with suppress(StoreBusy):  # beside a checkpoint: the next process makes its own, or this one keeps a larger one
            self._core.keep_graph(made.generation, made.graph.links(made.covered).to_bytes())

    def _grown(self, links: Links | None, generation: int, slots: int) -> _Proposer:
        """Return the graph of those links, or an empty one, after adding the slots that it lacks."""
        dimension = self._vectors(generation, 0, 0)[0].shape[1]
        if links is None:
            graph, covered = Graph.empty(dimension, max(slots, 1)), 0
        else:
            directions = partial(self._directions, generation)
            graph, covered = Graph.of_links(links, dimension, slots, directions), links.covered
        for first in range(covered, slots, _AT_ONCE):
            vectors, forgotten = self._vectors(generation, first, min(_AT_ONCE, slots - first))
            added = forgotten == 0
            if added.any():
                graph.add(directions_of(vectors[added]), first + np.flatnonzero(added).astype(np.uint32))
            self._done = first + len(added)
        return _Proposer(graph, generation, slots)

    def _directions(self, generation: int, slots: Numbers) -> Vectors:
        first = int(slots[0])
        vectors, _ = self._vectors(generation, first, int(slots[-1]) - first + 1)
        return directions_of(vectors[slots - first])

    def _vectors(self, generation: int, first: int, count: int) -> tuple[Vectors, Any]:
        if self._closed or not threading.main_thread().is_alive():
            raise StoreClosed("the store was closed while the graph of an approximate recall was made")
        found, vectors, forgotten = self._core.slot_vectors(first, count)
        if found != generation:
            raise _Outdated
        return vectors, forgotten


def _few_of(slots: int) -> int:
    return max(_FEW, slots // _GROWTH)


def _proposed(proposer: _Proposer, eligible: _Eligible, direction: Vectors, count: int) -> Numbers | None:
    """Return the candidates; None where the exact scan is to answer."""
    known = np.unpackbits(eligible.words.view(np.uint8), bitorder="little")[: proposer.covered]
    taking_part = int(np.count_nonzero(known))
    elements = len(proposer.graph)
    if taking_part < max(SMALLEST, elements // SHARE, count):
        return None
    share = taking_part / elements
    if share >= NEARLY_ALL:  # the store leaves out the others
        return proposer.graph.search(direction, min(elements, int(count / share)), None)
    return proposer.graph.search(direction, count, known.tobytes().__getitem__)
