"""What keeps files that were made to do harm from doing any: sizes and values that are checked before they are used."""

from __future__ import annotations

from tests.mutating import Mutation

MUTATIONS = (
    Mutation(
        "a section's size in an index not checked",
        "cpp/format/index.cpp",
        'check(start <= bytes.size() && length <= bytes.size() - start, "ends before one of its sections");',
        "",
        "fuzz_corpus_of_decode_record",
    ),
    Mutation(
        "a store's states not checked for values that no store writes",
        "cpp/storage/chunk.cpp",
        " && format::states_are_sound(*block_, committed_)",
        "",
        "storage_hostile_values_of_a_state",
    ),
    Mutation(
        "a store's rows not checked for values that no store writes",
        "cpp/storage/chunk.cpp",
        " && format::row_is_sound(view_, index)",
        "",
        "storage_hostile_values_of_a_row",
    ),
    Mutation(
        "a source's name taken for a scope's",
        "cpp/storage/labels.h",
        "return label < size() && type(label) == wanted && !text(label).empty();",
        "return label < size() && (type(label) == wanted || !text(label).empty());",
        "storage_hostile_values_of_a_row",
    ),
)
