"""Learning from outcomes: what was in the context of a turn that succeeded is worth more, of one that failed less.

The credit is `feedback`'s, 0.05 of importance a turn, and the same for all that was there: nothing here knows which
memory helped. Over many turns that evens out, after one it is a guess. What a turn wrote can be judged the same way
once its outcome is known: hindsight relabels what was given an importance when nobody knew yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, Protocol

from hippocore.arguments import checked_flag, checked_texts
from hippocore.context import Context
from hippocore.errors import AccessDenied, MemoryNotFound
from hippocore.scored import Scored
from hippocore.types import Memory, Remembered

if TYPE_CHECKING:
    from collections.abc import Sequence

PROTECTED: Final = 0.9
"""A memory of that importance loses none by a failure: a hard rule is not wrong because a turn went wrong."""


class Verbs(Protocol):
    """What of a layer credit is given with."""

    def get(self, id: str) -> Memory:
        """As MemoryLayer's."""

    def feedback(self, ids: Sequence[str], useful: bool) -> None:
        """As MemoryLayer's."""


Judged = Context | Iterable[Scored | Remembered | Memory | str]
"""What took part in a turn: its context, or what the verbs gave, or ids."""


def learn(memory: Verbs, judged: Judged, success: bool) -> list[str]:
    """Give credit or blame to memories; returns the ids of those that took it.

    judged: a Context, or a list of what `recall` or `observe_turn` gave, or of ids. What was forgotten or has expired
    meanwhile is passed over, and so is what this layer's agent may not change.
    """
    checked_flag(success, "success")
    taken = [identifier for identifier in _ids_of(judged) if _takes(memory, identifier, success)]
    return [identifier for identifier in taken if _credited(memory, identifier, success)]


def _ids_of(judged: Any) -> list[str]:
    """Return the ids, each once; what became of a statement that nothing holds has none."""
    if isinstance(judged, str):
        return checked_texts(judged, "judged")
    given = judged.memories if isinstance(judged, Context) else judged
    if isinstance(given, (bytes, dict)) or not isinstance(given, Iterable):
        raise TypeError(f"judged must be a Context or a list of memories or ids, not {type(judged).__name__}")
    ids = [one.id if isinstance(one, (Scored, Remembered, Memory)) else one for one in given]
    return checked_texts([identifier for identifier in ids if identifier is not None], "judged")


def _takes(memory: Verbs, identifier: str, success: bool) -> bool:
    try:
        return success or memory.get(identifier).importance < PROTECTED
    except MemoryNotFound:
        return False


def _credited(memory: Verbs, identifier: str, success: bool) -> bool:
    try:
        memory.feedback([identifier], success)
    except (MemoryNotFound, AccessDenied):
        return False
    return True
