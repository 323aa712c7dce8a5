"""What `hippocore eval` and `hippocore tune` show to people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hippocore.cli.rows import Side, print_table
from hippocore.cli.terminal import duration

if TYPE_CHECKING:
    from hippocore.evaluate.abstention import Abstention
    from hippocore.evaluate.bootstrap import Interval
    from hippocore.evaluate.dataset import DataSet
    from hippocore.evaluate.report import Means, Report

RANKED = {
    "recall@5": "@5", "recall@10": "@10", "recall@20": "@20", "recall@50": "@50", "recall_any@10": "any",
    "recall_all@10": "all", "ndcg@10": "nDCG", "mrr": "MRR", "stale@10": "stale",
}  # fmt: skip
PACKED = {
    "context_recall_all": "all evidence", "context_recall": "share of it", "context_precision": "precision",
    "context_tokens": "tokens",
}  # fmt: skip


def print_data(data: DataSet) -> None:
    """Print how large the data set is, and what of it is left out."""
    left_out = f", {data.left_out} left out: they name no evidence that exists" if data.left_out else ""
    print(f"{data.format}: {len(data.conversations)} conversations, {data.entries} memories", end="")
    print(f", {data.questions} questions{left_out}")


def print_report(report: Report) -> None:
    """Print a run: how well it ranked, what fitted the budget, how long it took."""
    from hippocore.evaluate.picture import groups_of

    groups = groups_of(report)
    print(f"\n{report.setting}")
    if report.refused:
        print(f"{report.refused} of {report.memories} memories were refused by the guard and cannot be found")
    print("recalled: share of the evidence among the first 5 to 50; any, all, nDCG and stale at 10")
    _print_groups(groups, RANKED)
    print(f"in a context of {report.budget} tokens")
    _print_groups(groups, PACKED)
    latency = report.latency
    print(f"recall p50 {_time(latency.p50)}, p95 {_time(latency.p95)}; without embedding the question p50 ", end="")
    print(f"{_time(latency.p50_without_embedding)}, p95 {_time(latency.p95_without_embedding)}")


def print_abstention(found: Sequence[Abstention]) -> None:
    """Print how well confidence tells the right conversation from the wrong ones, a line a setting."""
    columns: list[tuple[str, Side]] = [("confidence", "left"), ("AUROC", "right"), ("mean right", "right")]
    columns += [("wrong", "right"), ("above 0.5 right", "right"), ("wrong", "right")]
    print_table(columns, [_abstention_row(one) for one in found])


def print_differences(first: Report, second: Report, intervals: Mapping[str, Interval]) -> None:
    """Print two settings side by side."""
    print(f"\nfirst: {first.setting}\nsecond: {second.setting}")
    columns: list[tuple[str, Side]] = [("figure", "left"), ("first", "right"), ("second", "right")]
    columns += [("difference", "right"), ("95 % from", "right"), ("to", "right"), ("", "left")]
    print_table(columns, [_difference(name, first, second, interval) for name, interval in intervals.items()])


def _abstention_row(one: Abstention) -> list[object]:
    values = (one.auroc, one.right_mean, one.wrong_mean, one.right_above_half, one.wrong_above_half)
    return [one.setting, *(f"{value:.3f}" for value in values)]


def _difference(name: str, first: Report, second: Report, interval: Interval) -> list[str]:
    said = "" if interval.low <= 0 <= interval.high else "0 is outside"
    values = [_number(name, report.all.figures[name]) for report in (first, second)]
    return [name, *values, *(_number(name, value, sign="+") for value in interval[:3]), said]


def _print_groups(groups: Mapping[str, Means], figures: Mapping[str, str]) -> None:
    shown = [name for name in figures if any(name in means.figures for means in groups.values())]
    columns: list[tuple[str, Side]] = [("", "left"), ("asked", "right")]
    columns += [(figures[name], "right") for name in shown]
    print_table(columns, [_row(name, means, shown) for name, means in groups.items()])


def _row(name: str, means: Means, shown: Sequence[str]) -> list[object]:
    values = [_number(figure, means.figures[figure], digits=3) if figure in means.figures else "" for figure in shown]
    return [name, means.questions, *values]


def _number(name: str, value: float, sign: str = "", digits: int = 4) -> str:
    return f"{value:{sign}.{0 if name == 'context_tokens' else digits}f}"


def _time(microseconds: float) -> str:
    return duration(microseconds / 1e6)
