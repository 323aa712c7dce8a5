"""Routes: which scope a statement goes to, and how far it is trusted.

Kinds that hold for whoever works for a user go to a shared scope, what one agent saw to its own. By default that is
where the agent's scope ends in a label "agent:…": preferences and procedures then go to "shared" beside it, so
"user:alice/agent:coder" shares "user:alice/shared", and nothing of one user reaches another. Every other scope keeps
all kinds, and so does an agent that may not write the shared one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hippocore.arguments import checked_text
from hippocore.lifecycle.dialogue import Speaker
from hippocore.scopes import Scope, scope_labels, scope_text
from hippocore.types import Trust

SHARED_KINDS: Final = ("preference", "procedure")
_AGENT: Final = "agent:"
_SHARED: Final = "shared"

TRUST: Final[Mapping[Speaker, Trust]] = {"user": "trusted", "assistant": "unverified", "tool": "unverified"}
"""How far the words of each are trusted. A tool gives back what strangers wrote: pages, mails, files. An assistant has
read that and may repeat it. So both are looked at for instructions to a model by the guard, merge with nothing that the
user said, and end nothing that the user said; only what the user said themselves is taken as it is."""


def routed(own: str, routes: Mapping[str, Scope] | None, may_write: Callable[[str], bool]) -> dict[str, str]:
    """Return the scopes (their text) of the kinds that do not go to the agent's own: the caller's, else the shared one.

    Raises TypeError or ValueError for routes that are no mapping of kinds to scopes.
    """
    if routes is None:
        shared = shared_beside(own)
        return dict.fromkeys(SHARED_KINDS, shared) if may_write(shared) else {}
    if not isinstance(routes, Mapping):
        raise TypeError(f"routes must map kinds to scopes, not be {type(routes).__name__}")
    return {checked_text(kind, "a kind in routes"): scope_text(scope) for kind, scope in routes.items()}


def shared_beside(own: str) -> str:
    """Return the scope (its text) that an agent's scope shares by default; the scope itself, where it is no agent's."""
    labels = scope_labels(own)
    return scope_text((*labels[:-1], _SHARED)) if labels[-1].startswith(_AGENT) else own
