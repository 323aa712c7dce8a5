"""Names: which memory an id leads to for one viewer, and under which id a memory is shown to it.

The owner's ids are the store's own. What an agent gives as an id is its own name for the memory: its key is made from
the agent and the name, whatever else is in the store, so that neither the key nor the outcome of remembering depends on
memories that the agent cannot see. A name leads to the first memory that its viewer can read: of its own names, of the
owner's ids, of the other agents' names. A memory is shown under its name to whom the name leads there, and under the
32 digits of its key to everyone else, which lead there too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from hippocore.arguments import checked_texts
from hippocore.deferred import Deferred
from hippocore.extra import Extra, pack_extra
from hippocore.identifiers import SIZE, is_literal, key_of, name_key

if TYPE_CHECKING:
    from hippocore import records
    from hippocore.agent_store import AgentStore
    from hippocore.stores.protocol import RowTuple, Store
else:
    records = Deferred("hippocore.records")

Holds = Callable[[bytes], bool]
_ROWS_WITHOUT_ID = (b"", pack_extra())


class Names:
    """The names that the owner of a store sees, with those of its policy's agents; without agents, ids are keys."""

    def __init__(self, store: Store, agents: Sequence[str] = ()) -> None:
        self._store = store
        self._agents = tuple(agents)

    @property
    def all_as_kept(self) -> bool:
        """Whether every row shows its ids as they are kept."""
        return not self._agents

    def key_of(self, identifier: Any, holds: Holds | None = None) -> bytes:
        """Return the key that an id leads to; one that nothing holds where it leads nowhere. Raises as `key_of` does.

        `holds` tells of a key whether a memory that may be read has it, for those who know of more than the store.
        """
        plain = key_of(identifier)
        if self.all_as_kept:
            return plain
        return next(filter(holds or self._store.contains, self._candidates(identifier, plain)), plain)

    def keys_of(self, identifiers: Any) -> dict[bytes, str]:
        """Return the keys of one id or of several, each with the id as it was given, once, in their order."""
        return {self.key_of(identifier): identifier for identifier in checked_texts(identifiers, "ids")}

    def key_for(self, name: str) -> bytes:
        """Return the key for a new memory under an id that leads to none, or to one that has expired."""
        return key_of(name)

    def key_unseen(self, scope: str, name: str, content: str) -> bytes:
        """Return the key for a new memory in a scope that its writer cannot read, which the owner never is."""
        return self.key_for(name)

    def hidden_row(self, key: bytes) -> RowTuple | None:
        """Return what holds a key out of its viewer's sight."""
        return None

    def kept(self, identifier: str) -> dict[str, str]:
        """Return what is kept beside a memory of the id that its caller gave."""
        return {} if is_literal(identifier) else {"kept_id": identifier}

    def id_of(self, key: bytes, extra: Extra) -> str:
        """Return the id under which a memory is shown."""
        if self.all_as_kept:
            return extra.id or key.hex()
        given = extra.id or extra.name
        return given if given and self.key_of(given) == key else key.hex()

    def ids_of(self, keys: bytes, extras: Sequence[bytes]) -> list[str]:
        """Return the ids under which many memories are shown, of their keys, one behind the other, and their extras."""
        digits = keys.hex()
        ids = [digits[first : first + 2 * SIZE] for first in range(0, len(digits), 2 * SIZE)]
        for place, extra in enumerate(extras):
            if extra not in _ROWS_WITHOUT_ID:
                key = keys[place * SIZE : (place + 1) * SIZE]
                ids[place] = self.id_of(key, records.extra_of(key, extra))
        return ids

    def shown(self, row: RowTuple) -> RowTuple:
        """Return a row as its viewer may see it: with the ids that lead where they say."""
        if self.all_as_kept or row[2] in _ROWS_WITHOUT_ID:
            return row
        said = records.checked_extra(row)
        identifier = self.id_of(row[0], said)
        given = None if identifier == row[0].hex() else identifier
        shown = said._replace(id=given, name=None, supersedes=self._shown_link(said.supersedes))
        return (*row[:2], pack_extra(*shown), *row[3:])

    def _candidates(self, identifier: str, plain: bytes) -> Iterator[bytes]:
        yield plain
        for agent in self._agents:
            yield name_key(agent, identifier)

    def _shown_link(self, supersedes: str | None) -> str | None:
        return supersedes


class AgentNames(Names):
    """The names that one agent sees. `store` is the store through its rights."""

    def __init__(self, store: AgentStore, agents: Sequence[str], viewer: str) -> None:
        super().__init__(store, agents)
        self._seen = store
        self._viewer = viewer

    @property
    def all_as_kept(self) -> bool:
        """Never: an id may lead to what the agent cannot see."""
        return False

    def key_for(self, name: str) -> bytes:
        """Return the key for a new memory under a name of the agent's."""
        return list(self._names_of(self._viewer, name))[-1]

    def key_unseen(self, scope: str, name: str, content: str) -> bytes:
        """Return one key for each name and content, so that a retry finds it taken by what it says itself."""
        return name_key(self._viewer, name, scope, content)

    def hidden_row(self, key: bytes) -> RowTuple | None:
        """Return what holds a key without being readable."""
        return self._seen.hidden_row(key)

    def kept(self, identifier: str) -> dict[str, str]:
        """Return the name that the agent gave."""
        return {"name": identifier}

    def _candidates(self, identifier: str, plain: bytes) -> Iterator[bytes]:
        yield from self._names_of(self._viewer, identifier)
        yield plain
        for agent in self._agents:
            if agent != self._viewer:
                yield from self._names_of(agent, identifier)

    def _names_of(self, agent: str, name: str) -> Iterator[bytes]:
        """Give the key of an agent's name, and further ones while a memory that is out of sight holds it.

        The agent that gave it saw it then; a policy that was changed since may have taken that away.
        """
        for turn in count():
            key = name_key(agent, name) if turn == 0 else name_key(agent, name, str(turn))
            yield key
            if self.hidden_row(key) is None:
                return

    def _shown_link(self, supersedes: str | None) -> str | None:
        """Return the id of what was superseded while that can be read: gone and out of sight are alike."""
        if supersedes is None:
            return None
        key = key_of(supersedes)
        if not self._store.contains(key):
            return None
        return self.id_of(key, records.checked_extra(self._store.get([key])[0]))
