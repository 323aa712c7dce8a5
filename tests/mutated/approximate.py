"""Approximate recall: what it may leave out, and what its graph may lead to."""

from __future__ import annotations

from tests.mutating import Mutation

MUTATIONS = (
    Mutation(
        "candidates that are too few are all that is returned",
        "cpp/memory/approximate.cpp",
        "if (answer.hits.size() == request.limit) return answer;",
        "return answer;",
        "memory_candidates_that",
    ),
    Mutation(
        "the graph of another generation stays on disk",
        "cpp/storage/checkpoint.cpp",
        "const bool kept = name == graph_name(header) ||",
        "const bool kept = name.starts_with(kGraphFile) ||",
        "storage_graph_goes",
    ),
    Mutation(
        "links of a stranger to elements that are not there",
        "python/hippocore/stores/graph.py",
        "if (others >= len(levels)).any():\n            return False\n",
        "others = np.minimum(others, len(levels) - 1)\n",
        "tests/python/approximate/test_links.py::test_impossible_links_are_none",
    ),
)
