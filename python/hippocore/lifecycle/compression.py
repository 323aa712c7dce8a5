"""What consolidate, summarize and reflect return: ids and reasons, and no content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Made(NamedTuple):
    """One memory that was made of others, or that a dry run would make.

    `id` is where it is; None for a dry run's. `members` are the ids of what it is made of, in order of time; `archived`
    says whether they were put aside. `reason` says why these, and whose words they are.
    """

    id: str | None
    kind: str
    members: tuple[str, ...]
    archived: bool
    reason: str


class Left(NamedTuple):
    """Memories of which none was made after all, and why."""

    members: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Compression:
    """What one call made of the memories of a scope, and what it left as it was. `dry_run`: nothing was written."""

    made: tuple[Made, ...]
    left: tuple[Left, ...]
    dry_run: bool

    @property
    def archived(self) -> tuple[str, ...]:
        """The ids of all that was put aside, in order."""
        return tuple(member for made in self.made if made.archived for member in made.members)


def compression(outcomes: Sequence[Made | Left], *, dry_run: bool) -> Compression:
    """Return what came of a call, in its order."""
    made = tuple(one for one in outcomes if isinstance(one, Made))
    return Compression(made, tuple(one for one in outcomes if isinstance(one, Left)), dry_run)
