"""DURABILITY.md names the tests that prove its promises: all of them exist, and no test of a promise is left out."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from tests.native import ROOT, names_of_tests

_DOCUMENT = ROOT / "cpp" / "storage" / "DURABILITY.md"
# Every test of these files is a promise about crashes, damage or many at once.
_PROMISES = (
    "memory_snapshot",
    "storage_close",
    "storage_commit",
    "storage_crash",
    "storage_damage",
    "storage_failed_sync",
    "storage_faults",
    "storage_foreign_files",
    "storage_fork",
    "storage_group_sync",
    "storage_group_write",
    "storage_header_order",
    "storage_hostile",
    "storage_locks",
    "storage_log_cut",
    "storage_memory",
    "storage_purge",
    "storage_purge_crash",
    "storage_recovery",
    "storage_space",
    "storage_sync",
    "storage_threads",
)
_FAULTS = range(1, 16)


def named_tests():
    return set(re.findall(r"`((?:storage|memory|os|format|fuzz|test)_\w+\*?)`", _DOCUMENT.read_text(encoding="utf-8")))


def python_tests():
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        yield from re.findall(r"^(?:async )?def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_test_that_a_promise_names_exists():
    existing = {name for _, name in names_of_tests()} | set(python_tests())
    missing = [name for name in named_tests() if not any(fnmatchcase(test, name) for test in existing)]
    assert not missing


def test_every_test_of_a_promise_is_named():
    named = named_tests()
    tests = [(file, name) for file, name in names_of_tests() if file.removesuffix("_test") in _PROMISES]
    assert {file.removesuffix("_test") for file, _ in tests} == set(_PROMISES)
    left_out = [name for _, name in tests if not any(fnmatchcase(name, pattern) for pattern in named)]
    assert not left_out


def test_every_fault_has_a_row():
    rows = re.findall(r"^\| (\d+) \|", _DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert {int(row) for row in rows} == set(_FAULTS)
