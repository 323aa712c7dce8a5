"""Links: which memories belong together, in what way, and how much.

A link is the id of the memory that it leads to, of a type and with a weight. A string is a link of the usual ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from hippocore.arguments import checked_fraction, checked_text

USUAL_TYPE: Final = "related"
USUAL_WEIGHT: Final = 1.0
Links = str | Mapping[str, Any] | Iterable[str | Mapping[str, Any]]
_FIELDS: Final = frozenset({"id", "type", "weight"})


class Link(str):
    """The id of the memory that a link leads to, which says of what `type` the link is and its `weight`, 0..1.

    Stands for the id wherever an id is wanted, and equals it; two links are equal when type and weight are too. Cannot
    be changed. Raises TypeError or ValueError for an empty id or type, and for a weight outside 0..1.
    """

    __slots__ = ("_type", "_weight")
    _type: str
    _weight: float

    def __new__(cls, id: str, type: str = USUAL_TYPE, weight: float = USUAL_WEIGHT) -> Link:
        """Return the link to an id."""
        link = super().__new__(cls, checked_text(id, "a link's id"))
        link._type = str(checked_text(type, "a link's type"))
        link._weight = checked_fraction(weight, "a link's weight") + 0.0  # no negative zero
        return link

    @property
    def type(self) -> str:
        """What kind of link it is: any word, "related" unless said."""
        return self._type

    @property
    def weight(self) -> float:
        """How much of its relevance a memory passes on along the link, 0..1."""
        return self._weight

    @property
    def is_plain(self) -> bool:
        """Whether type and weight are the usual ones, so that the id says it all."""
        return self._type == USUAL_TYPE and self._weight == USUAL_WEIGHT

    @property
    def as_json(self) -> str | dict[str, Any]:
        """The link as JSON says it: its id where that says it all, else an object."""
        return str(self) if self.is_plain else {"id": str(self), "type": self._type, "weight": self._weight}

    def __eq__(self, other: object) -> bool:
        same = str.__eq__(self, other)  # NotImplemented for what is no string
        if isinstance(other, Link):
            return same and (self._type, self._weight) == (other._type, other._weight)
        return same

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __repr__(self) -> str:
        return f"Link({str(self)!r}, type={self._type!r}, weight={self._weight:g})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Link, (str(self), self._type, self._weight)


def checked_links(values: Any) -> tuple[Link, ...]:
    """Return links from ids, Links and mappings with id, type and weight, in their order; one alone is a list of one.

    Of several of one id and type the strongest stays. Raises TypeError or ValueError; messages show no id.
    """
    if isinstance(values, (str, Mapping)):
        return (_checked_link(values),)
    if isinstance(values, bytes) or not isinstance(values, Iterable):
        raise TypeError(f"links must be a list of ids, Links or mappings, not {type(values).__name__}")
    return united(map(_checked_link, values))


def united(links: Iterable[Link]) -> tuple[Link, ...]:
    """Return the links without those that a stronger one of the same id and type stands for."""
    strongest: dict[tuple[str, str], Link] = {}
    for link in links:
        known = strongest.setdefault((str(link), link.type), link)
        if link.weight > known.weight:
            strongest[str(link), link.type] = link
    return tuple(strongest.values())


def texts_of(links: Iterable[Link]) -> list[str]:
    """Return what links say in words: their ids and types."""
    return [text for link in links for text in (str(link), link.type)]


def _checked_link(value: Any) -> Link:
    if isinstance(value, Link):
        return value
    if isinstance(value, str):
        return Link(checked_text(value, "each of links"))
    if not isinstance(value, Mapping):
        raise TypeError(
            f"each of links must be an id, a Link or a mapping with id, type and weight, not {type(value).__name__}"
        )
    if "id" not in value or not value.keys() <= _FIELDS:
        raise ValueError("each of links that is a mapping must have an id, may have type and weight, and nothing else")
    return Link(**value)
