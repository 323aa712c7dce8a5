"""Policy: for each agent by name, the scopes that it reads and writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hippocore.arguments import checked_text
from hippocore.rights import Rights
from hippocore.scopes import scope_text

_RIGHTS: Final = ("read", "write")


class Policy:
    """Which scopes each agent reads and writes: `Policy({"coder": {"read": ["shared"], "write": ["agent:coder"]}})`.

    A scope stands for itself and what lies below it, label by label. An agent without an entry has no rights, and no
    entry is for everyone. Open a store with `policy=` and hand `as_agent(name)` to the agent's tools. The policy bounds
    what the verbs of that layer do; code in the same process can always reach around them. Frozen.
    Raises TypeError and ValueError for what is no policy, naming the agent and the right.
    """

    __slots__ = ("_rights",)
    _rights: Mapping[str, Rights]

    def __init__(self, agents: Mapping[str, Mapping[str, list[Any]]]) -> None:
        if not isinstance(agents, Mapping):
            raise TypeError(f"a policy must map the names of agents to their rights, not be {type(agents).__name__}")
        object.__setattr__(self, "_rights", {name: _checked_rights(name, given) for name, given in agents.items()})

    @property
    def agents(self) -> tuple[str, ...]:
        """The names that have an entry."""
        return tuple(self._rights)

    def rights_of(self, agent: str) -> Rights:
        """Return an agent's rights; those of a name without an entry are none."""
        name = checked_text(agent, "an agent's name")
        return self._rights.get(name) or Rights(name)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a policy does not change: make another one and open the store with it")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policy) and self._rights == other._rights

    def __hash__(self) -> int:
        return hash(frozenset(self._rights.values()))

    def __repr__(self) -> str:
        return f"Policy({self._plain()!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Policy, (self._plain(),)

    def _plain(self) -> dict[str, dict[str, list[str]]]:
        return {name: {"read": list(one.read), "write": list(one.write)} for name, one in self._rights.items()}


def _checked_rights(agent: Any, given: Any) -> Rights:
    name = checked_text(agent, "an agent's name")
    if not isinstance(given, Mapping):
        raise TypeError(
            f'the rights of {name!r} must be like {{"read": […], "write": […]}}, not {type(given).__name__}'
        )
    unknown = [right for right in given if right not in _RIGHTS]
    if unknown:
        raise ValueError(f'the rights of {name!r} name {unknown[0]!r}: there are "read" and "write"')
    return Rights(name, *(_checked_scopes(name, right, given.get(right, [])) for right in _RIGHTS))


def _checked_scopes(agent: str, right: str, scopes: Any) -> tuple[str, ...]:
    if not isinstance(scopes, list):
        raise TypeError(
            f"{right!r} of {agent!r} must be a list of scopes, not {type(scopes).__name__}: one is a list too"
        )
    try:
        return tuple(dict.fromkeys(map(scope_text, scopes)))
    except (TypeError, ValueError) as error:
        raise type(error)(f"{right!r} of {agent!r}: {error}") from None
