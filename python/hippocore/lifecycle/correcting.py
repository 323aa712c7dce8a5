"""Finding what a draft corrects or contradicts: in the store, and among what the same call writes before it.

Used by a plan under the writer's lock, so that what is found still holds. Beside a write without corrections it costs
one dense recall of a few from the scope, a second one where the statement is of a sort that is said in several ways
("moved to", "lives in"; "the port of"), a third one for what it may outdate where it names anything known, and reading
those few texts: 0.7 ms instead of 0.2 in a scope of 1,000 facts, 2.0 ms in one of 100,000
(`python -m bench.corrections --cost 100000`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from hippocore.drafts import Draft
from hippocore.handle import Handle
from hippocore.lexical_terms import query_terms
from hippocore.lifecycle.attributes import attribute_of, old_value
from hippocore.lifecycle.contradictions import contradiction
from hippocore.lifecycle.correction_policy import Corrections
from hippocore.lifecycle.correction_words import FAMILIES
from hippocore.lifecycle.corrections import Correction, Rule, correction
from hippocore.lifecycle.outdating import outdates, topics
from hippocore.lifecycle.slots import predicate_of
from hippocore.lifecycle.statements import Statement, read
from hippocore.ranking import Ranking
from hippocore.records import Record, record_of
from hippocore.stores.protocol import UNSET, Vectors

# Rules that tell by one value only, so that several values that they find are a list.
_OF_ONE_VALUE: Final[frozenset[Rule]] = frozenset(("number", "date", "place", "name", "value"))

Key = tuple[str, bytes, int]
"""What an answer of a model was about: the new content, and the old memory's key and version."""
Current = Callable[[bytes], "Record | None"]
"""Gives the newest version of what a plan touched, None for everything else."""


class Candidate(NamedTuple):
    """A memory that may be corrected."""

    record: Record
    similarity: float


class Finding(NamedTuple):
    """What a draft corrects, by which rule, whether it only contradicts it, and what else says the same as that."""

    record: Record
    correction: Correction
    contradicts: bool
    also: tuple[Record, ...] = ()


class Findings(NamedTuple):
    """What a draft corrects or contradicts, and what it only seems to outdate."""

    corrected: Finding | None
    outdated: tuple[Record, ...] = ()


class Corrector:
    """Finds what the drafts of one plan correct. `answers` are a model's, each the key of what cannot hold any more."""

    def __init__(self, handle: Handle, choice: Corrections, answers: Mapping[Key, bool] | None = None) -> None:
        self._handle = handle
        self._choice = choice
        self._answers = answers or {}
        self._weights = alike(handle)
        self._planned: dict[tuple[str, str], _Planned] = {}

    def takes(self, draft: Draft) -> bool:
        """Return whether a draft is one that may correct."""
        return takes_part(self._choice, draft)

    def planned(self, key: bytes, scope: str, kind: str, vector: Vectors) -> None:
        """Take note of what the plan writes, in its order."""
        if kind in self._choice.kinds:
            self._planned.setdefault((scope, kind), _Planned(len(vector))).add(key, vector)

    def find(self, draft: Draft, vector: Vectors, now: int, current: Current) -> Findings:
        """Return what a draft corrects, else contradicts, else a model says that it does; and what it outdates."""
        statement = read(draft.content)
        near = [one for one in self._candidates(draft, vector, now, current) if not is_newer(one.record, draft)]
        candidates = [one for one in near if one.record.kind == draft.kind]
        found, decided = by_rule(statement, candidates) if statement is not None else (None, False)
        found = found if decided else self._answered(draft, candidates)
        return Findings(found, tuple(self._outdated(draft, near, found)) if self._choice.outdated else ())

    def _outdated(self, draft: Draft, candidates: list[Candidate], found: Finding | None) -> Iterator[Record]:
        ended = set() if found is None else {found.record.key, *(record.key for record in found.also)}
        for record, similarity in candidates:
            trusted = draft.trust >= record.state.trust
            if record.key not in ended and trusted and outdates(draft.content, record.content, similarity):
                yield record

    def _answered(self, draft: Draft, candidates: list[Candidate]) -> Finding | None:
        for one in candidates:
            if self._answers.get((draft.content, one.record.key, one.record.version)):
                return Finding(one.record, Correction("llm"), True)
        return None

    def _candidates(self, draft: Draft, vector: Vectors, now: int, current: Current) -> Iterator[Candidate]:
        seen: set[bytes] = set()
        planned = self._planned.get((draft.scope, draft.kind))
        for key, similarity in planned.nearest(vector, self._choice.candidates) if planned else ():
            record = current(key)
            if key in seen or record is None:
                continue
            seen.add(key)
            if not (record.superseded or record.quarantined or record.expired(now)):
                yield Candidate(record, similarity)
        for one in stored_candidates(self._handle, self._choice, self._weights, draft, vector, now):
            record = current(one.record.key)
            if one.record.key not in seen and (record is None or not record.superseded):
                seen.add(one.record.key)
                yield one if record is None else one._replace(record=record)


