"""What `hippocore eval` and `hippocore tune` both take: the data set, and how it is written and asked."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hippocore.cli.usage import checked_embedder, usage_of

if TYPE_CHECKING:
    from hippocore.evaluate.settings import Setting

DataArgument = Annotated[Path, typer.Argument(metavar="DATA", help="The data set's file.")]


class Format(str, Enum):
    """What the file of a data set looks like."""

    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"
    JSONL = "jsonl"


class Mode(str, Enum):
    """What ranks the memories: recall's modes, and two plain methods beside them."""

    HYBRID = "hybrid"
    DENSE = "dense"
    LEXICAL = "lexical"
    BM25 = "bm25"
    RRF = "rrf"


class Speakers(str, Enum):
    """The names before the texts."""

    SAID = "said"
    SHUFFLED = "shuffled"
    SWAPPED = "swapped"
    NEUTRAL = "neutral"
    NONE = "none"


FormatOption = Annotated[Format | None, typer.Option(help="The file's format; guessed from it otherwise.")]


def setting(
    embedder: Annotated[str, typer.Option(help="local or minilm.")] = "local",
    mode: Annotated[
        Mode, typer.Option(help="As in recall; or plain BM25, or its rank fusion with cosine, to compare with.")
    ] = Mode.HYBRID,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="The limit of the recall that is timed.")] = 10,
    budget: Annotated[int, typer.Option("--budget", "-b", min=1, help="Tokens of a context.")] = 1000,
    ranking: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=VALUE,…", help="Arguments of Ranking, as in relevance=0.7,recency=0.3; other weights are 0."
        ),
    ] = None,
    speakers: Annotated[
        Speakers,
        typer.Option(
            help="The names before the texts: shuffled among them, swapped for another conversation's, the same "
            "neutral ones everywhere, or none."
        ),
    ] = Speakers.SAID,
    sources: Annotated[bool, typer.Option("--source/--no-source", help="Write each memory's source.")] = True,
    times: Annotated[bool, typer.Option("--time/--no-time", help="Write when each memory happened.")] = True,
    shuffled: Annotated[
        bool, typer.Option("--shuffle", help="Write a conversation's memories in a random order.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of what is shuffled and drawn.")] = 0,
) -> dict[str, Any]:
    """Return what was said, for `chosen`."""
    return {
        "embedder": embedder,
        "mode": mode.value,
        "limit": limit,
        "budget": budget,
        "speakers": speakers.value,
        "sources": sources,
        "times": times,
        "order": "shuffled" if shuffled else "said",
        "seed": seed,
        "ranking": ranking,
    }


def chosen(said: dict[str, Any]) -> Setting:
    """Return the setting that the options say; raises a usage error for a ranking that there is not."""
    from hippocore.evaluate.settings import Setting

    checked_embedder(said["embedder"])
    ranking = said["ranking"]
    made = Setting(**{name: value for name, value in said.items() if name != "ranking"})
    if ranking is None:
        return made
    with usage_of("--ranking"):
        return made.changed(ranking)
