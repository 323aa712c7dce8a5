"""Events: one structured log record for each recall, write and maintenance step, where somebody listens.

The logger is "hippocore.events". Recalls and writes are DEBUG, upkeep is INFO. Each record has, as attributes, the
`verb`, its `seconds`, the `store`, the `agent` (None for the owner), and what came of it: of a recall or a context
`results`, `ids`, `scores`, `why`, `confidence`, `tokens`; of a write `id` and `action`, or how many of each; of upkeep
the counts of its result, and `why` where it gives reasons. Never a content, a query, a vector, a scope or a source. A
verb that raises has no event.

Without a listener a verb pays for one look at the logger's level, and not even that in a process that has not imported
logging, which nothing here does. `python bench/share.py` measures it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from time import perf_counter
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar

if TYPE_CHECKING:
    import logging

    from hippocore.session import Opened

P = ParamSpec("P")
R = TypeVar("R")
L = TypeVar("L", bound="Opened")
LOGGER: Final = "hippocore.events"
DEBUG, INFO = 10, 20  # as logging has them
_MOST_REASONS: Final = 20
_modules: Final = sys.modules
_found: list[logging.Logger] = []
_listeners: list[Callable[[Mapping[str, Any]], None]] = []


def began(level: int = DEBUG) -> float | None:
    """Return the time from which a verb's seconds count; None where nobody listens to events of that level."""
    if not _found:
        if "logging" not in _modules:
            return perf_counter() if _listeners else None
        _find_logger()
    return perf_counter() if _listeners or _found[0].isEnabledFor(level) else None


def listen(listener: Callable[[Mapping[str, Any]], None]) -> Callable[[], None]:
    """Call a function with the fields of each event, on the thread of its verb; returns what ends that.

    It is not to raise: what it raises reaches the verb's caller.
    """
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def told(level: int, verb: Callable[Concatenate[L, P], R]) -> Callable[Concatenate[L, P], R]:
    """Return a verb that tells of itself by the counts of its result; for those that take longer than a recall."""

    @wraps(verb)
    def call(self: L, /, *args: P.args, **keywords: P.kwargs) -> R:
        start = began(level)
        result = verb(self, *args, **keywords)
        if start is not None:
            tell(self, verb.__name__, start, counts_of(result), level=level)
        return result

    return call


def tell(layer: Opened, verb: str, start: float, fields: Mapping[str, Any], *, level: int = DEBUG) -> None:
    """Write the record of a verb that began then."""
    said = {"verb": verb, "seconds": perf_counter() - start, "store": layer.path, "agent": layer._session.agent}
    said.update((name, value) for name, value in fields.items() if name not in _reserved())
    for listener in list(_listeners):
        listener(said)
    if _found and _found[0].isEnabledFor(level):
        shown = (f"{name}={_short(value)}" for name, value in said.items() if isinstance(value, (str, int, float)))
        _found[0].log(level, "%s", " ".join(shown), extra=said)


def recalled(hits: Sequence[Any], **more: Any) -> dict[str, Any]:
    """Return the fields of hits, beside others of the call."""
    return {
        "results": len(hits),
        "ids": [hit.id for hit in hits],
        "scores": [hit.score for hit in hits],
        "why": [hit.why for hit in hits],
        **more,
    }


def packed(context: Any) -> dict[str, Any]:
    """Return the fields of a context."""
    skipped = len(context.skipped)
    return recalled(context.memories, tokens=context.tokens, skipped=skipped, confidence=context.confidence)


def remembered(outcomes: Iterable[Any]) -> dict[str, Any]:
    """Return the fields of several writes: how many there were, and of which action."""
    actions = Counter(outcome.action for outcome in outcomes)
    return {"items": sum(actions.values()), **actions}


def counts_of(result: Any) -> dict[str, Any]:
    """Return the numbers of a result: itself, or of its fields those that are numbers, and how long its tuples are.

    And `why`: the most frequent reasons in its tuples, with how often each is given.
    """
    if isinstance(result, int):
        return {"count": int(result)}
    if isinstance(result, list):
        return remembered(result) if all(hasattr(one, "action") for one in result) else {"count": len(result)}
    found: dict[str, Any] = {}
    reasons: Counter[str] = Counter()
    for name in getattr(result, "__dataclass_fields__", ()):
        value = getattr(result, name)
        if isinstance(value, (int, float)):
            found[name] = value
        elif isinstance(value, tuple):
            found[name] = len(value)
            reasons.update(one.reason for one in value if hasattr(one, "reason"))
    if reasons:
        found["why"] = [f"{reason}: {count}" for reason, count in reasons.most_common(_MOST_REASONS)]
    if isinstance(identifier := getattr(result, "id", None), str):
        found["id"] = identifier
    return found


def _short(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value


def _find_logger() -> None:
    import logging  # by whoever listens: it is there, or on its way in another thread

    _found[:] = [logging.getLogger(LOGGER)]


def _reserved() -> frozenset[str]:
    """Return the names that a record has already, which logging refuses as fields."""
    import logging

    return frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}
