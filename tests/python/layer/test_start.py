"""What is imported to open a store, in a fresh interpreter: a process that starts waits for nothing it does not use."""

import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest

import hippocore

SOURCES = str(Path(hippocore.__file__).parents[1])
OPEN = "from hippocore import MemoryLayer\nmemory = MemoryLayer(sys.argv[1], embedder=None, dim=8)"
SLOW = {"asyncio", "concurrent.futures", "hashlib", "html", "http", "json", "logging", "msgpack", "numpy.typing"} | {
    "Stemmer", "regex", "pathlib", "random", "secrets", "shutil", "tempfile", "threading", "unicodedata",
    "urllib", "uuid",
}  # fmt: skip
OF_OTHER_VERBS = {"changing", "context", "embedders", "injection", "lexical_terms", "reading", "scored"} | {
    "lifecycle", "secret_search", "transfer", "types", "upkeep", "writing",
}  # fmt: skip


def modules_after(code: str, path: Path) -> set[str]:
    """The modules that code loads beyond numpy's own."""
    script = f"import sys, numpy\nbefore = set(sys.modules)\n{code}\nprint(*set(sys.modules) - before)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([SOURCES, os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([sys.executable, "-c", script, path], env=environment, capture_output=True, check=True)
    return set(done.stdout.decode().split())


def test_opening_imports_no_library_and_no_verb_that_it_does_not_need(tmp_path):
    loaded = modules_after(OPEN, tmp_path / "new.mem")
    assert "hippocore._core" in loaded
    assert not loaded & (SLOW | {f"hippocore.{name}" for name in OF_OTHER_VERBS})


def test_a_verb_imports_what_it_needs(tmp_path):
    loaded = modules_after(f"{OPEN}\nmemory.recall()", tmp_path / "new.mem")
    assert "hippocore.reading" in loaded
    assert not loaded & {"hippocore.writing", "hippocore.linked_recall"}


def test_a_write_without_corrections_imports_none_of_them(tmp_path):
    loaded = modules_after(f"{OPEN}\nmemory.remember('a', embedding=[1] * 8)", tmp_path / "new.mem")
    assert "hippocore.plan" in loaded
    assert not [name for name in loaded if name.startswith("hippocore.lifecycle.correct")]


VERBS = [
    verb
    for layer in (hippocore.MemoryLayer, hippocore.AsyncMemoryLayer)
    for name, verb in inspect.getmembers(layer, inspect.isfunction)
    if not name.startswith("_")
]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__qualname__)
def test_a_verbs_annotations_can_be_resolved(verb):
    assert "return" in get_type_hints(verb)
