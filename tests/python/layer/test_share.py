"""What Python does for a recall and a context, counted in calls of functions, which no machine changes."""

import sys
from collections import Counter

import numpy as np
import pytest

from hippocore import MemoryLayer

DIM = 8


@pytest.fixture
def memory(path):
    with MemoryLayer(path, embedder=None, dim=DIM) as layer:
        vectors = np.eye(DIM)[np.arange(100) % DIM]
        items = [{"content": f"note number {i}", "embedding": vector} for i, vector in enumerate(vectors)]
        layer.remember_many(items, merge=False)
        yield layer


def calls_of(work):
    """How often each Python function was called."""
    calls = Counter()

    def count(frame, event, _):
        if event == "call":
            calls[frame.f_code.co_name] += 1

    work()  # imports, compiles and fills caches
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def test_a_hit_costs_one_call_until_somebody_looks_at_it(memory):
    query = np.ones(DIM, np.float32)
    few, many = (calls_of(lambda n=n: memory.recall(embedding=query, limit=n)).total() for n in (20, 60))
    assert many - few == 40


def test_a_recall_looks_at_no_memory(memory):
    assert calls_of(lambda: memory.recall(limit=20))["memory_of"] == 0
    assert calls_of(lambda: [hit.memory for hit in memory.recall(limit=20)])["memory_of"] == 20


def test_a_context_makes_no_memory_and_renders_each_line_once(memory):
    calls = calls_of(lambda: memory.context(budget=200, pool=100, touch=False))
    assert calls["memory_of"] == 0
    assert calls["line_text"] == 100
