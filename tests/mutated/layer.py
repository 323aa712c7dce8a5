"""What Python decides: merging, guarding, rendering, purging; and the floors."""

from __future__ import annotations

from tests.mutating import Mutation

_FLOORS = "tests/python/test_layers.py"
_SECRETS = "tests/python/layer/test_secrets.py"
_SHOWN = "tests/python/layer/test_nothing_shown.py"
_SHAPES = "tests/python/policies/test_secret_shapes.py"

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
    Mutation(
        "a secret in metadata let in",
        "python/hippocore/drafts.py",
        "    if draft.metadata or draft.tags or draft.source:\n",
        "    if draft.tags or draft.source:\n",
        f"{_SECRETS}::test_a_memory_with_a_secret_is_skipped_before_it_is_embedded_or_written",
    ),
    Mutation(
        "a secret embedded before it is refused",
        "python/hippocore/writing.py",
        "    if reason := refusal(draft, handle.guard):\n        return",
        "    handle.embed([draft.content])\n    if reason := refusal(draft, handle.guard):\n        return",
        f"{_SECRETS}::test_a_memory_with_a_secret_is_skipped_before_it_is_embedded_or_written",
    ),
    Mutation(
        "a secret in a scope let in",
        "python/hippocore/drafts.py",
        "        scope=draft.scope, kind=draft.kind, id",
        "        kind=draft.kind, id",
        f"{_SECRETS}::test_a_secret_in_a_name_is_refused_and_the_reason_says_in_which",
    ),
    Mutation(
        "a secret in an update's link let in",
        "python/hippocore/changing.py",
        'kind=changes.get("kind"), links=changes.get("links")',
        'kind=changes.get("kind")',
        f"{_SECRETS}::test_an_update_with_a_secret_raises_before_it_is_embedded_or_written",
    ),
    Mutation(
        "a secret in an imported id let in",
        "python/hippocore/transfer_import.py",
        "kind=record.kind, id=extra.id,",
        "kind=record.kind,",
        f"{_SECRETS}::test_an_import_with_a_secret_writes_nothing",
    ),
    Mutation(
        "an embedder's words in a traceback",
        "python/hippocore/embedders/callable_embedder.py",
        '{_place(error)}") from None',
        '{_place(error)}") from error',
        f"{_SHOWN}::test_an_embedder_that_fails_with_the_text_is_not_repeated",
    ),
    Mutation(
        "a metadata key in an exception",
        "python/hippocore/metadata.py",
        '    return f"metadata {key!r}" if plain else "metadata"\n',
        '    return f"metadata {key!r}" if plain or key else "metadata"\n',
        f"{_SHOWN}::test_a_wrong_argument_of_remember_is_not_shown",
    ),
    Mutation(
        "content in a repr",
        "python/hippocore/guard.py",
        '        return f"Screened(reason={self.reason!r}, refused={self.refused})"\n',
        '        return f"Screened({self.content!r}, reason={self.reason!r}, refused={self.refused})"\n',
        f"{_SHOWN}::test_no_repr_shows_content",
    ),
    Mutation(
        "a line of an export in an exception",
        "python/hippocore/transfer_lines.py",
        'return None, "it is no JSON in UTF-8"',
        'return None, f"it is no JSON in UTF-8: {line!r}"',
        f"{_SHOWN}::test_a_line_that_cannot_be_imported_is_not_shown",
    ),
    Mutation(
        "a password without a sign let in",
        "python/hippocore/secret_mentions.py",
        "    return value[0].isalpha() or (len(value) >= 8 and value.lower() != value)\n",
        "    return False\n",
        f"{_SHAPES}::test_every_fabricated_secret_is_found_in_every_kind_of_text",
    ),
    Mutation(
        "an expression of a program taken for a secret",
        "python/hippocore/secret_words.py",
        "    if _EXPRESSION.match(value) is None:\n",
        "    if _EXPRESSION.match(value) is None or value:\n",
        f"{_SHAPES}::test_what_only_resembles_a_secret_is_left_alone",
    ),
    Mutation(
        "the command line prints what it refuses",
        "python/hippocore/cli/selection.py",
        '"it is not KEY=VALUE"',
        'f"{text!r} is not KEY=VALUE"',
        "tests/python/cli/test_writing.py::test_metadata_without_a_sign_is_not_printed",
    ),
)
