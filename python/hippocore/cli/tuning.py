"""`hippocore tune`: the weights that answer a data set best, and whether they are better on what they have not seen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hippocore.cli.evaluation_options import FormatOption, chosen, setting
from hippocore.cli.plain import plain, print_json
from hippocore.cli.progress import bar
from hippocore.cli.settings import Settings, settings
from hippocore.cli.takes import takes
from hippocore.cli.usage import checked_embedder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hippocore.cli.rows import Side
    from hippocore.evaluate.duplicates import Threshold
    from hippocore.evaluate.tuning import Tuning

_OF_DUPLICATES = ("duplicates", "embedder", "as_json")


@takes(setting=setting, settings=settings)
def tuning(
    setting: dict[str, Any],
    settings: Settings,
    context: typer.Context,
    data: Annotated[Path | None, typer.Argument(metavar="DATA", help="The data set's file.")] = None,
    format: FormatOption = None,
    folds: Annotated[
        int | None,
        typer.Option(min=2, help="Into how many parts the conversations are dealt; 5 where there are as many."),
    ] = None,
    pool: Annotated[int, typer.Option(min=1, help="Memories that are weighed anew for each question.")] = 200,
    duplicates: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Instead: the duplicate threshold of --embedder, from pairs that are or are not the same.",
        ),
    ] = None,
) -> None:
    """Fit the weights, or the threshold of duplicates, to data.

    Says what the weights gain on questions that they were not fitted to.

    DATA is a file as of eval. What is fitted is the share of the evidence among the first --limit. The weights to begin
    with are the defaults, or those of --ranking. Nothing is changed: open your store with the Ranking that is printed.

    With --duplicates: the cosine that 95 of 100 pairs that say the same reach, but not below what half of the others
    reach. FILE has lines like {"a": "Staging is db1.", "b": "Staging: db1", "same": true}. Nothing is changed either:
    give it to your embedder as its duplicate_threshold.

    Examples:
      hippocore tune questions.jsonl
      hippocore tune questions.jsonl --ranking recency_of=event --limit 5
      hippocore tune questions.jsonl --folds 10 --json
      hippocore tune --duplicates pairs.jsonl --embedder minilm

    """
    if duplicates is not None:
        _refuse_other_options(context)
        _tune_duplicates(duplicates, setting["embedder"], settings.as_json)
        return
    if data is None:
        raise typer.BadParameter(
            "a file is needed, of questions as DATA or of pairs as --duplicates", param_hint="DATA"
        )
    from hippocore.evaluate.files import read_file
    from hippocore.evaluate.settings import PLAIN
    from hippocore.evaluate.tuning import steps, tune

    asked = chosen(setting)
    if asked.mode in PLAIN:
        raise typer.BadParameter(f"{asked.mode} has no weights to tune", param_hint="--mode")
    read = read_file(data, format.value if format else None)
    with bar("Tuning", steps(read, asked)) as advance:
        found = tune(read, asked, folds=folds, pool=pool, advance=advance)
    if settings.as_json:
        print_json({**plain(found), "gained": found.gained})
    else:
        from hippocore.cli.evaluation_tables import print_data

        print_data(read)
        _print(found)


def _tune_duplicates(path: Path, word: str, as_json: bool) -> None:
    from hippocore.evaluate.duplicates import embedder_of, read_pairs, threshold_of_pairs

    pairs, embedder = read_pairs(path), embedder_of(checked_embedder(word))
    found = threshold_of_pairs(pairs, embedder)
    if as_json:
        print_json({"embedder": embedder.name, "has": embedder.duplicate_threshold, **plain(found)})
    else:
        print(f"{embedder.name}: duplicate_threshold={found.threshold:.2f} (it has {embedder.duplicate_threshold:g})")
        _print_spreads(found)


def _refuse_other_options(context: typer.Context) -> None:
    """Raise a usage error for whatever else was said: it would do nothing."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is not None and source.name == "COMMANDLINE" and parameter.name not in _OF_DUPLICATES:
            hint = parameter.opts[0] if parameter.param_type_name == "option" else "DATA"
            raise typer.BadParameter("it is of questions, not of --duplicates", param_hint=hint)


def _print_spreads(found: Threshold) -> None:
    from hippocore.cli.rows import print_table
    from hippocore.evaluate.duplicates import PERCENTILES

    columns: list[tuple[str, Side]] = [("pairs", "left"), ("count", "right")]
    columns += [(f"p{percentile}", "right") for percentile in PERCENTILES] + [("reach it", "right")]
    rows = [
        [name, spread.pairs, *(f"{value:.3f}" for value in spread.percentiles), f"{spread.reach:.1%}"]
        for name, spread in (("the same", found.same), ("different", found.different))
    ]
    print_table(columns, rows)


def _print(found: Tuning) -> None:
    from hippocore.cli.rows import print_table

    columns: list[tuple[str, Side]] = [("held out", "left"), ("questions", "right"), ("fitted to the others", "left")]
    columns += [("before", "right"), ("after", "right")]
    rows = [
        [", ".join(fold.conversations), fold.questions, _shown(fold.weights), f"{fold.before:.4f}", f"{fold.after:.4f}"]
        for fold in found.folds
    ]
    print(f"start: {_shown(found.start)}")
    if found.constant:
        print(f"the same for all memories, so that their weights cannot matter: {', '.join(found.constant)}")
    print_table(columns, rows)
    difference, low, high, _ = found.gain
    print(f"recall@{found.limit} of held-out questions: {found.before:.4f} before, {found.after:.4f} after", end="")
    print(f": {difference:+.4f} (95 %: {low:+.4f} to {high:+.4f})")
    if found.gained:
        print(f"They gain. Fitted to all questions: Ranking({_shown(found.weights)})")
    else:
        print("The held-out questions show no gain: keep the weights that you have.")


def _shown(weights: Mapping[str, float]) -> str:
    return ", ".join(f"{name}={weight:g}" for name, weight in weights.items())
