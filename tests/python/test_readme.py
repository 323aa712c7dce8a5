"""The README's example runs as it stands there, twice, and says what the README says it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def examples():
    return re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def run(example, folder):
    command = [sys.executable, "-W", "error", "-c", example]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_readmes_example_runs_as_written(tmp_path):
    example = examples()[0]
    assert 8 <= len(example.splitlines()) <= 12
    for _ in range(2):
        process = run(example, tmp_path)
        assert process.returncode == 0, process.stderr
    block, _, hits = process.stdout.partition("score ")
    assert "moved to pg2, port 6432" in block
    assert "Never push to main" in block + hits
    assert "db1" not in process.stdout


def example_with(words):
    return next(example for example in examples() if words in example)


def test_the_readmes_turn_is_kept_as_the_readme_says(tmp_path):
    process = run(example_with("observe_turn"), tmp_path)
    assert process.returncode == 0, process.stderr
    assert "3 kept" in process.stdout.splitlines()
    assert "trusted] User: I prefer tabs over spaces." in process.stdout
    assert "unverified] Assistant: I fixed the rounding in billing/tax.py." in process.stdout
    assert "Can you fix" not in process.stdout


def test_the_readmes_agent_sees_what_the_readme_says(tmp_path):
    process = run(example_with("as_agent"), tmp_path)
    assert process.returncode == 0, process.stderr
    first, denied = process.stdout.splitlines()
    assert first == "Deploys go out on Tuesdays."
    assert denied.startswith("agent 'coder' may not read the scope 'user:ada'")
    assert "Ada" not in denied


def test_the_readme_sets_up_with_exactly_two_commands():
    text = README.read_text(encoding="utf-8")
    commands = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert commands == ['pip install ".[local]" && hippocore demo\n', 'pip install ".[test]" && pytest\n']
    opening = text.split("\n\n")[1]
    assert len(re.findall(r"\.(?:\s|$)", opening)) == 2


def test_every_file_the_readme_names_exists():
    for target in re.findall(r"\]\(([^):#]+)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / target).exists(), target
