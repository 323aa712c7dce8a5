"""What maintenance lets go of, and what it must not."""

from __future__ import annotations

from tests.mutating import Mutation

_MAINTAIN = "tests/python/layer/test_maintain.py"
_JUDGEMENT = "python/hippocore/lifecycle/judgement.py"
_MAINTENANCE = "python/hippocore/lifecycle/maintenance.py"

MUTATIONS = (
    Mutation(
        "a protected memory goes",
        _JUDGEMENT,
        "return _holds(memories) & _is_unprotected(memories, settings)",
        "return _holds(memories)",
        f"{_MAINTAIN}::test_protected_memories_count_and_stay",
    ),
    Mutation(
        "a protected memory does not count",
        _JUDGEMENT,
        "    counted = _holds(memories)  # a protected memory counts, and stays\n",
        "    counted = may_go\n",
        f"{_MAINTAIN}::test_protected_memories_count_and_stay",
    ),
    Mutation(
        "a superseded memory counts",
        _JUDGEMENT,
        '(memories["flags"] & SUPERSEDED) == 0',
        'memories["flags"] != 0',
        f"{_MAINTAIN}::test_what_was_superseded_or_waits_in_quarantine_neither_fades_nor_counts",
    ),
    Mutation(
        "a ttl takes what was told how long to live",
        _JUDGEMENT,
        '(age >= _ttl(memories, settings)) & (memories["expires_at"] == NEVER)',
        "age >= _ttl(memories, settings)",
        f"{_MAINTAIN}::test_use_does_not_lengthen_a_ttl_and_an_expiry_of_its_own_does",
    ),
    Mutation(
        "what changed meanwhile goes",
        _MAINTENANCE,
        "rows = rows[_still_due(handle, due, part)]",
        "_still_due(handle, due, part)",
        f"{_MAINTAIN}::test_what_is_used_changed_or_forgotten_meanwhile_is_left_alone",
    ),
    Mutation(
        "a dry run forgets",
        _MAINTENANCE,
        "        if not dry_run and ids:\n",
        "        if ids:\n",
        f"{_MAINTAIN}::test_a_dry_run_says_the_same_and_writes_nothing",
    ),
    Mutation(
        "an agent's named scope needs no right to write",
        _MAINTENANCE,
        "    handle.rights.require_write(places.scopes)\n",
        "",
        "tests/python/agents/test_maintain.py::test_a_scope_that_is_named_needs_both_rights",
    ),
    Mutation(
        "the version that holds goes with the old ones",
        "cpp/storage/edit.cpp",
        "for (std::size_t at = 0; at + 1 < slots.size() &&",
        "for (std::size_t at = 0; at < slots.size() &&",
        "storage_edit_lets_only_versions_go_that_ended_by_the_moment_and_never_the_newest",
    ),
    Mutation(
        "a version goes that has not ended by the moment",
        "cpp/storage/edit.cpp",
        "root_.state(slots[at]).valid_until <= ended.moment;",
        "root_.rows(slots[at]).valid_from()[Root::row(slots[at])] <= ended.moment;",
        "storage_edit_lets_only_versions_go_that_ended_by_the_moment_and_never_the_newest",
    ),
    Mutation(
        "a version that was let go of is seen at its time",
        "cpp/memory/eligible.cpp",
        "return (flags & format::kForgotten) == 0 && archived == filter_.archived",
        "return archived == filter_.archived",
        "memory_old_versions_that_are_let_go_of_are_seen_at_no_moment_and_compaction_drops_them",
    ),
    Mutation(
        "every use is a spaced one",
        "cpp/storage/store_write.cpp",
        "const bool spaced = format::is_spaced(state->last_used, touch.first);",
        "const bool spaced = state->last_used <= touch.first;",
        "storage_touch_counts_the_uses_a_day_or_more_after_the_one_before",
    ),
)
