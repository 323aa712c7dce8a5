"""From what a reading verb was asked for to the store's own filter: which versions take part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from hippocore.arguments import checked_choice, checked_flag, checked_texts
from hippocore.facets import pair_facets, tag_facet
from hippocore.metadata import checked_conditions
from hippocore.scopes import Scopes, scope_texts
from hippocore.stores.protocol import TRUST, Store
from hippocore.times import Moment, microseconds

_TAG_MODES = ("any", "all")


class Conditions(NamedTuple):
    """Which memories a recall is about, as its caller said it; None is no condition, an empty list is never met."""

    scope: Scopes
    subtree: bool
    kinds: Iterable[str] | None
    tags: Iterable[str] | None
    tags_match: str
    since: Moment | None
    until: Moment | None
    as_of: Moment | None
    min_trust: str | None
    metadata: Mapping[str, Any] | None
    archived: bool = False  # only what was put aside


def repeatable(asked: Conditions) -> Conditions:
    """Return the conditions so that a filter can be made of them more than once: what can be read once is a list."""
    kinds, tags = (list(said) if isinstance(said, Iterator) else said for said in (asked.kinds, asked.tags))
    return asked._replace(kinds=kinds, tags=tags)


def recall_filter(store: Store, now: int, asked: Conditions, **more: Any) -> Any:
    """Return the filter of a recall at a moment, with `more` conditions of the store's own."""
    scope, subtree, kinds, tags, tags_match, since, until, as_of, min_trust, metadata, archived = asked
    options = _places(scope, subtree, kinds)
    if tags is not None or metadata is not None or tags_match != "any":
        options.update(_facets(tags, tags_match, metadata))
    for name, moment in (("since", since), ("until", until), ("as_of", as_of)):
        if moment is not None:
            options[name] = microseconds(moment, name)
    if min_trust is not None:
        options["min_trust"] = TRUST[checked_choice(min_trust, "min_trust", TRUST)]
    if archived:
        options["archived"] = True
    return store.new_filter(now=now, **options, **more)


def listing_filter(
    store: Store,
    now: int,
    scope: Scopes,
    subtree: bool,
    kinds: Iterable[str] | None,
    quarantined: bool,
    archived: bool,
) -> Any:
    """Return the filter of list and count."""
    return store.new_filter(
        now=now,
        quarantined=checked_flag(quarantined, "quarantined"),
        archived=checked_flag(archived, "archived"),
        **_places(scope, subtree, kinds),
    )


def _places(scope: Scopes, subtree: bool, kinds: Iterable[str] | None) -> dict[str, Any]:
    places: dict[str, Any] = {"scopes": scope_texts(scope)}
    if checked_flag(subtree, "subtree"):
        places["subtree"] = True
    if kinds is not None:
        places["kinds"] = checked_texts(kinds, "kinds")
    return places


def _facets(tags: Iterable[str] | None, tags_match: str, metadata: Mapping[str, Any] | None) -> dict[str, list[bytes]]:
    checked_choice(tags_match, "tags_match", _TAG_MODES)
    wanted = pair_facets(checked_conditions(metadata)) if metadata is not None else []
    if tags is None:
        return {"all_facets": wanted}
    tag_facets = [tag_facet(tag) for tag in checked_texts(tags, "tags")]
    if tags_match == "all" and tag_facets:
        return {"all_facets": wanted + tag_facets}
    return {"any_facets": tag_facets, "all_facets": wanted}
