"""How well the rules of corrections and contradictions tell: `python -m bench.corrections [--show]`.

Pairs of own writing (bench/correction_pairs.py) in two parts: on one the rules were tuned, the other was held apart.
Precision is the share of what is found that is right; recall the share of what there is that is found. A pair that
contradicts is right to be found by either rule. The similarity is that of the local embedder. --show names what goes
wrong in the tuning part; what goes wrong in the other is nobody's to see who changes the rules.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np

from bench.correction_pairs import REPORT, TUNING, pairs
from hippocore.embedders import resolve
from hippocore.lifecycle.contradictions import contradicts
from hippocore.lifecycle.corrections import Correction, corrects


class Judged(NamedTuple):
    mark: str
    old: str
    new: str
    similarity: float
    near: Correction | None  # as `corrects` says
    apart: Correction | None  # as `contradicts` says, where that says nothing


def judged(text: str) -> list[Judged]:
    embedder = resolve("local")
    listed = pairs(text)
    old, new = (embedder([pair[place] for pair in listed]) for place in (1, 2))
    cosines = np.einsum("ij,ij->i", old, new).tolist()
    return [_judged(*pair, cosine) for pair, cosine in zip(listed, cosines, strict=True)]


def _judged(mark: str, old: str, new: str, similarity: float) -> Judged:
    near = corrects(new, old, similarity)
    return Judged(mark, old, new, similarity, near, None if near else contradicts(new, old, similarity))


def report(name: str, found: list[Judged]) -> None:
    marks = [one.mark for one in found]
    corrections, contradictions = marks.count("="), marks.count("!")
    print(f"{name}: {corrections} corrections, {contradictions} contradictions, {marks.count('+')} that can both hold")
    near = [one for one in found if one.near]
    say("corrections", near, sum(one.mark == "=" for one in near), corrections)
    either = [one for one in found if one.near or one.apart]
    say("and contradictions", either, sum(one.mark != "+" for one in either), corrections + contradictions)
    for mark, what in (("=", "corrections"), ("!", "contradictions")):
        cosines = [one.similarity for one in found if one.mark == mark]
        low, tenth, middle = np.percentile(cosines, (0, 10, 50))
        print(f"  similarity of {what}: least {low:.2f}, a tenth below {tenth:.2f}, half below {middle:.2f}")


def say(name: str, said: list[Judged], found: int, there: int) -> None:
    right = sum(one.mark != "+" for one in said)
    precision, recall = right / len(said), found / there
    print(f"  {name}: precision {precision:.3f} ({right} of {len(said)}), recall {recall:.3f} ({found} of {there})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    tuning = judged(TUNING)
    report("tuned on", tuning)
    for one in tuning if given.show else ():
        found = one.near or one.apart
        if (one.mark == "+") == bool(found):
            print(f"    {one.mark} {found.rule if found else 'none'}: {one.old} | {one.new}")
    report("held apart", judged(REPORT))


if __name__ == "__main__":
    main()
