"""Prints the demo's answers: the packed block, and the fused ranking beside what cosine alone would have returned."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from hippocore import Scored
from hippocore.cli.demo.ask import Answer, turn_of
from hippocore.cli.demo.questions import BUDGET, MIN_RELEVANCE, Question
from hippocore.cli.plain import packed_fields, plain_scored
from hippocore.cli.rows import Side, console, print_rows, print_table
from hippocore.cli.tables import NUMBERS, memory_age, signals
from hippocore.cli.terminal import clean, duration, shorten

WIDE = 150  # columns from which the two rankings fit side by side
WANTED, MISLEADING = "+ ", "! "


def print_answer(number: int, answer: Answer) -> None:
    """Print one question with everything that came back."""
    packed = answer.packed
    console().rule(f"{number}. {answer.question.text}", align="left")
    print(f"\n{clean(packed.text)}\n")
    print(
        f"{packed.tokens} of {BUDGET} tokens, {len(packed.memories)} memories; "
        f"one recall: {duration(answer.recall_seconds)} without the embedding\n"
    )
    if console().width >= WIDE:
        _print_side_by_side(answer)
    else:
        _print_one_after_the_other(answer)
    print(f"{_verdict('fused score', answer, answer.fused)}\n{_verdict('cosine alone', answer, answer.cosine)}\n")


def print_legend() -> None:
    """Say what the marks in the tables mean."""
    print(
        f"{WANTED}answers the question    {MISLEADING}out of date or beside the point\n"
        f"Both rankings leave out what has a relevance below {MIN_RELEVANCE}.\n"
    )


def as_json(answer: Answer) -> dict[str, Any]:
    """Return one answer for machines."""
    return {
        "question": answer.question.text,
        **packed_fields(answer.packed, BUDGET),
        "recall_seconds": answer.recall_seconds,
        "fused": {"memories": plain_scored(answer.fused), **_counts(answer, answer.fused)},
        "cosine": {"memories": plain_scored(answer.cosine), **_counts(answer, answer.cosine)},
    }


def _print_side_by_side(answer: Answer) -> None:
    columns: list[tuple[str, Side]] = [
        *NUMBERS,
        ("by fused score", "left"),
        ("cosine", "right"),
        ("by cosine alone", "left"),
    ]
    rows = zip_longest(_signal_rows(answer), _cosine_rows(answer))
    print_table(columns, ([*(fused or [""] * (len(NUMBERS) + 1)), *(cosine or ["", ""])] for fused, cosine in rows))


def _print_one_after_the_other(answer: Answer) -> None:
    print_rows([*NUMBERS, ("by fused score", "left")], _signal_rows(answer))
    print()
    print_rows([("cosine", "right"), ("by cosine alone", "left")], _cosine_rows(answer))


def _signal_rows(answer: Answer) -> Iterator[list[str]]:
    for scored in answer.fused:
        yield [*signals(scored, 2), memory_age(scored.memory), _content(answer.question, scored)]


def _cosine_rows(answer: Answer) -> Iterator[list[str]]:
    for scored in answer.cosine:
        yield [f"{scored.similarity:.2f}", _content(answer.question, scored)]


def _content(question: Question, scored: Scored) -> str:
    turn = turn_of(scored)
    mark = WANTED if turn in question.wanted else MISLEADING if turn in question.misleading else ""
    return mark + shorten(scored.memory.content, 90)


def _counts(answer: Answer, found: list[Scored]) -> dict[str, int]:
    return {"wanted": answer.wanted(found), "misleading": answer.misleading(found)}


def _verdict(name: str, answer: Answer, found: list[Scored]) -> str:
    return (
        f"{name:<12}  {answer.wanted(found)} of {len(answer.question.wanted)} that answer, "
        f"{answer.misleading(found)} misleading, in the first {len(found)}"
    )
