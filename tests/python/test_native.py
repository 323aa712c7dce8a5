"""The C++ tests, each as one test here: built once a session, in a folder that the next session finds again."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.native import ROOT, build, names_of_tests


@pytest.fixture(scope="session")
def executable(tmp_path_factory):
    kept = os.access(ROOT, os.W_OK)
    return build(ROOT / "build" / "native-tests" if kept else tmp_path_factory.mktemp("native-tests"))


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


@pytest.mark.parametrize("name", [pytest.param(name, id=f"{file}:{name}") for file, name in names_of_tests()])
def test_the_core_keeps_its_promise(executable, name):
    done = run(executable, name)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}"


def test_every_test_in_the_executable_is_run_here(executable):
    assert run(executable, "--list").stdout.split() == sorted(name for _, name in names_of_tests())
