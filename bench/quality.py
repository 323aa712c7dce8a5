"""The figures of python/hippocore/evaluate/README.md: `python bench/quality.py --locomo FILE --longmemeval FILE`.

Asks LoCoMo (locomo10.json) and LongMemEval with every setting of the page, through the functions of `hippocore eval`,
and prints the page's tables; --write puts them into the page. A data set that is not given is left out and said so.
Each row is what `hippocore eval FILE --halves` prints for the setting that it names.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from hippocore.evaluate.abstention import Abstention, abstention
from hippocore.evaluate.answers import Run
from hippocore.evaluate.asking import evaluate
from hippocore.evaluate.dataset import DataSet
from hippocore.evaluate.files import read_file
from hippocore.evaluate.replies import replies
from hippocore.evaluate.report import Report, compared, report
from hippocore.evaluate.settings import Setting

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "python" / "hippocore" / "evaluate" / "README.md"
OPENING, CLOSING = "<!-- figures -->", "<!-- /figures -->"

METHODS = {
    "mode=dense": "cosine alone",
    "mode=bm25": "BM25 (plain)",
    "mode=rrf": "BM25 and cosine by rank fusion (plain)",
    "mode=lexical": "hippocore, words alone",
    "mode=hybrid": "**hippocore, the default**",
}
BM25, DEFAULT = METHODS["mode=bm25"], METHODS["mode=hybrid"]
BEYOND = {
    "recall@5": "@5",
    "recall@20": "@20",
    "recall@50": "@50",
    "ndcg@10": "nDCG@10",
    "mrr": "MRR",
    "context_recall_all": "context",
}
HARDER = {
    "sources=no": "without sources",
    "times=no": "without times",
    "sources=no,times=no,order=shuffled": "without sources, times and order",
    "speakers=none": "without names",
    "speakers=shuffled": "names given to the wrong turns",
    "speakers=swapped": "another conversation's names",
}
OTHERWISE = {
    "fusion=rrf": '`fusion="rrf"`',
    "lexical_weight=0.3": "`lexical_weight=0.3`",
    "lexical_weight=0.7": "`lexical_weight=0.7`",
    "expand=feedback": '`expand="feedback"`',
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--locomo", type=Path)
    parser.add_argument("--longmemeval", type=Path)
    parser.add_argument("--embedders", nargs="+", default=["local", "minilm"])
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    given = parser.parse_args()
    text = "\n".join(tables(given.locomo, given.longmemeval, given.embedders))
    print(text)
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        before, after = page.split(OPENING)[0], page.split(CLOSING)[1]
        PAGE.write_text(f"{before}{OPENING}\n{text}\n{CLOSING}{after}", encoding="utf-8")


def tables(locomo: Path | None, longmemeval: Path | None, embedders: Sequence[str]) -> Iterator[str]:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    yield f"`python bench/quality.py` at {commit.stdout.strip() or 'no commit'}."
    if locomo is not None:
        yield from of_locomo(read_file(locomo), embedders)
    else:
        yield "\nLoCoMo: not measured."
    if longmemeval is not None:
        yield from of_longmemeval(read_file(longmemeval), embedders)
    else:
        yield "\nLongMemEval: not measured."


def of_locomo(data: DataSet, embedders: Sequence[str]) -> Iterator[str]:
    made = {embedder: Asked(data, embedder, {**METHODS, **HARDER, **OTHERWISE}) for embedder in embedders}
    yield f"\n### LoCoMo: {size(data)}\n"
    yield "Share of the evidence among the first 10, of all conversations (the first half / the second half)."
    yield from by_halves(made, METHODS)
    yield "\nThe default, with something taken away:"
    yield from by_halves(made, HARDER)
    yield "\nThe default, ranked or asked otherwise:"
    yield from by_halves(made, OTHERWISE)
    yield "\nBeyond 10, and how often all evidence is inside a context of 1,000 tokens:"
    rows = [
        [f"{name}, {e}", *(made[e].figure(name, figure) for figure in BEYOND)]
        for e in embedders
        for name in METHODS.values()
    ]
    yield from table(["", *BEYOND.values()], rows)
    yield "\nThe default beside plain BM25, among the first 10 (95 % interval over the questions):"
    yield from ("", *(f"- {e}: {made[e].gain()}" for e in embedders))
    yield "\nBy category (5 is adversarial, and in no mean):"
    yield from table(["category", "questions", *(f"default, {e}" for e in embedders), "plain BM25"], categories(made))

    yield "\nConfidence, each question asked of every conversation under neutral names (`--abstention`):"
    rows = [[e, *confidence(abstention(data, Setting(embedder=e, speakers="neutral")))] for e in embedders]
    yield from table(["", "AUROC", "mean, right", "mean, wrong", "above .5, right", "above .5, wrong"], rows)


def by_halves(made: dict[str, Asked], settings: dict[str, str]) -> Iterator[str]:
    return table(["", *made], [[name, *(of.halves(name) for of in made.values())] for name in settings.values()])


def confidence(found: Abstention) -> list[str]:
    values = (found.auroc, found.right_mean, found.wrong_mean, found.right_above_half, found.wrong_above_half)
    return [number(value) for value in values]


def categories(made: dict[str, Asked]) -> Iterator[list[str]]:
    columns = [of.reports[DEFAULT] for of in made.values()] + [next(iter(made.values())).reports[BM25]]
    groups = [{**column.categories, **column.apart} for column in columns]
    for name, means in groups[0].items():
        yield [name, str(means.questions), *(number(of[name].figures["recall@10"]) for of in groups)]


def of_longmemeval(data: DataSet, embedders: Sequence[str]) -> Iterator[str]:
    by_reply = replies(data)
    yield f"\n### LongMemEval: {size(data)}\n"
    yield f"Sessions with the answer among the first 10; and, of {size(by_reply)} (`--replies`), the reply to a turn."
    sets = {"session": data, "reply": by_reply}
    made = {(of, e): Asked(sets[of], e, METHODS) for of in sets for e in embedders}
    for figure in ("recall@10", "ndcg@10"):
        rows = [[name, *(of.figure(name, figure) for of in made.values())] for name in METHODS.values()]
        yield from table([figure, *(f"{of}, {e}" for of, e in made)], rows)


class Asked:
    """A data set asked with one embedder and several settings, each under its name on the page."""

    def __init__(self, data: DataSet, embedder: str, settings: dict[str, str]) -> None:
        print(f"asking {data.format} with {embedder}", file=sys.stderr)
        runs = evaluate(data, [Setting(embedder=embedder).changed(text) for text in settings])
        self._runs: dict[str, Run] = dict(zip(settings.values(), runs, strict=True))
        self.reports: dict[str, Report] = {
            name: report(run, conversations=len(data.conversations), halves=True) for name, run in self._runs.items()
        }

    def figure(self, name: str, figure: str) -> str:
        return number(self.reports[name].all.figures[figure])

    def halves(self, name: str) -> str:
        halves = (number(means.figures["recall@10"]) for means in self.reports[name].halves.values())
        return f"{self.figure(name, 'recall@10')} ({' / '.join(halves)})"

    def gain(self) -> str:
        difference, low, high, _ = compared(self._runs[BM25], self._runs[DEFAULT], seed=0)["recall@10"]
        return f"{difference:+.3f} ({low:+.3f} to {high:+.3f})"


def size(data: DataSet) -> str:
    return f"{len(data.conversations)} conversations, {data.entries:,} memories, {data.questions:,} questions"


def number(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]] | Iterator[list[str]]) -> Iterator[str]:
    yield ""
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    main()
