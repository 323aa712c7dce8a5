"""MemoryLayer: an open store and everything that can be asked of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Final

from hippocore import events
from hippocore.guard import Guard
from hippocore.layer.compressing import CompressingVerbs
from hippocore.layer.idle import IdleVerbs
from hippocore.layer.reading import ReadingVerbs
from hippocore.layer.turns import TurnVerbs
from hippocore.layer.upkeep import UpkeepVerbs
from hippocore.layer.writing import WritingVerbs
from hippocore.opening import open_handle
from hippocore.policy import Policy
from hippocore.ranking import Ranking
from hippocore.retention import Retention
from hippocore.session import Opened, Session

if TYPE_CHECKING:
    from hippocore import patient_llm, patient_reranker
    from hippocore.embedders import registry
    from hippocore.lifecycle import correction_policy, turns
    from hippocore.lifecycle import gate as write_gate
    from hippocore.stores import protocol
else:
    from hippocore.deferred import Deferred

    patient_llm = Deferred("hippocore.patient_llm")
    patient_reranker = Deferred("hippocore.patient_reranker")
    registry = Deferred("hippocore.embedders.registry")
    write_gate = Deferred("hippocore.lifecycle.gate")
    turns = Deferred("hippocore.lifecycle.turns")
    correction_policy = Deferred("hippocore.lifecycle.correction_policy")
    protocol = Deferred("hippocore.stores.protocol")


# The verbs that `events` tells of, but for those that tell of themselves, being quick, and those that write nothing.
_TOLD: Final = {
    WritingVerbs: events.DEBUG,
    TurnVerbs: events.DEBUG,
    UpkeepVerbs: events.INFO,
    CompressingVerbs: events.INFO,
}
_NOT_TOLD: Final = ("remember", "remember_many", "end_session", "drain", "turn_counts")

for _verbs in (WritingVerbs, ReadingVerbs, TurnVerbs, UpkeepVerbs, CompressingVerbs, IdleVerbs, Opened):
    for _name, _verb in list(vars(_verbs).items()):
        if isinstance(_verb, FunctionType):  # so that Python's own messages name the class that callers know
            _verb.__qualname__ = f"MemoryLayer.{_name}"
            if _verbs in _TOLD and _name not in _NOT_TOLD and _name[0] != "_":
                setattr(_verbs, _name, events.told(_TOLD[_verbs], _verb))


class MemoryLayer(TurnVerbs, IdleVerbs):
    """An open store of memories. Any thread may call any verb; use it as a context manager, or close it.

    store: the path of a store directory, or a Store, which keeps its own create=, sync=, read_only=, busy_timeout= and
    threads=. create=False raises StoreNotFound where there is none.
    embedder: "auto" is the one the store remembers, else "local"; or "local", "minilm", an Embedder, a callable
    list[str] -> (n, dim) array with embedder_name=, or None: vectors are handed in, and a new store needs dim=.
    retention: what `maintain` lets go of; nothing goes before that is called.
    reranker: a callable (query, list[str]) -> scores, one finite number a text, that puts the best of each recall by
    text in order anew (`hippocore.rerankers` has some). Where it raises, returns anything else or takes longer than
    rerank_timeout seconds, the ranking is without it, and HippocoreWarning says so once. It runs on other threads.
    llm: a callable str -> str, a language model such as `hippocore.chat.ChatClient`, for what says that it asks one.
    Where it raises, returns no string or takes longer than llm_seconds seconds, the answer is without it, and
    HippocoreWarning says so once. It runs on other threads.
    gate: what of a turn `observe_turn` writes; a WriteGate.
    corrections: a Corrections lets what is remembered end what it corrects; None compares nothing but duplicates.
    link_similar: None, or a cosine, 0 to 1: what is remembered anew gets links of type "similar" to the 3 memories of
    its scope that are most similar, and at least so much, with the cosine as weight; what one call writes is not linked
    among itself. Costs a search of the scope for each memory, under the writer's lock.
    tokens: "estimate", the name of an encoding, or a callable str -> int; it counts what a context takes. A new store
    records its name ("custom" for a callable). What a store keeps is counted by the estimate where it records that,
    else by what is given, which has to be the same again; ValueError for another encoding.
    sync: what a crash may cost. A killed process loses nothing that was acknowledged; power loss costs nothing
    ("full"), about the last second ("normal"), or what came after the last checkpoint ("off"); never consistency.
    busy_timeout: seconds to wait for another writer before StoreBusy. clock: seconds since 1970.
    threads: how many work on one large recall, its caller's included. They start at the first one, and the answer is
    the same with any number. Recalls that many threads ask for run side by side in any case.
    Raises EmbedderMismatch for another embedder or dimension than the store's.
    """

    def __init__(
        self,
        store: str | os.PathLike[str] | protocol.Store,
        *,
        create: bool = True,
        embedder: registry.EmbedderSpec = "auto",
        embedder_name: str | None = None,
        dim: int | None = None,
        ranking: Ranking | None = None,
        retention: Retention | None = None,
        guard: Guard | None = None,
        gate: write_gate.WriteGate | None = None,
        policy: Policy | None = None,
        reranker: patient_reranker.Reranker | None = None,
        rerank_timeout: float = 2.0,
        llm: patient_llm.Llm | None = None,
        llm_seconds: float = 30.0,
        corrections: correction_policy.Corrections | None = None,
        link_similar: float | None = None,
        tokens: str | Callable[[str], int] = "estimate",
        sync: str = "normal",
        read_only: bool = False,
        busy_timeout: float = 5.0,
        threads: int = 1,
        clock: Callable[[], float] = time.time,
    ) -> None:
        checked = None if gate is None else write_gate.checked_gate(gate)
        handle = open_handle(
            store,
            create=create,
            embedder=embedder,
            embedder_name=embedder_name,
            dim=dim,
            ranking=Ranking() if ranking is None else ranking,
            retention=Retention() if retention is None else retention,
            guard=Guard() if guard is None else guard,
            policy=policy,
            reranker=reranker,
            rerank_timeout=rerank_timeout,
            llm=llm,
            llm_seconds=llm_seconds,
            corrections=corrections,
            link_similar=link_similar,
            tokens=tokens,
            sync=sync,
            read_only=read_only,
            busy_timeout=busy_timeout,
            threads=threads,
            clock=clock,
        )
        self._session = Session(handle)
        if checked is not None:
            self._session.parts["turns"] = turns.Turns(None, checked)

    def as_agent(self, name: str) -> MemoryLayer:
        """Return the same store through that agent's rights in `policy=`; without an entry there it has none.

        What the agent may not read is not there for it, by whatever verb, filter or id; a scope that it names without
        the right raises AccessDenied. An id that it gives is its own name for a memory. Closing it closes only itself.
        """
        view = object.__new__(type(self))
        view._session = self._session.as_agent(name)
        return view
