"""How well the rules of corrections and contradictions tell, and what they cost: `python -m bench.corrections`.

Pairs of own writing (bench/correction_pairs.py) in two parts: on one the rules were tuned, the other was held apart.
The pairs in free wordings (bench/sentences) are by an author who knew nothing of the rules.
Precision is the share of what is found that is right; recall the share of what there is that is found. A pair that
contradicts is right to be found by either rule. The similarity is that of the local embedder. --show names what goes
wrong in the tuning part; what goes wrong in the other is nobody's to see who changes the rules. --cost N measures
`remember` with and without corrections in a scope of N facts, embedding included.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.correction_pairs import REPORT, pairs
from bench.correction_pairs_tuning import TUNING
from hippocore import Corrections, MemoryLayer
from hippocore.drafts import Draft
from hippocore.embedders import resolve
from hippocore.lifecycle.contradictions import contradicts
from hippocore.lifecycle.correcting import alike, stored_candidates
from hippocore.lifecycle.corrections import Correction, corrects
from hippocore.lifecycle.outdating import outdates

FREE = Path(__file__).with_name("sentences")


class Judged(NamedTuple):
    mark: str
    old: str
    new: str
    similarity: float
    near: Correction | None  # as `corrects` says
    apart: Correction | None  # as `contradicts` says, where that says nothing
    outdated: bool  # as `outdates` says


def judged(text: str) -> list[Judged]:
    embedder = resolve("local")
    listed = pairs(text)
    old, new = (embedder([pair[place] for pair in listed]) for place in (1, 2))
    cosines = np.einsum("ij,ij->i", old, new).tolist()
    return [_judged(*pair, cosine) for pair, cosine in zip(listed, cosines, strict=True)]


def _judged(mark: str, old: str, new: str, similarity: float) -> Judged:
    near = corrects(new, old, similarity)
    apart = None if near else contradicts(new, old, similarity)
    return Judged(mark, old, new, similarity, near, apart, outdates(new, old, similarity))


def report(name: str, found: list[Judged]) -> None:
    marks = [one.mark for one in found]
    corrections, contradictions = marks.count("="), marks.count("!")
    print(f"{name}: {corrections} corrections, {contradictions} contradictions, {marks.count('+')} that can both hold")
    near = [one for one in found if one.near]
    say("corrections", near, sum(one.mark == "=" for one in near), corrections)
    either = [one for one in found if one.near or one.apart]
    say("and contradictions", either, sum(one.mark != "+" for one in either), corrections + contradictions)
    noted = [one for one in found if one.near or one.apart or one.outdated]
    say("and what is only outdated", noted, sum(one.mark != "+" for one in noted), corrections + contradictions)
    for mark, what in (("=", "corrections"), ("!", "contradictions")):
        if mark not in marks:
            continue
        cosines = [one.similarity for one in found if one.mark == mark]
        low, tenth, middle = np.percentile(cosines, (0, 10, 50))
        print(f"  similarity of {what}: least {low:.2f}, a tenth below {tenth:.2f}, half below {middle:.2f}")


def say(name: str, said: list[Judged], found: int, there: int) -> None:
    right = sum(one.mark != "+" for one in said)
    precision, recall = right / max(1, len(said)), found / max(1, there)
    print(f"  {name}: precision {precision:.3f} ({right} of {len(said)}), recall {recall:.3f} ({found} of {there})")


def report_candidates() -> None:
    """Print how often the memory that a statement corrects or contradicts is among the nearest of all old ones."""
    listed = [pair for pair in pairs(TUNING) + pairs(REPORT) if pair[0] != "+"]
    others = [old for _, old, _ in pairs(TUNING) + pairs(REPORT)]
    with tempfile.TemporaryDirectory() as folder, MemoryLayer(Path(folder, "store")) as memory:
        memory.remember_many([{"content": old, "kind": "fact"} for old in dict.fromkeys(others)], merge=False)
        handle = memory._handle
        vectors = handle.embed([new for _, _, new in listed])
        for limit in (1, 2, 4, 8, 16):
            found = 0
            for (_, old, new), vector in zip(listed, vectors, strict=True):
                asked = (Corrections(candidates=limit), alike(handle), Draft(new, kind="fact"), vector, handle.now())
                found += old in [one.record.content for one in stored_candidates(handle, *asked)]
            print(f"  candidates={limit}: {found / len(listed):.3f} of {len(listed)} among {memory.count()} memories")


def report_cost(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with MemoryLayer(Path(folder, "store")) as memory:
            memory.remember_many([{"content": fact(i), "kind": "fact"} for i in range(count)], merge=False)
        for name, choice in (("without", None), ("with", Corrections())):
            with MemoryLayer(Path(folder, "store"), corrections=choice) as memory:
                memory.remember("Nobody has a boat", kind="fact")
                took = one_write(memory, count, name)
                print(f"  remember {name} corrections, {count:,} facts in the scope: {took:.0f} µs")


def one_write(memory: MemoryLayer, count: int, name: str, writes: int = 200) -> float:
    """Return the median of single writes, in microseconds; half of them correct a fact that is there."""
    took = []
    for i in range(writes):
        content = f"{name} {fact(i)}" if i % 2 else fact(i, 1)
        start = time.perf_counter()
        memory.remember(content, kind="fact")
        took.append(time.perf_counter() - start)
    return float(np.median(took)) * 1e6


def fact(i: int, more: int = 0) -> str:
    names = ("cats", "years of Go", "open tickets", "houses", "cups of tea a day")
    return f"Person{i} of team {i % 97} has {i % 7 + more + 2} {names[i % len(names)]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--cost", type=int, metavar="N")
    given = parser.parse_args()
    if given.cost:
        report_cost(given.cost)
        return
    tuning = judged(TUNING)
    report("tuned on", tuning)
    for one in tuning if given.show else ():
        found = one.near or one.apart
        if (one.mark == "+") == bool(found or one.outdated):
            print(f"    {one.mark} {found.rule if found else one.outdated}: {one.old} | {one.new}")
    report("held apart", judged(REPORT))
    for name, file in (("looked at", "free-pairs-tuning.txt"), ("held apart", "free-pairs-report.txt")):
        report(f"in free wordings, {name}", judged((FREE / file).read_text()))
    print("what is looked up")
    report_candidates()


if __name__ == "__main__":
    main()
