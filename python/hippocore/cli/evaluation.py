"""`hippocore eval`: how well recall answers the questions of a data set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hippocore.cli.evaluation_options import DataArgument, FormatOption, chosen, setting
from hippocore.cli.plain import plain, print_json
from hippocore.cli.progress import bar
from hippocore.cli.settings import Settings, settings
from hippocore.cli.takes import takes
from hippocore.cli.usage import checked_embedder, usage_of

if TYPE_CHECKING:
    from hippocore.evaluate.bootstrap import Interval
    from hippocore.evaluate.dataset import DataSet
    from hippocore.evaluate.report import Report
    from hippocore.evaluate.settings import Setting


@takes(setting=setting, settings=settings)
def evaluation(
    data: DataArgument,
    setting: dict[str, Any],
    settings: Settings,
    format: FormatOption = None,
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=VALUE,…",
            help="Ask with a second setting too, which differs in these: embedder, mode, limit, budget, speakers, "
            "sources, times, order, seed, or an argument of Ranking.",
        ),
    ] = None,
    by_reply: Annotated[
        bool,
        typer.Option("--replies", help="Ask what was said for the reply that it got, not the questions of the file."),
    ] = False,
    by_confidence: Annotated[
        bool,
        typer.Option(
            "--abstention", help="Only how well confidence tells a question's own conversation from the others."
        ),
    ] = False,
    halves: Annotated[
        bool, typer.Option("--halves", help="Also the first and the second half of the conversations apart.")
    ] = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Draw the share of the evidence found at 10.")
    ] = None,
) -> None:
    """Measure whether the questions of a data set find their memories.

    DATA is a file of LoCoMo, of LongMemEval, or JSON Lines of your own, one memory or question a line:
    {"memory": "…", "id": "m1", "scope": "user:ada"} and {"question": "…", "expected": ["m1"], "scope": "user:ada"}.
    Everything is written into a temporary store; --store is not used.

    Examples:
      hippocore eval locomo10.json --halves
      hippocore eval questions.jsonl --embedder minilm --json > figures.json
      hippocore eval locomo10.json --compare mode=dense --picture figures.svg
      hippocore eval locomo10.json --speakers shuffled --no-source
      hippocore eval locomo10.json --abstention --speakers neutral

    """
    if picture is not None and picture.suffix != ".svg":
        raise typer.BadParameter("pictures are SVG: name a file that ends in .svg", param_hint="--picture")
    from hippocore.evaluate.asking import evaluate, steps
    from hippocore.evaluate.files import read_file
    from hippocore.evaluate.replies import replies
    from hippocore.evaluate.report import compared, report

    asked = [chosen(setting)]
    if compare is not None:
        with usage_of("--compare"):
            asked.append(asked[0].changed(compare))
        checked_embedder(asked[1].embedder, "--compare")
    read = read_file(data, format.value if format else None)
    if by_reply:
        read = replies(read)
    if by_confidence:
        _ask_for_confidence(read, asked, as_json=settings.as_json)
        return
    with bar("Evaluating", steps(read, asked)) as advance:
        runs = evaluate(read, asked, advance)
    reports = [report(run, conversations=len(read.conversations), halves=halves) for run in runs]
    intervals = compared(runs[0], runs[1], seed=asked[0].seed) if compare is not None else {}
    if picture is not None:
        from hippocore.evaluate.picture import drawn

        picture.write_text(drawn(reports), encoding="utf-8")
    _show(read, reports, intervals, as_json=settings.as_json)


def _ask_for_confidence(data: DataSet, asked: list[Setting], *, as_json: bool) -> None:
    from hippocore.evaluate.abstention import abstention, steps

    with bar("Evaluating", steps(data) * len(asked)) as advance:
        found = [abstention(data, setting, advance) for setting in asked]
    if as_json:
        print_json(found)
        return
    from hippocore.cli.evaluation_tables import print_abstention, print_data

    print_data(data)
    print_abstention(found)


def _show(data: DataSet, reports: list[Report], intervals: dict[str, Interval], *, as_json: bool) -> None:
    if as_json:
        size = {"format": data.format, "conversations": len(data.conversations), "memories": data.entries}
        counts = {**size, "questions": data.questions, "left_out": data.left_out}
        print_json({"data": counts, "runs": plain(reports), "differences": plain(intervals)})
        return
    from hippocore.cli.evaluation_tables import print_data, print_differences, print_report

    print_data(data)
    for report in reports:
        print_report(report)
    if intervals:
        print_differences(reports[0], reports[1], intervals)
