"""The store in plain Python, for tests of what is written to and read from a store."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from hippocore.extra import Extra
from hippocore.stores.protocol import NEVER, QUARANTINED, SUPERSEDED, WRITTEN, State
from tests.python.policies.transfers import DIM, FRESH, add, record

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


@pytest.fixture
def full(model_store):
    """A store with a bit of everything: versions, states, times, other scripts, odd characters."""
    store = model_store(DIM)
    extra = Extra(("b", "a"), {"z": [1, 2.5, None], "a": {"ü": "\u2028\0"}}, ("other",), "zzz", "my id")
    state = State(0.1, 0.25, 3.5, 12, WRITTEN | QUARANTINED, 0, 5_000, 10**15, NEVER, 9_000)
    add(
        store,
        record("my id", "old\nwording", extra=extra),
        record("f" * 32, "Été 茶 \u2028 \0 😀", source="chat", event_time=-(10**15), kind="own kind"),
        record("my id", "new wording", 2, extra=extra, state=state),
        record("0" * 32, "gone", state=FRESH._replace(flags=WRITTEN | SUPERSEDED, valid_until=4_000)),
        record("my id", "newest wording", 3, extra=extra, state=state),
    )
    return store
