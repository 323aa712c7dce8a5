"""Taking in a turn: extract, gate, guard, merge, store; and then the hooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from hippocore.arguments import checked_text
from hippocore.errors import ReadOnlyStore
from hippocore.lifecycle.dialogue import Turn
from hippocore.lifecycle.extraction import extract
from hippocore.lifecycle.gate import Candidate, WriteGate, checked_reward
from hippocore.lifecycle.hooks import AFTER_TURN, Hooks, TurnTaken
from hippocore.lifecycle.routes import TRUST, routed
from hippocore.lifecycle.turn_counts import Tally
from hippocore.ranking import Ranking
from hippocore.scopes import Scope, scope_text
from hippocore.times import Moment, microseconds
from hippocore.types import Remembered

if TYPE_CHECKING:
    from hippocore.handle import Handle
    from hippocore.scored import Scored
    from hippocore.session import Session
    from hippocore.stores.protocol import Vectors

_BY_SIMILARITY: Final = Ranking(relevance=1.0, recency=0.0, importance=0.0, usage=0.0)


class Verbs(Protocol):
    """What of a layer a turn is taken in with."""

    def remember_many(self, items: Iterable[Mapping[str, Any]]) -> list[Remembered]:
        """As MemoryLayer's."""

    def recall_many(self, *, embeddings: Any, scope: str, limit: int, ranking: Ranking) -> list[list[Scored]]:
        """As MemoryLayer's."""


class Turns:
    """What a session keeps about its turns: gate, hooks, counts. An agent's stand below its owner's."""

    def __init__(self, above: Turns | None, gate: WriteGate | None = None) -> None:
        self.gate: WriteGate = gate or (above.gate if above is not None else WriteGate())
        self.hooks: Hooks = Hooks(above.hooks if above is not None else None)
        self.tally: Tally = Tally(above.tally if above is not None else None)

    def close(self) -> None:
        """Wait for the hooks."""
        self.hooks.close()


def turns_of(session: Session) -> Turns:
    """Return what a session keeps about its turns, made when it is first asked for."""
    above = turns_of(session.owner) if session.owner is not None else None
    found = session.parts.get("turns") or session.parts.setdefault("turns", Turns(above))  # one, whoever is first
    assert isinstance(found, Turns)
    return found


class Taken(NamedTuple):
    """A turn and where it is to be taken in, as the caller said it."""

    turn: Turn
    scope: Scope
    session: str | None
    reward: float | None
    event_time: Moment | None
    routes: Mapping[str, Scope] | None

    def __repr__(self) -> str:
        return f"Taken({self.turn!r})"


def observe(memory: Verbs, handle: Handle, kept: Turns, taken: Taken) -> list[Remembered]:
    """Take in a turn: return what became of each statement that was found in it, in order; [] for none.

    All is written in one commit. Errors of the arguments and of the store go through, and nothing is counted then.
    """
    turn, scope, session, reward, event_time, routes = taken
    own = scope_text(scope)
    scopes = routed(own, routes, handle.may_write)
    handle.require_write(own, *scopes.values())
    _check(handle, session, reward, event_time)
    statements = extract(turn, asking(handle))
    candidates = [
        Candidate(one.content, one.kind, one.importance, one.said_by, scopes.get(one.kind, own), reward=reward)
        for one in statements
    ]
    outcomes = _written(memory, handle, kept.gate, candidates, {"source": session, "event_time": event_time})
    kept.tally.count(outcomes)
    kept.hooks.fire(AFTER_TURN, TurnTaken(turn, own, session, reward, tuple(outcomes)))
    return outcomes


def asking(handle: Handle) -> Callable[[str], str | None] | None:
    """Return what asks the handle's model, without the secrets that its guard finds in a prompt."""
    llm, guard = handle.llm, handle.guard
    if llm is None:
        return None
    redacting = guard if guard.secrets == "allow" else replace(guard, secrets="redact")
    return lambda prompt: llm.answer(redacting.screen(prompt).content)


def _check(handle: Handle, session: str | None, reward: float | None, event_time: Moment | None) -> None:
    """Raise for what is wrong whether or not the turn turns out to hold anything."""
    if session is not None:
        checked_text(session, "session")
    if reward is not None:
        checked_reward(reward, "reward")
    if event_time is not None:
        microseconds(event_time, "event_time")
    if handle.store.read_only:
        raise ReadOnlyStore(f"the store {handle.store.path!r} was opened to read only: observe_turn writes")


def _written(
    memory: Verbs, handle: Handle, gate: WriteGate, candidates: Sequence[Candidate], around: Mapping[str, Any]
) -> list[Remembered]:
    measured = _measured(memory, handle, candidates) if gate.asks_for_novelty else [(one, None) for one in candidates]
    reasons = [gate.reason_against(candidate) for candidate, _ in measured]
    items = [_item(*one, around) for one, reason in zip(measured, reasons, strict=True) if reason is None]
    written = iter(memory.remember_many(items))
    return [next(written) if reason is None else Remembered(None, "skipped", reason) for reason in reasons]


def _item(candidate: Candidate, vector: Vectors | None, around: Mapping[str, Any]) -> dict[str, Any]:
    """Return remember's arguments."""
    content, kind, importance, said_by, scope = candidate[:5]
    said = {"content": content, "kind": kind, "importance": importance, "scope": scope, "trust": TRUST[said_by]}
    return {**said, **around, "embedding": vector}


def _measured(memory: Verbs, handle: Handle, candidates: Sequence[Candidate]) -> list[tuple[Candidate, Vectors | None]]:
    """Return candidates with their novelty and the vector that it was measured by.

    After the guard: no secret is embedded, and what holds one and is not redacted stays without either.
    """
    screened = [handle.guard.screen(candidate.content) for candidate in candidates]
    clean = [i for i, one in enumerate(screened) if not one.refused]
    vectors = handle.embed([screened[i].content for i in clean]) if clean else ()
    measured: list[tuple[Candidate, Vectors | None]] = [(candidate, None) for candidate in candidates]
    for i, vector in zip(clean, vectors, strict=True):
        novelty = _novelty(memory, vector, candidates[i].scope) if handle.may_read(candidates[i].scope) else None
        measured[i] = (candidates[i]._replace(content=screened[i].content, novelty=novelty), vector)
    return measured


def _novelty(memory: Verbs, vector: Vectors, scope: str) -> float:
    [nearest] = memory.recall_many(embeddings=vector[None], scope=scope, limit=1, ranking=_BY_SIMILARITY)
    return 1.0 - min(1.0, max(0.0, nearest[0].similarity)) if nearest else 1.0
