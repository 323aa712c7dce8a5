"""Twice the memories: hippocore's stores of every size, asked in turn in one run, each beside half its size."""

from __future__ import annotations

from collections.abc import Iterator

from bench.data import make
from bench.measure import take_turns
from bench.scenarios.recall import asker, opened
from bench.scenarios.run import HIPPOCORE, Row, Run, base_row

SMALLEST = 15_625


def growth(run: Run) -> Iterator[Row]:
    """From about 16,000 to twice the largest size asked for."""
    count = SMALLEST
    while count * 2 <= max(run.sizes) * 2:
        pair = [make(run.folder, each, run.dimension, queries=run.queries + 20) for each in (count, 2 * count)]
        if run.fill_only:
            for data in pair:
                run.filled(HIPPOCORE, data)
        else:
            run.progress.doing(f"growth: {count:,} and twice as many")
            with (
                opened(run, HIPPOCORE, pair[0], None) as (half, _),
                opened(run, HIPPOCORE, pair[1], None) as (whole, _),
            ):
                askers = [asker(worker, run, None, 0, 0) for worker in (half, whole)]
                small, large = take_turns(askers, run.queries, run.seconds)
            row = base_row("growth", HIPPOCORE, pair[1], row="own", half_p50_ms=small.p50, **large.figures())
            yield {**row, "times_half": large.p50 / small.p50, "codes_mb": 2 * count * (run.dimension / 2 + 20) / 1e6}
        count *= 2
