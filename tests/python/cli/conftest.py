"""How the tests run the command line: in this process with a runner, or as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hippocore.cli.app import app


@pytest.fixture(autouse=True)
def _no_store_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HIPPOCORE_STORE", raising=False)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where the test's store is, or will be."""
    return tmp_path / "agent.mem"


@pytest.fixture
def run(store: Path) -> Callable[..., Any]:
    """Run a command on the test's store in this process; the exit code must be `code`."""

    def runs(*arguments: str, code: int = 0, typed: str | None = None) -> Any:
        result = CliRunner().invoke(app, ["--store", str(store), *arguments], input=typed)
        assert result.exit_code == code, (result.stdout, result.stderr, result.exception)
        return result

    return runs


@pytest.fixture
def answer(run: Callable[..., Any]) -> Callable[..., Any]:
    """Run a command with --json and return what it printed, parsed."""
    return lambda *arguments, **options: json.loads(run(*arguments, "--json", **options).stdout)


@pytest.fixture
def shell(store: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `hippocore` as a process of its own, on the test's store."""

    def runs(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "HIPPOCORE_STORE": str(store), "PYTHONIOENCODING": "utf-8"}
        environment.update(options.pop("env", {}))
        return subprocess.run(
            [sys.executable, "-m", "hippocore.cli", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            timeout=60,
            check=False,
            **options,
        )

    return runs


@pytest.fixture
def remembered(answer: Callable[..., Any]) -> dict[str, str]:
    """Three memories in the store: their ids by a short name."""
    texts = {
        "rule": ("Never push to main", "--kind", "procedure", "--importance", "0.95", "--scope", "user:ada"),
        "fact": ("The staging database is at db1, port 5432", "--kind", "fact", "--tag", "database"),
        "chat": ("Ada likes the sea", "--scope", "user:ada/agent:coder"),
    }
    return {name: answer("remember", *arguments)["id"] for name, arguments in texts.items()}
