"""What Python decides: merging, filters, context, purging; and the floors."""

from __future__ import annotations

from tests.mutating import Mutation

_FLOORS = "tests/python/test_layers.py"

MUTATIONS = (
    Mutation(
        "an upward include",
        "cpp/base/id.cpp",
        '#include "base/id.h"\n',
        '#include "base/id.h"\n#include "storage/append_only.h"\n',
        f"{_FLOORS}::test_a_file_includes_lower_floors_only",
    ),
    Mutation(
        "an upward import",
        "python/hippocore/times.py",
        "    if isinstance(moment, datetime):\n        found",
        "    import hippocore.scored  # noqa: F401\n\n    if isinstance(moment, datetime):\n        found",
        f"{_FLOORS}::test_a_module_imports_lower_floors_only",
    ),
    Mutation(
        "merging ignores numbers",
        "python/hippocore/terms.py",
        "return word.rstrip(_CLOSING_MARKS_OF_NUMBERS) if _ends_in_digit(stripped) else stripped",
        'return "" if _ends_in_digit(stripped) else stripped',
        "tests/python/policies/test_terms.py::test_texts_that_say_different_things_never_agree",
    ),
    Mutation(
        "merging ignores the order of words",
        "python/hippocore/terms.py",
        "return list(filter(None, map(word, normalised.split(",
        "return sorted(filter(None, map(word, normalised.split(",
        "tests/python/policies/test_terms.py::test_texts_that_say_different_things_never_agree",
    ),
    Mutation(
        "a purge that does not compact",
        "python/hippocore/forgetting.py",
        "    if purge:\n        handle.store.compact()\n    return len(keys)\n\n\n@dataclass",
        "    return len(keys)\n\n\n@dataclass",
        "tests/python/layer/test_forget.py::test_a_purge_leaves_neither_text_nor_vector_in_any_file",
    ),
    Mutation(
        "infinity let in",
        "python/hippocore/vectors.py",
        "    if np.count_nonzero(np.isfinite(vector)) != dimension:",
        "    if np.isnan(vector).any():",
        "tests/python/layer/test_vectors.py::test_what_is_no_vector_is_refused_at_every_door",
    ),
    Mutation(
        "touching what was asked to stay untouched",
        "python/hippocore/context.py",
        "if limits.touch and hits and not",
        "if hits and not",
        "tests/python/layer/test_context.py::test_what_went_in_counts_as_used_and_nothing_else",
    ),
    Mutation(
        "the command line prints what it refuses",
        "python/hippocore/cli/selection.py",
        '"it is not KEY=VALUE"',
        'f"{text!r} is not KEY=VALUE"',
        "tests/python/cli/test_writing.py::test_metadata_without_a_sign_is_not_printed",
    ),
)
