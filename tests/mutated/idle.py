"""Idle work: whom it could disturb, and whom what it prepares could mislead."""

from __future__ import annotations

from tests.mutating import Mutation

_TESTS = "tests/python/lifecycle"

MUTATIONS = (
    Mutation(
        "idle work goes on while its layer is used",
        "python/hippocore/lifecycle/worker.py",
        "return self._session.uses != self._uses",
        "return False",
        f"{_TESTS}/test_background.py::test_a_use_of_the_layer_ends_a_round_and_the_next_one_goes_on",
    ),
    Mutation(
        "two workers are on one store",
        "python/hippocore/lifecycle/worker.py",
        "self._ours = self._store.become_worker()\n        self._sequence",
        "self._ours = True\n        self._sequence",
        f"{_TESTS}/test_background.py::test_another_handles_worker_waits_and_takes_over",
    ),
    Mutation(
        "a vector that another embedder prepared serves a question",
        "python/hippocore/anticipation.py",
        "return self._vectors.get((embedder, text))",
        "return next((vector for (_, its), vector in self._vectors.items() if its == text), None)",
        f"{_TESTS}/test_preparing.py::test_another_embedder_is_not_served_by_this_ones_vectors",
    ),
)
