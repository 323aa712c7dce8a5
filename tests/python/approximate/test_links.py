"""Links from a stranger: each is checked before hnswlib, which trusts what it is given, sees any."""

import numpy as np
import pytest

from hippocore.stores.graph import LINKS, Graph, directions_of, links_of
from tests.python.approximate.conftest import DIM, graph_files, vectors_of

COUNT = 300
VECTORS = directions_of(vectors_of(COUNT))
SLOTS = np.arange(COUNT, dtype=np.uint32) * 2 + 1  # every other slot was forgotten
COVERED = 2 * COUNT + 5


@pytest.fixture(scope="module")
def kept():
    graph = Graph.empty(DIM, COUNT)
    graph.add(VECTORS, SLOTS)
    return graph.links(COVERED).to_bytes()


def restored(links, capacity=COUNT):
    return Graph.of_links(links, DIM, capacity, lambda slots: VECTORS[slots // 2])


def test_what_was_kept_answers_as_before_and_grows_on(kept):
    whole = Graph.empty(DIM, COUNT)
    whole.add(VECTORS, SLOTS)
    again = restored(links_of(kept, COVERED), COUNT + 50)
    for query in VECTORS[:20]:
        assert (again.search(query, 10, None) == whole.search(query, 10, None)).all()
    again.add(directions_of(vectors_of(50, seed=8)), np.arange(COVERED, COVERED + 50, dtype=np.uint32))
    assert again.search(directions_of(vectors_of(50, seed=8))[7], 1, None) == [COVERED + 7]
    assert links_of(again.links(COVERED + 50).to_bytes(), COVERED + 50) is not None


def changed(kept, change):
    links = links_of(kept, COVERED)
    copy = {
        name: np.array(value) if isinstance(value, np.ndarray) else value for name, value in links._asdict().items()
    }
    change(copy)
    return type(links)(**copy).to_bytes()


def set_at(name, at, value):
    def change(links):
        links[name][at] = value(links) if callable(value) else value

    return change


def swapped(links):
    links["slots"][[3, 4]] = links["slots"][[4, 3]]


def levels_moved(links):
    high = int(np.argmax(links["levels"]))
    links["levels"][high] -= 1
    links["levels"][(high + 1) % COUNT] += 1


def entry_on_low_level(links):
    links["entry"] = int(np.argmin(links["levels"]))


IMPOSSIBLE = {
    "a list longer than its row": set_at("lowest", (5, 0), 2 * LINKS + 1),
    "a deleted element": set_at("lowest", (5, 0), 1 << 16),
    "a link to no element": set_at("lowest", (5, 1), COUNT),
    "a link far outside": set_at("lowest", (5, 1), 0xFFFFFFFF),
    "a link to itself": set_at("lowest", (5, 1), 5),
    "an upper list longer than its row": set_at("upper", (0, 0), LINKS + 1),
    "an upper link to no element": set_at("upper", (0, slice(0, 2)), (1, COUNT)),
    "an upper link to a lower element": set_at(
        "upper", (0, slice(0, 2)), lambda links: (1, int(np.argmin(links["levels"])))
    ),
    "a level without links": set_at("levels", 5, 31),
    "an impossible level": set_at("levels", 5, 200),
    "levels of other elements": levels_moved,
    "slots out of order": swapped,
    "a slot twice": set_at("slots", 4, lambda links: links["slots"][3]),
    "a slot behind what is covered": set_at("slots", -1, COVERED),
    "an entry that is none": lambda links: links.update(entry=COUNT),
    "an entry on a low level": entry_on_low_level,
    "more covered than there is": lambda links: links.update(covered=COVERED + 1),
}


@pytest.mark.parametrize("change", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_impossible_links_are_none(kept, change):
    assert links_of(kept, COVERED) is not None
    assert links_of(changed(kept, change), COVERED) is None


@pytest.mark.parametrize("length", [0, 5, 31, 32, 100, -1, -2])
def test_bytes_cut_anywhere_are_none(kept, length):
    assert links_of(kept[:length], COVERED) is None
    assert links_of(kept + b"\0", COVERED) is None


def test_any_bit_that_turns_gives_none_or_links_that_can_be_searched(kept):
    dice = np.random.default_rng(5)
    used = 0
    for _ in range(400):
        garbled = bytearray(kept)
        for at in dice.integers(0, len(kept), dice.integers(1, 4)):
            garbled[at] ^= 1 << int(dice.integers(0, 8))
        links = links_of(bytes(garbled), COVERED)
        if links is None:
            continue
        used += 1
        graph = Graph.of_links(links, DIM, COUNT + 1, lambda slots: VECTORS[np.minimum(slots // 2, COUNT - 1)])
        found = graph.search(VECTORS[0], 20, None)
        assert found is None or (found < COVERED).all()
        graph.add(VECTORS[:1], np.array([COVERED], np.uint32))
    assert used > 20


def test_a_hostile_graph_with_right_checksums_is_made_anew(built, opened):
    core = built._handle.store._core
    whole = core.kept_graph(1)
    hostile = bytearray(whole)
    hostile[-4000:-3000] = b"\xff" * 1000
    assert core.keep_graph(1, bytes(hostile))
    again = opened()
    again.build_approximate()
    assert core.kept_graph(1) == whole
    assert len(graph_files(built)) == 1
