"""How an embedder's duplicate threshold was found: `python bench/duplicate_threshold.py [local|minilm ...]`.

Sentences of 4 to 12 words are the summaries of the standard library's docstrings. A *rewording* is the
same note in telegram style ("The user is in the Berlin office.", "User Berlin office"); a *different fact*
has one content word replaced by another sentence's. The threshold is the cosine that 95 of 100 rewordings
reach, but not below what half of the different facts reach, rounded down to 0.01. It is a first sieve:
merging also compares the content words, so a different fact above it is not merged, while a rewording
below it never gets its chance.
"""

from __future__ import annotations

import ast
import sys
import sysconfig
from pathlib import Path

import numpy as np

from hippocore.embedders import resolve

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
    embedder = resolve(name)
    if embedder is None:
        raise SystemExit(f"no embedder {name}")
    vectors = embedder(sentences)

    def similarities(others: list[str]) -> np.ndarray:
        changed = np.array([a != b for a, b in zip(sentences, others, strict=True)])
        return (vectors * embedder(others)).sum(axis=1)[changed]

    rewordings = similarities(reworded(sentences))
    different = similarities(different_facts(sentences))
    threshold = np.floor(max(np.percentile(rewordings, 5), np.median(different)) * 100) / 100
    print(f"{name}: threshold {threshold:.2f} (the embedder has {embedder.duplicate_threshold})")
    for label, values in (("rewordings", rewordings), ("different facts", different)):
        row = "  ".join(f"p{p} {np.percentile(values, p):.3f}" for p in (1, 5, 50, 95, 99))
        print(f"  {label:<15} {len(values):>4} pairs  {row}  reach it: {np.mean(values >= threshold):.1%}")


if __name__ == "__main__":
    texts = summaries()
    for word in sys.argv[1:] or ("local", "minilm"):
        report(word, texts)
