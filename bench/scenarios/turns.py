"""5,000 conversation turns in one scope, top 10: each peer asked the way it is meant to be, embedding apart.

hippocore is asked by vector (`recall(embedding=…, limit=10)`), engines with words and vectors by both. Speed only:
nothing here says who ranks best.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

from bench.data import Data
from bench.measure import Asked, PeerError, Worker, take_turns
from bench.scenarios.recall import asker, opened
from bench.scenarios.run import HIPPOCORE, Row, Run, base_row
from bench.texts import conversation

LIMIT = 10


def turns(run: Run) -> Iterator[Row]:
    data = conversation(run.folder, run.conversations, run.texts, run.queries + 20)
    if run.fill_only:
        run.fill_all("turns", data)
        return
    limit, run.limit = run.limit, LIMIT
    own = Asked(1)
    with ExitStack() as stack:
        base, opening = stack.enter_context(opened(run, HIPPOCORE, data, None))
        for peer in run.rivals:
            run.progress.doing(f"turns: {peer}")
            try:
                yield _beside(run, data, base, peer, own)
            except PeerError as reason:
                yield base_row("turns", peer, data, why=str(reason))
            run.drop(peer, data)
        if not own.times:
            own = take_turns([asker(base, run, None, 0, 0)], run.queries, run.seconds)[0]
        yield base_row("turns", HIPPOCORE, data, row="own", **opening, **own.figures())
    run.limit = limit


def _beside(run: Run, data: Data, base: Worker, peer: str, own: Asked) -> Row:
    with opened(run, peer, data, None, texts=True) as (worker, opening):
        ours, theirs = take_turns(
            [asker(base, run, None, 0, 0), asker(worker, run, None, 0, 0, texts=True)], run.queries, run.seconds
        )
        own.times += ours.times
        given = min(len(found) for found in theirs.positions)
        ratio = {"hippocore_p50_ms": ours.p50, "times_hippocore": theirs.p50 / ours.p50, "fewest_given": given}
        return base_row("turns", peer, data, row="own", **opening, **theirs.figures(), **ratio)
