"""Work in the background: one thing after the other, on a thread that is there only while there is work.

The thread is no daemon, whoever starts it: where the interpreter ends, it waits until everything that was begun is
done. It ends with its queue, so that nothing idles and no exit waits for it.
"""

from __future__ import annotations

import contextvars
import os
import threading
import weakref
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from hippocore.errors import ForkedHandle

if TYPE_CHECKING:
    import asyncio

Work = Callable[[], object]


class Background:
    """A queue of work for one thread. Any thread may add to it; in a child of `fork` it is empty and takes nothing."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._process = os.getpid()
        self._changed = threading.Condition()
        self._queue: deque[tuple[contextvars.Context, Work]] = deque()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def add(self, work: Work) -> None:
        """Have work done after all that was added before, in the context of variables of whoever adds it.

        Requires: it does not raise. Where no thread can be had, as when the interpreter ends, it is done at once.
        Raises ForkedHandle in a child of the process that made this.
        """
        self.require_ours()
        with self._changed:
            self._queue.append((contextvars.copy_context(), work))
            if self._thread is not None:
                return
            self._thread = thread = threading.Thread(target=self._work, name=self._name, daemon=False)
        try:
            thread.start()
        except RuntimeError:
            self._thread = threading.current_thread()
            self._work()

    def drain(self, timeout: float | None = None) -> bool:
        """Wait until all is done, at most so many seconds (None: as long as it takes); returns whether it is.

        Raises RuntimeError where work of this queue calls it, which would wait for itself.
        """
        if not self._is_ours():
            return True
        if self.works_here:
            raise RuntimeError("what runs in the background cannot wait until it has ended itself")
        with self._changed:
            return self._changed.wait_for(lambda: self._thread is None, timeout)

    def wait_for(self, awaited: Awaitable[object]) -> None:
        """Wait for what work of this queue has to await, on an event loop that is the same for all of it.

        So clients of a network may be kept from one piece of work to the next. A task that is left behind goes on only
        while something is waited for.
        """
        import asyncio

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            weakref.finalize(self, _close, self._loop, self._process)
        self._loop.run_until_complete(_result(awaited))

    @property
    def works_here(self) -> bool:
        """Whether work of this queue is asking."""
        return self._thread is threading.current_thread()

    def require_ours(self) -> None:
        """Raise ForkedHandle in a child of the process that made this; takes no lock, which nobody there would free."""
        if not self._is_ours():
            raise ForkedHandle("this handle was opened before fork: open the store again in the child")

    def _is_ours(self) -> bool:
        return os.getpid() == self._process

    def _work(self) -> None:
        while (following := self._following()) is not None:
            context, work = following
            context.run(work)

    def _following(self) -> tuple[contextvars.Context, Work] | None:
        with self._changed:
            if self._queue:
                return self._queue.popleft()
            self._thread = None
            self._changed.notify_all()
            return None


async def _result(awaited: Awaitable[object]) -> None:
    await awaited


def _close(loop: asyncio.AbstractEventLoop, process: int) -> None:
    if os.getpid() == process:  # a child's copy shares what the parent's loop is woken by
        loop.close()
