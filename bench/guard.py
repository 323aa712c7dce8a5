"""How well the guard tells secrets from talk, and how fast: `python bench/guard.py [--locomo PATH]`.

False positives are counted on texts without secrets: the turns of LoCoMo (snap-research/LoCoMo, locomo10.json) and of
LongMemEval where their files are given, and the docstrings of this Python's standard library. Recall is measured on
the fabricated keys of tests/fabricated_keys.py. No text is printed unless --show is said.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import sysconfig
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hippocore import Guard  # noqa: E402
from tests.fabricated_keys import Fabricated, all_fabricated  # noqa: E402

DATA = ROOT.parent / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--locomo", type=Path, default=DATA / "locomo10.json", help="LoCoMo's locomo10.json")
    parser.add_argument("--longmemeval", type=Path, default=DATA / "longmemeval_s_sample.json")
    parser.add_argument("--seed", type=int, default=2025, help="of the fabricated keys")
    parser.add_argument("--show", action="store_true", help="print the texts that were refused, and those that passed")
    given = parser.parse_args()
    print("false positives")
    report_false_positives("LoCoMo's turns", given.locomo, locomo_turns, given.show)
    report_false_positives("LongMemEval's turns", given.longmemeval, longmemeval_turns, given.show)
    stdlib = Path(sysconfig.get_path("stdlib"))
    report_false_positives("the standard library's docstrings", stdlib, docstrings, given.show)
    print(f"recall on fabricated keys (seed {given.seed})")
    for name, texts in all_fabricated(given.seed).items():
        report_recall(name, texts, given.show)


def report_false_positives(name, path, read, show):
    if not path.exists():
        print(f"  {name}: not measured, there is no {path}")
        return
    texts = read(path)
    guard = Guard()
    start = time.process_time()
    screened = [guard.screen(text) for text in texts]
    each = (time.process_time() - start) / len(texts)
    refused = [(text, one.reason) for text, one in zip(texts, screened, strict=True) if one.refused]
    kinds = ", ".join(f"{count} x {reason}" for reason, count in Counter(reason for _, reason in refused).most_common())
    size = sum(map(len, texts))
    print(
        f"  {name}: {len(refused)} of {len(texts):,} texts ({len(refused) / len(texts):.4%}), {size / 1e6:.1f} M "
        f"characters, {each * 1e6:.1f} µs a text{': ' + kinds if kinds else ''}"
    )
    if show:
        for text, reason in refused:
            print(f"    {reason}: {Guard(secrets='redact').screen(text).content!r}\n      {text!r}")


def report_recall(name: str, texts: list[Fabricated], show: bool) -> None:
    """A secret counts as found when none of it is left after redaction."""
    guard = Guard(secrets="redact")
    missed = [one for one in texts if one.secret in guard.screen(one.text).content]
    print(f"  {name}: {len(texts) - len(missed)} of {len(texts)} ({1 - len(missed) / len(texts):.1%})")
    for by in ("kind", "context"):
        asked = Counter(getattr(one, by) for one in texts)
        lost = Counter(getattr(one, by) for one in missed)
        if lost and len(asked) > 1:
            print(f"    missed by {by}: " + ", ".join(f"{key} {count}/{asked[key]}" for key, count in lost.items()))
    if show:
        for one in missed:
            print(f"      {one.kind}, {one.context}: {one.text!r}")


def locomo_turns(path: Path) -> list[str]:
    texts = []
    for sample in json.loads(path.read_text(encoding="utf-8")):
        for name, turns in sample["conversation"].items():
            if name.startswith("session_") and isinstance(turns, list):
                texts += [turn["text"] for turn in turns]
    return texts


def longmemeval_turns(path: Path) -> list[str]:
    """Every text under "content", wherever the file has it."""
    texts: list[str] = []

    def collect(value) -> None:
        if isinstance(value, dict):
            if isinstance(value.get("content"), str):
                texts.append(value["content"])
            for inner in value.values():
                collect(inner)
        elif isinstance(value, list):
            for inner in value:
                collect(inner)

    collect(json.loads(path.read_text(encoding="utf-8")))
    return texts


def docstrings(folder: Path) -> list[str]:
    texts = []
    for path in sorted(folder.rglob("*.py")):
        if "site-packages" in path.parts or "test" in path.parts:
            continue
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                text = ast.get_docstring(node)
                if text:
                    texts.append(text)
    return texts


if __name__ == "__main__":
    main()
