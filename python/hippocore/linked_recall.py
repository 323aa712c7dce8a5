"""Recall that walks links: found too is what the best hits link to, and what links to them.

Breadth first from the best hits, along each link in both directions. A way passes on the relevance of the hit that it
starts from, times the weight of each of its links, times one half for each step. A memory is as relevant as the best
way to it makes it, or as it is by itself, where that is more; its score is the weighted sum with that relevance.

Each step asks the store by the conditions of the recall: nothing is shown, or walked through, that they leave out, and
no agent walks through what it may not read. An id leads a walk where it leads whoever asks (`hippocore.names`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hippocore import expanded_recall, reading
from hippocore.arguments import checked_count
from hippocore.facets import link_facet
from hippocore.filters import recall_filter, repeatable
from hippocore.records import checked_extra
from hippocore.scored import Scored, in_order, newest, reached_hit, row_of

if TYPE_CHECKING:
    from hippocore.filters import Conditions
    from hippocore.handle import Handle
    from hippocore.links import Link
    from hippocore.reading import Found, Question, Told

STEPS: Final = 3
"""How far a walk may go."""
STARTS: Final = 16
"""How many of the best hits a walk starts from."""
REACHED: Final = 64
"""How many memories it reaches beside those, how many links of one it follows, and how many that link to a step."""
_PASSED_ON: Final = 0.5


class _Place(NamedTuple):
    """Where a walk is: a memory, with its own signals, what a way to it passes on, and the way's last link.

    The link is of the memory `before`, or where it was walked against, of this one.
    """

    key: bytes
    hit: Scored
    relevance: float
    before: Scored | None = None
    link: Link | None = None
    along: bool = True

    def reached(self) -> Scored:
        """Return the hit as the way to it makes it, which says the last link; as it is where it gains nothing."""
        if self.before is None or self.link is None or self.relevance <= self.hit.relevance:
            return self.hit
        named, other = f"{self.link.type!r} link", repr(self.before.id)
        way = f"a {named} from {other}" if self.along else f"its {named} to {other}"
        return reached_hit(self.hit, self.relevance, way)


def recall(handle: Handle, asked: Conditions, question: Question) -> Found:
    """Return what a recall finds, and what links lead to; the walk is the same whatever the limit."""
    steps, asked = _checked_steps(question.expand_links), repeatable(asked)
    how = reading.told(handle, asked, question)
    found = expanded_recall.recall(handle, asked, question._replace(limit=how.limit and max(how.limit, STARTS)))
    walk = _Walk(handle, asked, how, found.hits)
    for _ in range(steps):
        walk.step()
    return found._replace(hits=walk.ranked(*how.least)[: how.limit])


class _Walk:
    """What was found, by key, and the best way to each memory that there is a way to."""

    def __init__(self, handle: Handle, asked: Conditions, how: Told, hits: Sequence[Scored]) -> None:
        self._handle = handle
        self._asked = asked
        self._how = how
        self._found = {hit.key: hit for hit in hits}
        self._frontier = [_Place(hit.key, hit, hit.relevance) for hit in hits[:STARTS]]
        self._best = {place.key: place for place in self._frontier}
        self._most = len(self._best) + REACHED

    def step(self) -> None:
        """Go one step on from every memory that the last step found a better way to."""
        better: dict[bytes, _Place] = {}
        for place in (*self._along_links(), *self._against_links()):
            known = better.get(place.key) or self._best.get(place.key)
            if place.relevance > (known.relevance if known else 0.0):
                better[place.key] = place
        places = sorted(better.values(), key=lambda place: (-place.relevance, *newest(place.hit)))
        self._frontier = [place for place in places if self._enters(place)]

    def ranked(self, least: float = 0.0) -> list[Scored]:
        """Return everything that was found and is at least so relevant, in the order of a recall."""
        found = dict(self._found)  # which are so relevant by themselves
        found.update({key: place.reached() for key, place in self._best.items() if place.relevance >= least})
        return in_order(found.values())

    def _enters(self, place: _Place) -> bool:
        """Take note of a place, unless it is one too many; best first."""
        if place.key not in self._best and len(self._best) >= self._most:
            return False
        self._best[place.key] = place
        return True

    def _along_links(self) -> Iterator[_Place]:
        """Give what the frontier links to."""
        ways: dict[bytes, list[tuple[_Place, Link]]] = {}
        for place in self._frontier:
            for link in _links_of(place.hit):
                ways.setdefault(self._handle.names.key_of(link), []).append((place, link))
        new = [key for key in ways if key not in self._found]
        there = {hit.key: hit for hit in self._ask(len(new), ids=new)} if new else {}
        for key, links in ways.items():
            if (hit := self._found.get(key) or there.get(key)) is None:
                continue  # not there, or not to be shown
            for source, link in links:
                yield _Place(key, hit, _passed_on(source, link), source.hit, link)

    def _against_links(self) -> Iterator[_Place]:
        """Give what links to the frontier."""
        targets = {place.key: place for place in self._frontier}
        facets = [link_facet(name) for key, place in targets.items() for name in (key.hex(), place.hit.id)]
        for linking in self._ask(REACHED, any_links=list(dict.fromkeys(facets))) if facets else ():
            key = linking.key
            hit = self._found.get(key, linking)
            for link in _links_of(hit):
                if target := targets.get(self._handle.names.key_of(link)):
                    yield _Place(key, hit, _passed_on(target, link), target.hit, link, along=False)

    def _ask(self, limit: int, **more: Any) -> list[Scored]:
        """Return what the recall would show of what is asked for, ranked by the signals beside relevance."""
        store = self._handle.store
        asked = recall_filter(store, self._handle.now(), self._asked, **more)
        hits = store.recall(None, asked, self._how.weights, limit)
        return reading.shown(self._handle, hits, self._how.shares)


def _checked_steps(steps: int) -> int:
    if checked_count(steps, "expand_links") > STEPS:
        raise ValueError(f"expand_links must be 0 to {STEPS} steps, not {steps}")
    return steps


def _passed_on(place: _Place, link: Link) -> float:
    return _PASSED_ON * link.weight * place.relevance


def _links_of(hit: Scored) -> Sequence[Link]:
    """Return a memory's links, of more than a walk follows the strongest."""
    links = checked_extra(row_of(hit)).links
    return links if len(links) <= REACHED else sorted(links, key=lambda link: -link.weight)[:REACHED]
