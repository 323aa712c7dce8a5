"""How well the rules of extraction tell what is worth remembering: `python -m bench.extraction`.

On the labelled turns of tests/extraction_turns.py: those that the rules were made with, and those held out. Precision
is the share of what is kept that was to be kept; recall the share of what was to be kept that is; the kind is right
where it is the labelled one, of what was rightly kept. --show prints what is wrong in the former, never in the latter.
FILE is LongMemEval's: which share of real turns of people with an assistant leads to a statement, and how long that
takes; nobody has labelled what is right there.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from hippocore.lifecycle.dialogue import Statement, Turn
from hippocore.lifecycle.extraction_rules import extract_by_rules
from tests.extraction_turns import HELD_OUT, TUNING, Sentence, labelled


class Figures(NamedTuple):
    """What became of the sentences of labelled turns."""

    kept: int
    rightly: int
    wanted: int
    of_the_kind: int
    wrong: list[str]

    @property
    def precision(self) -> float:
        return self.rightly / self.kept

    @property
    def recall(self) -> float:
        return self.rightly / self.wanted

    @property
    def kinds(self) -> float:
        return self.of_the_kind / self.rightly


def figures(turns: str) -> Figures:
    """Return how the rules do on labelled turns."""
    kept = rightly = wanted = of_the_kind = 0
    wrong = []
    for turn, sentences in labelled(turns):
        statements = extract_by_rules(turn)
        for sentence in sentences:
            found = [one for one in statements if belongs(one, sentence)]
            statements = [one for one in statements if one not in found]
            kept += bool(found)
            wanted += sentence.kind is not None
            if sentence.kind is not None and found:
                rightly += 1
                of_the_kind += found[0].kind == sentence.kind
            right = found[0].kind == sentence.kind if found else sentence.kind is None
            if not right:
                wrong.append(f"{sentence.kind} -> {found[0].kind if found else None}: {sentence.text}")
        kept += len(statements)
    return Figures(kept, rightly, wanted, of_the_kind, wrong)


def belongs(statement: Statement, sentence: Sentence) -> bool:
    """Whether a statement is what was made of a sentence."""
    said = re.sub(r"^[^:]{1,40}: (?=.)", "", statement.content)
    if statement.said_by != {"reply": "assistant"}.get(sentence.speaker, sentence.speaker.partition(":")[0]):
        return False
    return set(_words(said)) <= set(_words(sentence.text)) or set(_words(sentence.text)) <= set(_words(said))


def _words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--show", action="store_true", help="what is wrong in the turns that the rules were made with")
    parser.add_argument("--chats", type=Path, help="longmemeval_s_sample.json, or another of its files")
    options = parser.parse_args()
    for name, turns in (("tuning", TUNING), ("held out", HELD_OUT)):
        found = figures(turns)
        print(
            f"{name}: {len(labelled(turns))} turns, {found.wanted} sentences to keep: precision "
            f"{found.precision:.1%} ({found.rightly} of {found.kept}), recall {found.recall:.1%}, "
            f"kind {found.kinds:.1%}"
        )
        if options.show and turns is TUNING:
            print(*found.wrong, sep="\n")
    if options.chats is not None:
        report_chats(chats(options.chats))


def chats(path: Path) -> list[Turn]:
    """Return each different message of a user with the reply to it."""
    replies: dict[str, str] = {}
    for entry in json.loads(path.read_text(encoding="utf-8")):
        for session in entry["haystack_sessions"]:
            for asked, answered in pairwise(session):
                if (asked["role"], answered["role"]) == ("user", "assistant"):
                    replies.setdefault(asked["content"], answered["content"])
    return [Turn(message, reply) for message, reply in replies.items()]


def report_chats(turns: list[Turn]) -> None:
    start = time.process_time()
    found = [extract_by_rules(turn) for turn in turns]
    each = (time.process_time() - start) / len(turns)
    kinds = Counter(statement.kind for statements in found for statement in statements)
    print(
        f"chats: {sum(map(bool, found)) / len(turns):.1%} of {len(turns)} turns lead to a statement "
        f"({', '.join(f'{count} {kind}' for kind, count in kinds.most_common())}), {each * 1e3:.1f} ms a turn"
    )


if __name__ == "__main__":
    main()
