"""AsyncMemoryLayer: every verb of MemoryLayer with `await`, on its own threads, so that the event loop never waits."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar

from hippocore.deferred import Deferred
from hippocore.errors import StoreClosed
from hippocore.layer import MemoryLayer
from hippocore.stores.protocol import Store

if TYPE_CHECKING:
    from hippocore.lifecycle import hooks as turn_hooks
else:
    turn_hooks = Deferred("hippocore.lifecycle.hooks")

P = ParamSpec("P")
R = TypeVar("R")
_THREADS: Final = 4


def _awaited(
    verb: Callable[Concatenate[MemoryLayer, P], R],
) -> Callable[Concatenate[AsyncMemoryLayer, P], Coroutine[Any, Any, R]]:
    """Return the verb as a coroutine function with the same arguments, result and documentation."""

    @functools.wraps(verb)
    async def call(self: AsyncMemoryLayer, /, *args: P.args, **keywords: P.kwargs) -> R:
        return await self._run(functools.partial(verb, self._memory, *args, **keywords))

    return call


class AsyncMemoryLayer:
    """A MemoryLayer for coroutines: `async with await AsyncMemoryLayer.open(...) as memory`.

    A cancelled call gives up waiting, not the work: a cancelled write may have been committed. Callables that are
    handed in (embedder, tokens, clock, progress) run on the layer's threads, a reranker and an llm on threads of their
    own.
    """

    def __init__(self, memory: MemoryLayer) -> None:
        if not isinstance(memory, MemoryLayer):
            raise TypeError(
                f"AsyncMemoryLayer takes a MemoryLayer, not {type(memory).__name__}: open a store by its path with "
                "await AsyncMemoryLayer.open(path)"
            )
        self._memory = memory
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="hippocore")

    @classmethod
    async def open(cls, store: str | os.PathLike[str] | Store, **options: Any) -> AsyncMemoryLayer:
        """Open a store with MemoryLayer's options."""
        return cls(await asyncio.to_thread(functools.partial(MemoryLayer, store, **options)))

    async def as_agent(self, name: str) -> AsyncMemoryLayer:
        """Return the same store through that agent's rights in `policy=`, as MemoryLayer.as_agent does."""
        return AsyncMemoryLayer(self._memory.as_agent(name))

    remember = _awaited(MemoryLayer.remember)
    remember_many = _awaited(MemoryLayer.remember_many)
    update = _awaited(MemoryLayer.update)
    forget = _awaited(MemoryLayer.forget)
    forget_where = _awaited(MemoryLayer.forget_where)
    feedback = _awaited(MemoryLayer.feedback)
    observe_turn = _awaited(MemoryLayer.observe_turn)
    end_session = _awaited(MemoryLayer.end_session)
    drain = _awaited(MemoryLayer.drain)
    turn_counts = _awaited(MemoryLayer.turn_counts)
    learn = _awaited(MemoryLayer.learn)
    hindsight = _awaited(MemoryLayer.hindsight)
    release = _awaited(MemoryLayer.release)
    recall = _awaited(MemoryLayer.recall)
    recall_many = _awaited(MemoryLayer.recall_many)
    context = _awaited(MemoryLayer.context)
    get = _awaited(MemoryLayer.get)
    history = _awaited(MemoryLayer.history)
    embeddings = _awaited(MemoryLayer.embeddings)
    contains = _awaited(MemoryLayer.__contains__)
    list = _awaited(MemoryLayer.list)
    count = _awaited(MemoryLayer.count)
    scopes = _awaited(MemoryLayer.scopes)
    stats = _awaited(MemoryLayer.stats)
    consolidate = _awaited(MemoryLayer.consolidate)
    summarize = _awaited(MemoryLayer.summarize)
    reflect = _awaited(MemoryLayer.reflect)
    maintain = _awaited(MemoryLayer.maintain)
    background = _awaited(MemoryLayer.background)
    checkpoint = _awaited(MemoryLayer.checkpoint)
    compact = _awaited(MemoryLayer.compact)
    reembed = _awaited(MemoryLayer.reembed)
    backup = _awaited(MemoryLayer.backup)
    verify = _awaited(MemoryLayer.verify)
    build_approximate = _awaited(MemoryLayer.build_approximate)
    export = _awaited(MemoryLayer.export)
    import_ = _awaited(MemoryLayer.import_)

    @property
    def hooks(self) -> turn_hooks.Hooks:
        """The functions that are called after each turn, as MemoryLayer.hooks; await `drain` instead of its own."""
        return self._memory.hooks

    @property
    def path(self) -> str:
        """Where the store is."""
        return self._memory.path

    @property
    def closed(self) -> bool:
        """Whether the handle was closed."""
        return self._memory.closed

    async def close(self) -> None:
        """Close the store once the calls under way are done; every later call but this one raises StoreClosed."""
        if not self._memory.closed:
            await self._run(self._memory.close)
            self._threads.shutdown(wait=False)

    async def __aenter__(self) -> AsyncMemoryLayer:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def _run(self, work: Callable[[], R]) -> R:
        if self._memory.closed:
            raise StoreClosed("the store was closed: open it again")
        within = contextvars.copy_context().run  # so that a span of the caller's is the parent of the verb's
        return await asyncio.get_running_loop().run_in_executor(self._threads, within, work)
