"""Help: quick, and with examples."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

import hippocore
from hippocore.cli.app import app

COMMANDS = [
    "demo",
    "remember",
    "recall",
    "context",
    "list",
    "show",
    "history",
    "forget",
    "release",
    "scopes",
    "stats",
    "maintain",
    "verify",
    "compact",
    "backup",
    "export",
    "import",
    "eval",
    "tune",
]
HEAVY = ("numpy", "rich", "msgpack", "wordllama", "tokenizers", "hippocore._core", "hippocore.layer")
NAMES_HEAVY_IMPORTS = f"""
import sys
from hippocore.cli import main
sys.argv = ["hippocore", *sys.argv[1:]]
try:
    main()
finally:
    loaded = [name for name in {HEAVY!r} if name in sys.modules]
    print("loaded:", loaded, file=sys.stderr)
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_has_examples_that_call_it(command):
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    examples = result.stdout.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert len(examples) >= 2
    assert all(line.startswith("    hippocore ") and f" {command}" in line for line in examples)


def test_help_lists_every_command_and_has_examples():
    text = CliRunner().invoke(app, ["--help"]).stdout
    assert "Examples:" in text
    lines = text.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in lines] == COMMANDS
    assert [line for line in lines if line.endswith("...")] == []  # what a command does fits its line


@pytest.mark.parametrize("arguments", [["--help"], ["recall", "--help"], ["eval", "--help"], ["demo", "--help"]])
def test_help_imports_nothing_heavy(arguments):
    process = subprocess.run(
        [sys.executable, "-c", NAMES_HEAVY_IMPORTS, *arguments], capture_output=True, text=True, check=False
    )
    assert process.returncode == 0
    assert "Examples:" in process.stdout
    assert process.stderr == "loaded: []\n"


def test_version_is_printed():
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"hippocore {hippocore.__version__}\n")


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_the_extra_one_line_says_how_to_install_it(missing):
    code = f"""
import sys, importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == {missing!r} else found(name, package)
from hippocore.cli import main
main()
"""
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert process.returncode == 1
    assert process.stdout == ""
    assert process.stderr == 'hippocore: the command line needs typer and rich: pip install "hippocore[cli]"\n'
