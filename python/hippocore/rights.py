"""Rights: which scopes an agent reads and writes. Pure: texts of scopes, and no store.

A right to a scope is a right to what lies below it too, label by label: the text of a scope and `/` starts exactly the
texts of what lies below it (`hippocore.scopes`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hippocore.errors import AccessDenied


class Rights(NamedTuple):
    """The scopes, in their text form, that an agent reads and writes with what lies below them; none is no right."""

    agent: str
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()

    def may_read(self, scope: str) -> bool:
        """Return whether the agent may see that there is anything in the scope."""
        return _covers(self.read, scope)

    def may_write(self, scope: str) -> bool:
        """Return whether the agent may put memories into the scope; what is there it changes if it reads it too."""
        return _covers(self.write, scope)

    def require_read(self, scopes: Iterable[str]) -> None:
        """Raise AccessDenied for the first scope that the agent may not read."""
        for scope in scopes:
            if not self.may_read(scope):
                raise self._denied("read", scope)

    def require_write(self, scopes: Iterable[str]) -> None:
        """Raise AccessDenied for the first scope that the agent may not write."""
        for scope in scopes:
            if not self.may_write(scope):
                raise self._denied("write", scope)

    def changeable(self) -> list[str]:
        """Return the scopes that the agent both reads and writes, with what lies below them."""
        narrower = [one for one in self.read if self.may_write(one)] + [one for one in self.write if self.may_read(one)]
        return list(dict.fromkeys(narrower))

    def of_the_owner(self, verb: str) -> AccessDenied:
        """Return the error for a verb that shows or changes the whole store."""
        return AccessDenied(
            f"agent {self.agent!r} may not call {verb}: it is about the whole store. Call it on the layer that was "
            "opened, not on the agent's"
        )

    def _denied(self, right: str, scope: str) -> AccessDenied:
        return AccessDenied(
            f"agent {self.agent!r} may not {right} the scope {scope!r}: the policy has to name it, or a scope above "
            f"it, under {right!r}"
        )


def _covers(roots: Iterable[str], scope: str) -> bool:
    return any(scope == root or scope.startswith(f"{root}/") for root in roots)
