"""`maintain --watch`: idle work in the foreground until Ctrl-C or SIGTERM, with a line where something went."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Final

from hippocore.cli.plain import plain

if TYPE_CHECKING:
    from hippocore import MemoryLayer

_REASONS_SHOWN: Final = 3


def gone_by_way(done: Any) -> dict[str, tuple[Any, ...]]:
    """Return what a maintenance let go of, by the way it went; without the ways that nothing went."""
    values = {field.name: getattr(done, field.name) for field in fields(done)}
    return {way: those for way, those in values.items() if isinstance(those, tuple) and those}


def let_go_of(done: Any) -> str:
    """Return in words how much a maintenance let go of."""
    gone = gone_by_way(done)
    versions = f" and {done.versions} old versions of others" if done.versions else ""
    counts = ", ".join(f"{len(those)} {way}" for way, those in gone.items())
    of = f"{sum(map(len, gone.values()))} of {done.looked_at} memories{versions}"
    return f"let go of {of}: {counts}" if counts else f"let go of {of}"


def watch(memory_layer: MemoryLayer, *, as_json: bool, **how: Any) -> None:
    """Let `background` work on the store until the program is asked to end, which it then does at once."""
    failures: list[OSError] = []

    def show(a_round: Any) -> None:
        try:
            show_round(a_round, as_json=as_json)
        except OSError as error:  # nobody reads it any more
            failures.append(error)
            stop.ask()

    with _asked_to_stop() as stop, memory_layer.background(**how, questions=0, observer=show) as worker:
        if worker.status == "waiting for another worker":
            print("hippocore: another process works on this store; this one takes over when it ends", file=sys.stderr)
        stop.wait()
    if failures:
        raise failures[0]


def show_round(a_round: Any, *, as_json: bool) -> None:
    """Print one line on stdout where something went, and one on stderr for each step that failed."""
    for step in a_round.steps:
        if step.failed is not None:
            print(f"hippocore: {step.name} failed: {step.failed}", file=sys.stderr, flush=True)
        elif step.name == "maintain" and (gone_by_way(step.result) or step.result.versions):
            now = datetime.now(timezone.utc).isoformat(timespec="seconds")
            print(_json_line(now, step.result) if as_json else _line(now, step.result), flush=True)


def _json_line(now: str, done: Any) -> str:
    return json.dumps({"time": now, **plain(done)})


def _line(now: str, done: Any) -> str:
    gone = gone_by_way(done)
    reasons = Counter(one.reason for those in gone.values() for one in those)
    why = [f"{reason} ({count})" for reason, count in reasons.most_common(_REASONS_SHOWN)]
    more = ["…"] if len(reasons) > _REASONS_SHOWN else []
    return f"{now} " + "; ".join([let_go_of(done), *why, *more])


class _Stop:
    """A pipe that is written to when the program is to end: what a signal's handler may do at any moment."""

    def __init__(self) -> None:
        self._asked, self._asking = os.pipe()
        os.set_blocking(self._asking, False)

    def ask(self, *_: object) -> None:
        with suppress(BlockingIOError):  # it was asked often enough
            os.write(self._asking, b".")

    def wait(self) -> None:
        os.read(self._asked, 1)

    def close(self) -> None:
        os.close(self._asked)
        os.close(self._asking)


@contextmanager
def _asked_to_stop() -> Iterator[_Stop]:
    """Give what Ctrl-C and SIGTERM ask meanwhile."""
    stop = _Stop()
    before = {number: signal.signal(number, stop.ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        stop.close()
