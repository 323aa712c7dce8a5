"""`hippocore demo`: the main job on real texts, in one command."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hippocore.cli.plain import print_json
from hippocore.cli.settings import Settings, settings
from hippocore.cli.takes import takes

if TYPE_CHECKING:
    from hippocore.cli.demo.ask import Answer


@takes(settings=settings)
def demo(
    settings: Settings,
    fresh: Annotated[bool, typer.Option("--fresh", help="Make the demo's store anew.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, hidden=True, help="At most so many docstrings.")
    ] = None,
) -> None:
    """Ask five questions of thousands of real texts.

    First remembers the docstrings of Python's standard library and an agent's working week. Needs no network and less
    than a minute. The store stays (in the user's cache folder, or at --store) and the next run opens it;
    $HIPPOCORE_STORE is not used.

    Examples:
      hippocore demo
      hippocore demo --fresh
      hippocore demo --store /tmp/demo.mem --json

    """
    from hippocore.cli.demo.build import default_path

    path = Path(settings.store) if settings.store else default_path()
    made = _made(path, fresh=fresh, limit=limit)
    opened, answers, summary = _asked(path)
    if settings.as_json:
        _print_json(answers, {**summary, "made_seconds": made, "opened_seconds": opened})
    else:
        _print(answers, path, summary["memories"], made, opened)


def _made(path: Path, *, fresh: bool, limit: int | None) -> float | None:
    """Make the store where there is none or `fresh` asks for it; return the seconds that took.

    Raises ValueError where the path holds something else than a demo's store.
    """
    import shutil

    from hippocore.cli.demo.build import build, is_demo

    if path.exists() and not _is_empty(path):
        if not is_demo(path):
            raise ValueError(f"{path} is not a store that the demo made: say another --store")
        if not fresh:
            return None
        shutil.rmtree(path)
    start = time.perf_counter()
    build(path, now=time.time(), limit=limit)
    return time.perf_counter() - start


def _is_empty(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


def _asked(path: Path) -> tuple[float, list[Answer], dict[str, Any]]:
    """Open the store and ask the questions; return the seconds that opening took, the answers and the store's size."""
    from hippocore import MemoryLayer
    from hippocore.cli.demo.ask import ask
    from hippocore.cli.demo.questions import QUESTIONS
    from hippocore.embedders import LocalEmbedder

    vectors = LocalEmbedder()([question.text for question in QUESTIONS])
    start = time.perf_counter()
    with MemoryLayer(path, create=False, read_only=True) as memory_layer:
        opened = time.perf_counter() - start
        answers = [ask(memory_layer, question, vector) for question, vector in zip(QUESTIONS, vectors, strict=True)]
        return opened, answers, {"store": path, "memories": memory_layer.count()}


def _print_json(answers: list[Answer], summary: dict[str, Any]) -> None:
    from hippocore.cli.demo.report import as_json

    print_json({**summary, "questions": [as_json(answer) for answer in answers]})


def _print(answers: list[Answer], path: Path, memories: int, made: float | None, opened: float) -> None:
    from hippocore.cli.demo.report import print_answer, print_legend
    from hippocore.cli.terminal import duration

    if made is not None:
        print(f"remembered {memories} texts in {duration(made)}: the standard library and an agent's week")
    print(f"opened {path} with {memories} memories in {duration(opened)}\n")
    for number, answer in enumerate(answers, 1):
        print_answer(number, answer)
    print_legend()
    print(f'Now ask it yourself:\n  hippocore --store "{path}" recall "how do I deploy?" --scope user:ada --subtree')
