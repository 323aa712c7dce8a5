"""The store in plain Python, for tests of what is written to and read from a store."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import settings

MODEL = Path(__file__).parents[2] / "model" / "model_store.py"

# A busy machine is no failure.
settings.register_profile("any_machine", deadline=None)
settings.load_profile("any_machine")


@pytest.fixture(scope="session")
def model_store():
    name = "hippocore_model_store_for_policies"
    spec = importlib.util.spec_from_file_location(name, MODEL)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module.ModelStore
