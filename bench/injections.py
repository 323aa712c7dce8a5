"""How often the quarantine's sieve errs: `python bench/injections.py CONVERSATIONS.json…`.

Reads LoCoMo (a list of samples with `conversation`) or LongMemEval (`haystack_sessions`) files and looks at every turn
as if it were untrusted. Prints how many turns were held back, by reason, and with --show the turns themselves. Nobody
in these conversations speaks to a model's instructions, so that each turn held back is a false positive.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hippocore.injection import find_injection


def turns(value: Any) -> Iterator[str]:
    """Give the text of every turn, however deep it lies: objects with `text` or `content`."""
    if isinstance(value, dict):
        for name in ("text", "content"):
            if isinstance(value.get(name), str):
                yield value[name]
        for inner in value.values():
            yield from turns(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from turns(inner)


def report(path: Path, show: bool) -> None:
    texts = list(turns(json.loads(path.read_text(encoding="utf-8"))))
    find_injection("compile")
    start = time.perf_counter()
    found = [(reason, text) for text in texts if (reason := find_injection(text))]
    seconds = time.perf_counter() - start
    length = sum(map(len, texts))
    print(
        f"{path.name}: {len(found)} of {len(texts)} turns held back ({len(found) / max(len(texts), 1):.3%}), "
        f"{seconds / max(len(texts), 1) * 1e6:.0f} µs a turn of {length / max(len(texts), 1):.0f} characters"
    )
    for reason, count in Counter(reason for reason, _ in found).most_common():
        print(f"  {count:>4}  {reason}")
    if show:
        print("\n".join(f"  {reason}: {text[:300]!r}" for reason, text in found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--show", action="store_true", help="print what was held back")
    given = parser.parse_args()
    for file in given.files:
        report(file, given.show)
