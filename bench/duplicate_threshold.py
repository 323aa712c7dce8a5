"""How an embedder's duplicate threshold was found: `python bench/duplicate_threshold.py [local|minilm ...]`.

Sentences of 4 to 12 words are the summaries of the standard library's docstrings. A *rewording* is the
same note in telegram style ("The user is in the Berlin office.", "User Berlin office"); a *different fact*
has one content word replaced by another sentence's. `hippocore.evaluate.duplicates.threshold_of` says how the
threshold comes of both; `hippocore tune --duplicates FILE` asks it of pairs of one's own.
"""

from __future__ import annotations

import ast
import sys
import sysconfig
from pathlib import Path

import numpy as np

from hippocore.evaluate.duplicates import PERCENTILES, embedder_of, similarities, threshold_of

FUNCTION_WORDS = frozenset(
    ("the", "a", "an", "of", "to", "in", "is", "are", "this", "that", "for", "on", "with", "by", "it", "as", "at")
)
SENTENCES = 1_000


def summaries() -> list[str]:
    found: dict[str, None] = {}
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                text = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
                if 4 <= len(text.split()) <= 12:
                    found[text] = None
    return list(found)[:SENTENCES]


def reworded(sentences: list[str]) -> list[str]:
    changed = []
    for text in sentences:
        kept = " ".join(word for word in text.split() if word.lower() not in FUNCTION_WORDS).rstrip(".")
        changed.append(kept[:1].upper() + kept[1:])
    return changed


def different_facts(sentences: list[str]) -> list[str]:
    chance = np.random.default_rng(7)
    words = [word for text in sentences for word in text.split() if is_content(word)]
    changed = []
    for text in sentences:
        parts = text.split()
        places = [place for place, word in enumerate(parts) if is_content(word)]
        if places:
            parts[chance.choice(places)] = str(chance.choice(words))
        changed.append(" ".join(parts))
    return changed


def is_content(word: str) -> bool:
    return word.isalpha() and word.lower() not in FUNCTION_WORDS


def report(name: str, sentences: list[str]) -> None:
    embedder = embedder_of(name)

    def changed(others: list[str]) -> list[float]:
        pairs = [(a, b) for a, b in zip(sentences, others, strict=True) if a != b]
        return similarities([a for a, _ in pairs], [b for _, b in pairs], embedder)

    found = threshold_of(changed(reworded(sentences)), changed(different_facts(sentences)))
    print(f"{name}: threshold {found.threshold:.2f} (the embedder has {embedder.duplicate_threshold})")
    for label, spread in (("rewordings", found.same), ("different facts", found.different)):
        row = "  ".join(f"p{p} {value:.3f}" for p, value in zip(PERCENTILES, spread.percentiles, strict=True))
        print(f"  {label:<15} {spread.pairs:>4} pairs  {row}  reach it: {spread.reach:.1%}")


if __name__ == "__main__":
    texts = summaries()
    for word in sys.argv[1:] or ("local", "minilm"):
        report(word, texts)
