"""hippocore beside what one would use instead: same data, same questions, each peer in a process of its own.

examples:
  python -m bench --quick                          about a minute: 1,000 to 20,000 memories, few repetitions
  python -m bench size --sizes 1000 100000         one scenario, two sizes
  python -m bench size --peers hippocore,hnswlib   some peers only
  python -m bench turns --conversations locomo10.json
  python -m bench size --huge                      10,000,000 memories; says first what disk and memory that needs
  python -m bench --redraw                         tables and pictures again, from the results that are there

Results go to bench/results/*.json, a table in bench/results/README.md, pictures beside it. See bench/README.md.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from bench.machine import describe, one_line, refuse_what_does_not_fit
from bench.measure import PeerError, Progress
from bench.peers import PEERS
from bench.results import Results
from bench.scenarios import SCENARIOS
from bench.scenarios.run import HIPPOCORE, Row, Run

RESULTS = Path(__file__).parent / "results"
SIZES = [1_000, 10_000, 100_000, 1_000_000]
QUICK_SIZES = [1_000, 5_000, 20_000]
HUGE = 10_000_000


def parser() -> argparse.ArgumentParser:
    summary, epilog = __doc__.split("\n\n", 1)
    scenarios = "; ".join(f"{name}: {what}" for name, (_, what) in SCENARIOS.items())
    made = argparse.ArgumentParser(
        prog="python -m bench",
        description=summary,
        epilog=f"{epilog}\nscenarios: {scenarios}\n\npeers: {', '.join(PEERS)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("scenario", nargs="*", help="which; all of them otherwise")
    made.add_argument("--peers", help="comma-separated; all of them otherwise, hippocore always")
    made.add_argument("--sizes", type=int, nargs="+", help=f"memories; {SIZES} otherwise")
    made.add_argument("--quick", action="store_true", help="small sizes and few queries")
    made.add_argument("--huge", action="store_true", help=f"{HUGE:,} memories")
    made.add_argument("--dimension", type=int, default=384)
    made.add_argument("--limit", type=int, default=40)
    made.add_argument("--queries", type=int, default=200, help="of each row")
    made.add_argument("--seconds", type=float, default=10.0, help="of asking that a row may take")
    made.add_argument("--patience", type=float, default=600.0, help="seconds that filling a peer may take")
    made.add_argument("--text", type=Path, nargs="+", default=[], help="files whose sentences are embedded too")
    made.add_argument("--conversations", type=Path, nargs="+", default=[], help="LoCoMo or LongMemEval files")
    made.add_argument("--folder", type=Path, help="keep the filled stores there and take them up again")
    made.add_argument("--fill-only", action="store_true", help="with --folder: fill the stores, measure nothing")
    made.add_argument("--results", type=Path, help=f"where results go; bench/{RESULTS.name} otherwise")
    made.add_argument("--redraw", action="store_true", help="measure nothing")
    return made


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    made = parser()
    chosen = made.parse_args(arguments)
    unknown = [name for name in chosen.scenario if name not in SCENARIOS]
    peers = [HIPPOCORE, *(chosen.peers.split(",") if chosen.peers else PEERS)]
    unknown += [name for name in peers if name not in PEERS]
    if unknown:
        made.error(f"there is no {', '.join(unknown)}; see --help")
    if chosen.fill_only and not chosen.folder:
        made.error("--fill-only needs --folder")
    chosen.peers = list(dict.fromkeys(peers))
    chosen.scenario = chosen.scenario or list(SCENARIOS)
    chosen.sizes = sorted(chosen.sizes or ([HUGE] if chosen.huge else QUICK_SIZES if chosen.quick else SIZES))
    if chosen.quick:
        chosen.queries, chosen.seconds, chosen.patience = min(chosen.queries, 30), min(chosen.seconds, 1.0), 30.0
    chosen.results = chosen.results or (Path("build/bench-quick") if chosen.quick else RESULTS)
    return chosen


def measure(chosen: argparse.Namespace, folder: Path) -> None:
    progress = Progress(sys.stderr)
    print(one_line(), flush=True)
    refuse_what_does_not_fit(chosen.sizes, chosen.dimension, folder)
    results = Results(chosen.results, describe())
    run = Run(
        folder=folder,
        peers=chosen.peers,
        sizes=chosen.sizes,
        dimension=chosen.dimension,
        limit=chosen.limit,
        queries=chosen.queries,
        seconds=chosen.seconds,
        patience=chosen.patience,
        texts=chosen.text,
        conversations=chosen.conversations,
        progress=progress,
        fill_only=chosen.fill_only,
        keep=chosen.folder is not None,
        opens=1 if chosen.quick else 3,
    )
    for name in chosen.scenario:
        try:
            for row in SCENARIOS[name][0](run):
                results.add(row)
                progress.say(shown(row))
        except PeerError as reason:
            raise SystemExit(f"{name}: hippocore itself: {reason}") from None


def shown(row: Row) -> str:
    """Return a row in one line, as it is printed while the run goes on."""
    name = row["peer"] if row.get("row", "own") == "own" else f"{row['peer']}, {row['row']}"
    head = f"{row['scenario']:7s} {row['count']:>10,} x {row['dimension']:<5d} {name:34s}"
    if "why" in row:
        return f"{head} {row['why']}"
    parts = [f"{key} {value:.4g}" for key, value in row.items() if isinstance(value, float)]
    parts += [f"{key} {row[key]:,}" for key in ("pool", "effort", "threads") if key in row]
    parts += [f"writer {row['writer']}"] if "writer" in row else []
    return f"{head} {'  '.join(parts)}"


def main(arguments: list[str] | None = None) -> None:
    chosen = options(arguments)
    if not chosen.redraw:
        if chosen.folder:
            chosen.folder.mkdir(parents=True, exist_ok=True)
            measure(chosen, chosen.folder)
        else:
            folder = Path(tempfile.mkdtemp(prefix="bench-"))
            try:
                measure(chosen, folder)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    if not chosen.fill_only:
        from bench.tables import write_tables

        print(f"wrote {', '.join(str(path) for path in write_tables(chosen.results))}")


if __name__ == "__main__":
    main()
