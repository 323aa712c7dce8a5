"""`hippocore tune`: the weights that answer a data set best, and whether they are better on what they have not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from hippocore.cli.evaluation_options import DataArgument, FormatOption, chosen, setting
from hippocore.cli.plain import plain, print_json
from hippocore.cli.progress import bar
from hippocore.cli.settings import Settings, settings
from hippocore.cli.takes import takes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hippocore.cli.rows import Side
    from hippocore.evaluate.tuning import Tuning


@takes(setting=setting, settings=settings)
def tuning(
    data: DataArgument,
    setting: dict[str, Any],
    settings: Settings,
    format: FormatOption = None,
    folds: Annotated[
        int | None,
        typer.Option(min=2, help="Into how many parts the conversations are dealt; 5 where there are as many."),
    ] = None,
    pool: Annotated[int, typer.Option(min=1, help="Memories that are weighed anew for each question.")] = 200,
) -> None:
    """Fit the ranking's weights to a data set, and say what they gain on questions that they were not fitted to.

    DATA is a file as of eval. What is fitted is the share of the evidence among the first --limit. The weights to begin
    with are the defaults, or those of --ranking. Nothing is changed: open your store with the Ranking that is printed.

    Examples:
      hippocore tune questions.jsonl
      hippocore tune questions.jsonl --ranking recency_of=event --limit 5
      hippocore tune questions.jsonl --folds 10 --json

    """
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
