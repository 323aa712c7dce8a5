"""What the guard finds, refuses and never shows."""

from __future__ import annotations

from tests.mutating import Mutation

_SECRETS = "tests/python/layer/test_secrets.py"
_SHOWN = "tests/python/layer/test_nothing_shown.py"
_SHAPES = "tests/python/policies/test_secret_shapes.py"

MUTATIONS = (
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
        'kind=changes.get("kind"), links=texts_of(changes.get("links", ()))',
        'kind=changes.get("kind")',
        f"{_SECRETS}::test_an_update_with_a_secret_raises_before_it_is_embedded_or_written",
    ),
    Mutation(
        "a secret in an imported id let in",
        "python/hippocore/transfer_import.py",
        "            id=extra.id,\n",
        "",
        f"{_SECRETS}::test_an_import_with_a_secret_writes_nothing",
    ),
    Mutation(
        "an embedder's words in a traceback",
        "python/hippocore/embedders/callable_embedder.py",
        '{place_of(error)}") from None',
        '{place_of(error)}") from error',
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
        "one pattern of the guard gone",
        "python/hippocore/secret_vendors.py",
        '    _key("npm token", "npm_[A-Za-z0-9]{36,}", "npm_"),\n',
        "",
        "tests/python/policies/test_guard.py::test_a_secret_is_refused_by_its_kind_and_never_shown",
    ),
)
