"""The options that say which memories take part: of recall and context, and the shorter sets of list and forget."""

from __future__ import annotations

import json
from datetime import datetime
from enum import Enum
from typing import Annotated, Any

import typer

from hippocore.cli.times import past
from hippocore.cli.usage import checked_scope, fraction, usage_of

ScopesOption = Annotated[
    list[str] | None,
    typer.Option("--scope", "-s", metavar="SCOPE", help="Scope, as in user:ada/agent:coder; several may be named."),
]
SubtreeOption = Annotated[bool, typer.Option("--subtree", help="What lies below the scopes too.")]
EverywhereOption = Annotated[bool, typer.Option("--all", help="Every scope of the store.")]
KindsOption = Annotated[
    list[str] | None,
    typer.Option("--kind", "-k", metavar="KIND", help="Only this kind (episode, fact, …); repeatable."),
]
TagsOption = Annotated[
    list[str] | None, typer.Option("--tag", "-t", metavar="TAG", help="Only with this tag; repeatable.")
]


class Mode(str, Enum):
    """What makes a memory relevant."""

    HYBRID = "hybrid"
    DENSE = "dense"
    LEXICAL = "lexical"


def reading_scope(scopes: list[str] | None, everywhere: bool) -> Any:
    """Return what the layer's `scope=` takes: ALL, one scope, a list of several, or None where nothing was said."""
    if everywhere:
        if scopes:
            raise typer.BadParameter("say --scope or --all, not both", param_hint="--all")
        from hippocore import ALL

        return ALL
    if not scopes:
        return None
    for scope in scopes:
        checked_scope(scope)
    return scopes[0] if len(scopes) == 1 else scopes


def filters(
    scope: ScopesOption = None,
    subtree: SubtreeOption = False,
    everywhere: EverywhereOption = False,
    kind: KindsOption = None,
    tag: TagsOption = None,
    all_tags: Annotated[
        bool, typer.Option("--all-tags", help="Every --tag must be there; else one is enough.")
    ] = False,
    since: Annotated[
        datetime | None,
        typer.Option(
            parser=past, metavar="WHEN", help="From then on: an ISO date with its zone, or 3d for three days ago."
        ),
    ] = None,
    until: Annotated[datetime | None, typer.Option(parser=past, metavar="WHEN", help="Before then.")] = None,
    as_of: Annotated[
        datetime | None, typer.Option(parser=past, metavar="WHEN", help="As the store would have answered then.")
    ] = None,
    mode: Annotated[
        Mode | None, typer.Option(help="What makes a memory relevant: similarity and words (hybrid), or one of them.")
    ] = None,
    min_relevance: Annotated[
        float | None, typer.Option(parser=fraction, metavar="0..1", help="Only from this relevance on.")
    ] = None,
    metadata: Annotated[
        list[str] | None,
        typer.Option("--metadata", "-m", metavar="KEY=VALUE", help="Only with this metadata; repeatable."),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=WEIGHT,…", help="Weights of the signals, as in relevance=0.7,recency=0.3; the others 0."
        ),
    ] = None,
) -> dict[str, Any]:
    """Return the arguments of `MemoryLayer.recall` that were said; what was not said keeps the layer's default."""
    said: dict[str, Any] = {
        "scope": reading_scope(scope, everywhere),
        "kinds": kind or None,
        "tags": tag or None,
        "tags_match": "all" if all_tags else None,
        "since": since,
        "until": until,
        "as_of": as_of,
        "mode": mode.value if mode else None,
        "min_relevance": min_relevance,
        "metadata": pairs(metadata) or None,
        "ranking": _ranking(weights) if weights else None,
    }
    return {"subtree": subtree, **{name: value for name, value in said.items() if value is not None}}


def pairs(texts: list[str] | None) -> dict[str, Any]:
    """Return KEY=VALUE texts as a dictionary; a value that is JSON is taken as JSON, any other as text."""
    made: dict[str, Any] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise typer.BadParameter("it is not KEY=VALUE", param_hint="--metadata")
        try:
            made[key] = json.loads(value)
        except ValueError:
            made[key] = value
    return made


def links(texts: list[str] | None) -> list[Any]:
    """Return links: an id is a link by itself, a JSON object says its id, type and weight."""
    return [_link(text) for text in texts or ()]


def _link(text: str) -> Any:
    if not text.startswith("{"):
        return text
    from hippocore import Link

    try:
        return Link(**json.loads(text))
    except (TypeError, ValueError):
        wanted = '{"id": "…", "type": "…", "weight": 0.5} with an id, and a weight from 0 to 1'
        raise typer.BadParameter(f"it is not {wanted}", param_hint="--link") from None


def _ranking(text: str) -> Any:
    from hippocore import Ranking

    weights = dict.fromkeys(("relevance", "recency", "importance", "usage"), 0.0)
    for part in text.split(","):
        name, _, weight = part.partition("=")
        try:
            number = float(weight)
        except ValueError:
            number = None
        if name.strip() not in weights or number is None:
            wanted = f"one of {', '.join(weights)} with =NUMBER"
            raise typer.BadParameter(f"{part!r} is not {wanted}", param_hint="--weights")
        weights[name.strip()] = number
    arguments: dict[str, Any] = dict(weights)
    with usage_of("--weights"):
        return Ranking(**arguments)
