"""Consolidation: what was said again and again in episodes becomes one fact, and the episodes are put aside.

What is compared is of one scope and one trust: a stranger's memory neither becomes trusted with others nor takes
trusted ones with it. In a scope of more than 20,000, each 20,000 in order of creation are looked at by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from hippocore.arguments import checked_count, checked_flag, checked_fraction, checked_texts
from hippocore.handle import Handle
from hippocore.lifecycle.clustering import clusters
from hippocore.lifecycle.compression import Compression, Left, Made, compression
from hippocore.lifecycle.folding import Fold, public_ids, write
from hippocore.lifecycle.gathering import require_writable, scopes_to_change, windows, with_vectors
from hippocore.lifecycle.wording import wording_of
from hippocore.records import Record
from hippocore.scopes import Scopes
from hippocore.stores.protocol import TRUST, Vectors
from hippocore.types import WAYS, Gone, Maintenance

VERB: Final = "consolidate"
_KIND: Final = "fact"


def consolidate(
    handle: Handle,
    scope: Scopes,
    *,
    subtree: bool,
    similarity: float,
    at_least: int,
    kinds: Iterable[str],
    dry_run: bool,
) -> Compression:
    """Turn each cluster of a scope's memories into one fact; each is one commit, so stopping between two is safe."""
    near = checked_fraction(similarity, "similarity")
    fewest = checked_count(at_least, "at_least")
    if fewest < 2:
        raise ValueError(f"at_least must be 2 or more, not {fewest}: one memory is no cluster")
    wanted = checked_texts(kinds, "kinds")
    if not checked_flag(dry_run, "dry_run"):
        require_writable(handle, VERB)
    reason = f"similarity of {near:.2f} or more between any two"
    outcomes: list[Made | Left] = []
    for place in scopes_to_change(handle, scope, subtree=checked_flag(subtree, "subtree")):
        for members, vectors in _clusters(handle, place, wanted, near, fewest):
            if dry_run:
                outcomes.append(Made(None, _KIND, public_ids(handle, members), True, reason))
            else:
                worded = wording_of(handle, members, vectors)
                outcomes.append(write(handle, Fold(VERB, _KIND, worded, members, reason, near=near)))
    return compression(outcomes, dry_run=dry_run)


def maintained(
    handle: Handle, done: Maintenance, scope: Scopes, similarity: float, *, subtree: bool, now: int
) -> Maintenance:
    """Consolidate what maintenance left; of a dry run without the clusters of what would go."""
    folded = consolidate(
        handle, scope, subtree=subtree, similarity=similarity, at_least=3, kinds=("episode",), dry_run=done.dry_run
    )
    gone = {one.id for way in WAYS for one in getattr(done, way)}
    made = [one for one in folded.made if one.archived and gone.isdisjoint(one.members)]
    aside = [Gone(member, _reason(one), *_kind_and_age(handle, member, now)) for one in made for member in one.members]
    return replace(done, consolidated=tuple(aside))


def _reason(made: Made) -> str:
    where = "would become one fact" if made.id is None else f"became the fact {made.id}"
    return f"{where} with {len(made.members) - 1} more: {made.reason}"


def _kind_and_age(handle: Handle, identifier: str, now: int) -> tuple[str, float]:
    row = handle.store.get([handle.names.key_of(identifier)])[0]
    return row[4], max(0, now - row[6]) / 1e6


def _clusters(
    handle: Handle, scope: str, kinds: list[str], similarity: float, at_least: int
) -> Iterator[tuple[list[Record], Vectors]]:
    for window in windows(handle, scope, kinds):
        for trust in TRUST.values():
            alike = [record for record in window if record.state.trust == trust]
            if len(alike) < at_least:
                continue
            alike, vectors = with_vectors(handle, alike)
            for group in clusters(vectors, similarity, at_least, handle.go_on):
                yield [alike[i] for i in group], vectors[group]
