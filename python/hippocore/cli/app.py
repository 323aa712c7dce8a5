"""The program: its commands in the order in which help shows them. Importing it imports typer, but no core."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer

from hippocore.cli import (
    backup,
    compact,
    context,
    demo,
    evaluation,
    forget,
    history,
    list_memories,
    maintain,
    recall,
    release,
    remember,
    scopes,
    show,
    stats,
    transfer,
    tuning,
    verify,
)
from hippocore.cli.failures import Commands
from hippocore.cli.settings import JsonOption, Settings, StoreOption

HELP = """The memory of an agent process, from the command line.

Examples:
  hippocore demo
  hippocore --store agent.mem remember "Ada deploys on Tuesdays" --kind fact
  hippocore --store agent.mem recall "when do we deploy?"
  hippocore --store agent.mem context "when do we deploy?" --budget 300
  HIPPOCORE_STORE=agent.mem hippocore list --json

The store is --store PATH or $HIPPOCORE_STORE; --store and --json may stand before or after the command.

Exit codes: 0 done, 1 an error said in one line on stderr, 2 wrong usage.
"""


def with_examples(text: str) -> str:
    """Return a help text whose examples keep their lines: a lone backspace is how click is told not to fold them."""
    return text.replace("Examples:\n", "\b\nExamples:\n")


app = typer.Typer(
    name="hippocore",
    cls=Commands,
    help=with_examples(HELP),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # typer's rich help would import rich for every --help
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        from hippocore import __version__

        print(f"hippocore {__version__}")
        raise typer.Exit


@app.callback()
def start(
    context: typer.Context,
    store: StoreOption = None,
    as_json: JsonOption = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Keep what was said before the command, for the command to find."""
    context.obj = Settings(store=store, as_json=as_json)


for name, function in {
    "demo": demo.demo,
    "remember": remember.remember,
    "recall": recall.recall,
    "context": context.context,
    "list": list_memories.list_memories,
    "show": show.show,
    "history": history.history,
    "forget": forget.forget,
    "release": release.release,
    "scopes": scopes.scopes,
    "stats": stats.stats,
    "maintain": maintain.maintain,
    "verify": verify.verify,
    "compact": compact.compact,
    "backup": backup.backup,
    "export": transfer.export,
    "import": transfer.import_,
    "eval": evaluation.evaluation,
    "tune": tuning.tuning,
}.items():
    app.command(name, help=with_examples(inspect.getdoc(function) or ""))(function)
