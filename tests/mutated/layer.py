"""What Python decides: merging, guarding, rendering, purging; and the floors."""

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
        "one pattern of the guard gone",
        "python/hippocore/secret_vendors.py",
        '    _key("npm token", "npm_[A-Za-z0-9]{36,}", "npm_"),\n',
        "",
        "tests/python/policies/test_guard.py::test_a_secret_is_refused_by_its_kind_and_never_shown",
    ),
    Mutation(
        "line breaks of a memory kept in the prompt",
        "python/hippocore/visible.py",
        "LINE_BREAK_MARK.join(filter(None, map(str.strip, _LINE_BREAKS.split(text))))",
        "text.strip()",
        "tests/python/policies/test_prompt.py::test_contents_stay_readable",
    ),
    Mutation(
        "one of Unicode's line breaks let through",
        "python/hippocore/visible.py",
        r'\x85\u2028\u2029]+")',
        r'\x85\u2028]+")',
        "tests/python/policies/test_prompt.py::test_whatever_ends_a_line_is_shown_instead",
    ),
    Mutation(
        "direction characters kept in the prompt",
        "python/hippocore/visible.py",
        "(category in _REMOVED and",
        '(category == "Cc" and',
        "tests/python/policies/test_prompt.py::test_every_character_is_shown_as_something_that_can_be_seen_in_every_normal_form",
    ),
    Mutation(
        "a memory may close the block",
        "python/hippocore/neutral.py",
        'line = _TAG.sub("‹", line)',
        "pass",
        "tests/python/policies/test_prompt.py::test_no_stored_text_can_close_the_block_or_add_a_line",
    ),
    Mutation(
        "a memory may say the delimiter",
        "python/hippocore/neutral.py",
        r'return _occurrence(delimiter).sub(rf"\1{BREAK}", line)',
        "return line",
        "tests/python/policies/test_prompt.py::test_each_line_holds_neither_delimiter_nor_tag_by_itself",
    ),
    Mutation(
        "a memory may close the block in fullwidth letters",
        "python/hippocore/neutral.py",
        "line = visible_line(plain)",
        "pass",
        "tests/python/policies/test_prompt.py::test_it_stays_one_block_when_its_reader_normalises_or_unescapes_it",
    ),
    Mutation(
        "a memory may close the block in character references",
        "python/hippocore/neutral.py",
        r'return _AMPERSAND.sub(rf"\g<0>{BREAK}", line)',
        "return line",
        "tests/python/policies/test_prompt.py::test_it_stays_one_block_when_its_reader_normalises_or_unescapes_it",
    ),
    Mutation(
        "a kind may pass for a trust",
        "python/hippocore/prompt.py",
        'return _LABEL_MARKS.sub(BREAK, unicodedata.normalize("NFKC", visible_line(text)))',
        "return visible_line(text)",
        "tests/python/policies/test_prompt.py::test_a_kind_cannot_pass_for_a_trust",
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
        "    if not np.isfinite(vector).all():\n",
        "    if np.isnan(vector).any():\n",
        "tests/python/layer/test_vectors.py::test_what_is_no_vector_is_refused_at_every_door",
    ),
    Mutation(
        "touching what was asked to stay untouched",
        "python/hippocore/context.py",
        "if limits.touch and fitting and not",
        "if fitting and not",
        "tests/python/layer/test_context.py::test_what_went_in_counts_as_used_and_nothing_else",
    ),
)