def alike(handle: Handle) -> Any:
    """Return the weights by which candidates are looked up: which are alike counts, not which matter."""
    return Ranking(relevance=1, recency=0, importance=0, usage=0).compiled(handle.store.new_weights)


def takes_part(choice: Corrections, draft: Draft) -> bool:
    """Return whether a draft is one that may correct."""
    return draft.kind in choice.kinds and draft.supersedes is None and draft.quarantine is None


def by_rule(statement: Statement, candidates: list[Candidate]) -> tuple[Finding | None, bool]:
    """Return what a statement corrects, else what it contradicts, and whether any rule found anything at all."""
    read_ones = [(one, old) for one in candidates if (old := read(one.record.content)) is not None]
    for rules, contradicts in ((correction, False), (contradiction, True)):
        judged = [(one, old, rules(statement, old, one.similarity)) for one, old in read_ones]
        found = [_Judged(one, by, old_value(statement, old)) for one, old, by in judged if by]
        if found:
            return _the_one(found, contradicts), True
    return None, False


def stored_candidates(
    handle: Handle,
    choice: Corrections,
    weights: Any,
    draft: Draft,
    vector: Vectors,
    now: int,
) -> list[Candidate]:
    """Return the memories in the store that a draft may correct, the nearest first; weights as of `alike`."""
    store = handle.store
    asked = (store.new_filter(now=now, scopes=[draft.scope], kinds=[draft.kind]), weights, choice.candidates)
    statement, found = read(draft.content), [store.recall(vector, *asked)]
    if statement is not None and (words := _other_wordings(statement)):
        found.append(store.recall(vector, *asked, mode="hybrid", terms=query_terms(words)))
    if choice.outdated and (named := topics(draft.content)):
        of_any_kind = store.new_filter(now=now, scopes=[draft.scope])
        terms = query_terms(" ".join(named))
        found.append(store.recall(vector, of_any_kind, *asked[1:], mode="hybrid", terms=terms))
    rows = {hits.key(i): Candidate(record_of(hits[i]), hits.signals(i)[5]) for hits in found for i in range(len(hits))}
    return sorted(rows.values(), key=lambda one: (-one.similarity, one.record.key))


def _other_wordings(statement: Statement) -> str:
    """Return the words of what a statement is about, and of all phrases that say such a thing of it."""
    families = predicate_of(statement).families
    if families:
        phrases = (" ".join(phrase) for phrase, of in FAMILIES.items() if of & families)
        return " ".join((*(word.shown for word in statement.words[: statement.verb]), *phrases))
    attribute = attribute_of(statement)
    return "" if attribute is None else " ".join(sorted(attribute.names))


def is_newer(record: Record, draft: Draft) -> bool:
    """Return whether a memory tells of a later time than a draft whose time was said."""
    told_of = record.event_time if record.event_time != UNSET else record.valid_from
    return draft.event_time != UNSET and draft.event_time < told_of


class _Judged(NamedTuple):
    """A candidate, the rule by which it is corrected, and the words of its value."""

    candidate: Candidate
    by: Correction
    value: frozenset[str]


def _the_one(found: list[_Judged], contradicts: bool) -> Finding | None:
    """Return the nearest of what a rule found, and what else it found that says the same in other words.

    None where several values are what several memories have each their own of.
    """
    values = {one.value for one in found if one.by.rule in _OF_ONE_VALUE}
    if len(values) > 1:
        return None
    nearest = max(found, key=lambda one: one.candidate.similarity)
    also = (one for one in found if one is not nearest and one.by.rule != "marker" != nearest.by.rule)
    return Finding(nearest.candidate.record, nearest.by, contradicts, tuple(one.candidate.record for one in also))


class _Planned:
    """The vectors of what a plan writes into one scope and kind, at length 1."""

    def __init__(self, dimension: int) -> None:
        self._keys: list[bytes] = []
        self._vectors = np.zeros((16, dimension), np.float32)

    def add(self, key: bytes, vector: Vectors) -> None:
        if len(self._keys) == len(self._vectors):
            self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
        self._vectors[len(self._keys)] = _at_length_one(vector)
        self._keys.append(key)

    def nearest(self, vector: Vectors, limit: int) -> list[tuple[bytes, float]]:
        """Return the keys and similarities of the nearest, best first; a rewritten one is there by each wording."""
        # Not `@`: on busy cores the threads of a matrix product wait longer for one another than this takes.
        cosines = np.einsum("ij,j->i", self._vectors[: len(self._keys)], _at_length_one(vector))
        best = np.argsort(-cosines, kind="stable")[:limit]
        return [(self._keys[i], float(cosines[i])) for i in best]


def _at_length_one(vector: Vectors) -> Any:
    wide = vector.astype(np.float64)
    length = float(np.linalg.norm(wide))
    return (wide / length if length else wide).astype(np.float32)
