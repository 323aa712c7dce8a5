"""A graph over a store's vectors, searched and grown by hnswlib, and what is kept of one on disk: its links.

The vectors stay in the store, so a kept graph holds none. It is read from a file that anybody may have written, and
hnswlib trusts what it is given: every link and level of it is checked before hnswlib sees any.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hippocore.errors import HippocoreError, MissingExtra

if TYPE_CHECKING:
    from hippocore.stores.protocol import Vectors

    Numbers = np.ndarray[Any, np.dtype[np.uint32]]

LINKS: Final = 16  # of an element on each level above the lowest, which has twice as many
TRIED: Final = 100  # elements looked at to choose an element's links
HIGHEST: Final = 32  # no level is higher; that of an element is at random, and falls off as 1 / LINKS
_MARK: Final = 0x31475048  # "HPG1"
_HEAD: Final = 8  # u32 numbers before the arrays


class Links(NamedTuple):
    """The links of a graph: n elements, each a slot of the store, in ascending order.

    covered: slots below are in the graph or were forgotten. lowest: (n, 1 + 2 LINKS), how many and then which elements.
    upper: the same with LINKS for each level above the lowest, from the first level up, element after element.
    """

    covered: int
    entry: int  # the element that a search begins at; it is on the highest level
    slots: Numbers
    levels: np.ndarray[Any, np.dtype[np.uint8]]
    lowest: Numbers
    upper: Numbers

    def to_bytes(self) -> bytes:
        """Return them as they are kept."""
        head = np.zeros(_HEAD, "<u4")
        head[:6] = (_MARK, LINKS, len(self.slots), self.covered, self.entry, len(self.upper))
        arrays = (head, self.slots, self.lowest, self.upper, self.levels)
        return b"".join(array.tobytes() for array in arrays)


def links_of(kept: bytes, slot_count: int) -> Links | None:
    """Return links from bytes that anybody may have written; None unless a search in them stays within them.

    slot_count: how many slots the store has.
    """
    if len(kept) < _HEAD * 4:
        return None
    head = np.frombuffer(kept, "<u4", _HEAD)
    mark, links, count, covered, entry, above = map(int, head[:6])
    size = 4 * (_HEAD + count * (2 + 2 * LINKS) + above * (1 + LINKS)) + count
    if mark != _MARK or links != LINKS or len(kept) != size or not 0 < count <= covered <= slot_count:
        return None
    numbers = np.frombuffer(kept, "<u4", (size - count) // 4)[_HEAD:]
    slots, lowest, upper = np.split(numbers, [count, count * (2 + 2 * LINKS)])
    levels = np.frombuffer(kept, np.uint8)[size - count :]
    found = Links(covered, entry, slots, levels, lowest.reshape(count, -1), upper.reshape(above, -1))
    return found if _is_sound(found) else None


def _is_sound(links: Links) -> bool:
    count, levels = len(links.slots), links.levels
    if not (links.slots[1:] > links.slots[:-1]).all() or links.slots[-1] >= links.covered:
        return False
    if levels.max() > HIGHEST or links.entry >= count or levels[links.entry] != levels.max():
        return False
    if int(levels.sum(dtype=np.int64)) != len(links.upper):
        return False
    owners = np.repeat(np.arange(count, dtype=np.uint32), levels)
    ends = np.cumsum(levels, dtype=np.int64)
    level = np.arange(len(owners)) - (ends - levels)[owners] + 1
    everyone = np.arange(count, dtype=np.uint32)
    return _lead_to_elements(links.lowest, everyone, levels, np.zeros(count, np.int64)) and _lead_to_elements(
        links.upper, owners, levels, level
    )


def _lead_to_elements(lists: Numbers, owners: Numbers, levels: Any, level: Any) -> bool:
    """Whether each list is no longer than its row, and names others that are on its level."""
    for first in range(0, len(lists), 100_000):  # what is made meanwhile stays small
        rows, here = lists[first : first + 100_000], slice(first, first + 100_000)
        if (rows[:, 0] >= rows.shape[1]).any():
            return False
        named = np.arange(1, rows.shape[1]) <= rows[:, :1]
        others = np.where(named, rows[:, 1:], 0)
        if (others >= len(levels)).any():
            return False
        wrong = (others == owners[here, None]) | (levels[others] < level[here, None])
        if (wrong & named).any():
            return False
    return True


class Graph:
    """A graph in memory. Any number of threads may search it; nobody while it grows."""

    def __init__(self, index: Any) -> None:
        self._index = index

    @classmethod
    def empty(cls, dimension: int, capacity: int) -> Graph:
        """Return one with room for so many elements."""
        return cls(_new_index(dimension, capacity))

    @classmethod
    def of_links(cls, links: Links, dimension: int, capacity: int, vectors: Callable[[Numbers], Vectors]) -> Graph:
        """Return one with these links, which are sound, and room for so many elements.

        vectors(slots) gives the directions of a few slots at a time.
        """
        state = _new_index(dimension, capacity).__getstate__()[0]
        rows, count = _rows(state, dimension), len(links.slots)
        data = np.zeros((count, rows.width), np.uint8)
        data[:, : rows.vector] = np.ascontiguousarray(links.lowest).view(np.uint8)
        data[:, rows.label :] = links.slots.astype(np.uint64)[:, None].view(np.uint8)
        for first in range(0, count, 4096):
            directions = vectors(links.slots[first : first + 4096])
            data[first : first + 4096, rows.vector : rows.label] = directions.view(np.uint8)
        levels = np.zeros(capacity, np.int32)
        levels[:count] = links.levels
        state |= {
            "cur_element_count": count,
            "ep_added": True,
            "max_level": int(links.levels.max()),
            "enterpoint_node": links.entry,
            "element_levels": levels,
            "data_level0": data.reshape(-1).view(np.int8),
            "link_lists": np.ascontiguousarray(links.upper).reshape(-1).view(np.int8),
            "label_lookup_external": links.slots.astype(np.uint64),
            "label_lookup_internal": np.arange(count, dtype=np.uint32),
        }
        return cls(_hnswlib().Index(params=state))

    def __len__(self) -> int:
        return int(self._index.get_current_count())

    def add(self, directions: Vectors, slots: Numbers) -> None:
        """Add elements; their slots come after those that are there."""
        self._index.add_items(directions, slots, num_threads=1)

    def links(self, covered: int) -> Links:
        """Return its links; slots below `covered` are in it or were forgotten."""
        state = self._index.__getstate__()[0]
        rows, count = _rows(state, self._index.dim), len(self)
        data = state["data_level0"].view(np.uint8).reshape(count, rows.width)
        lowest = np.ascontiguousarray(data[:, : rows.vector]).view(np.uint32)
        slots = np.ascontiguousarray(data[:, rows.label :]).view(np.uint64).reshape(-1).astype(np.uint32)
        levels = state["element_levels"][:count].astype(np.uint8)
        upper = state["link_lists"].view(np.uint32).reshape(-1, 1 + LINKS)
        return Links(covered, int(state["enterpoint_node"]), slots, levels, lowest, upper)

    def search(self, direction: Vectors, count: int, allowed: Callable[[int], int] | None) -> Numbers | None:
        """Return so many slots near a direction, of those that are allowed; None where it does not reach as many."""
        try:
            found, _ = self._index.knn_query(direction, k=count, num_threads=1, filter=allowed)
        except RuntimeError:
            return None
        return np.asarray(found[0], np.uint32)


def directions_of(vectors: Vectors) -> Vectors:
    """Return vectors of length 1 that point where these do; zeros where one points nowhere."""
    wide = vectors.astype(np.float64)
    with np.errstate(all="ignore"):
        lengths = np.sqrt(np.einsum("ij,ij->i", wide, wide))[:, None]
        directions: Vectors = (wide / lengths).astype(np.float32)
    directions[~np.isfinite(directions).all(axis=1)] = 0
    return directions


def require_hnswlib() -> None:
    """Raise MissingExtra unless hnswlib is installed."""
    _hnswlib()


def _hnswlib() -> Any:
    try:
        import hnswlib
    except ImportError as error:
        raise MissingExtra('approximate=True needs hnswlib: pip install "hippocore[ann]"') from error
    return hnswlib


class _Rows(NamedTuple):
    """Where hnswlib has what of an element on the lowest level: bytes in a row."""

    vector: int
    label: int
    width: int


def _rows(state: dict[str, Any], dimension: int) -> _Rows:
    vector = 4 * (1 + 2 * LINKS)
    rows = _Rows(vector, vector + 4 * dimension, vector + 4 * dimension + 8)
    names = ("offset_level0", "offset_data", "label_offset", "size_data_per_element", "size_links_per_element")
    if tuple(state[name] for name in names) != (0, *rows, 4 * (1 + LINKS)):
        raise HippocoreError("this version of hnswlib keeps its graph in another way than this release knows")
    return rows


def _new_index(dimension: int, capacity: int) -> Any:
    index = _hnswlib().Index("ip", dimension)
    index.init_index(capacity, M=LINKS, ef_construction=TRIED, random_seed=1)
    index.set_num_threads(1)
    return index
