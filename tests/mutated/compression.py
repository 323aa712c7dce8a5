"""Memories that are made of others, and events."""

from __future__ import annotations

from tests.mutating import Mutation

MUTATIONS = (
    Mutation(
        "a chain of alike memories is a cluster",
        "python/hippocore/lifecycle/clustering.py",
        "allowed &= pairs[i]",
        "pass",
        "tests/python/lifecycle/test_clustering.py::test_a_chain_is_no_cluster",
    ),
    Mutation(
        "a cluster begins with the earliest memory",
        "python/hippocore/lifecycle/clustering.py",
        "key=lambda i: -len(near[i])",
        "key=lambda i: i",
        "tests/python/lifecycle/test_clustering.py::test_who_has_the_most_others_comes_first",
    ),
    Mutation(
        "memories of two trusts become one",
        "python/hippocore/lifecycle/consolidate.py",
        "if record.state.trust == trust]",
        "if trust == 0]",
        "tests/python/lifecycle/test_consolidate.py::test_trusts_are_kept_apart",
    ),
    Mutation(
        "what changed while a model thought is folded",
        "python/hippocore/lifecycle/folding.py",
        "return found if same else None",
        "return found",
        "tests/python/lifecycle/test_consolidate.py::test_what_changes_while_a_model_thinks_is_looked_at_again",
    ),
    Mutation(
        "a fact that is there is written again",
        "python/hippocore/lifecycle/folding.py",
        "if handle.store.contains(key):",
        "if False:",
        "tests/python/lifecycle/test_consolidate.py::test_a_fact_that_was_written_without_its_members_put_aside_is_not_written_twice",
    ),
    Mutation(
        "a fact is as if it were used when it was made",
        "python/hippocore/lifecycle/folding.py",
        "last_used=max(one.last_used for one in states),",
        "",
        "tests/python/lifecycle/test_consolidate.py::test_use_and_age_go_on_and_do_not_begin_anew",
    ),
    Mutation(
        "a fact that the guard would hold back takes its members with it",
        "python/hippocore/lifecycle/folding.py",
        "if reason is None and draft.quarantine is not None:",
        "if False:",
        "tests/python/lifecycle/test_consolidate.py::test_what_the_guard_would_keep_waiting_stays_as_it_is",
    ),
    Mutation(
        "the number that most memories say is right",
        "python/hippocore/lifecycle/wording.py",
        "if stance(members[i].content) == stance(members[-1].content)]",
        "]",
        "tests/python/lifecycle/test_consolidate.py::test_where_members_differ_in_numbers_the_newest_is_right",
    ),
    Mutation(
        "a note may end the notes of a prompt",
        "python/hippocore/lifecycle/wording.py",
        ".replace('<', '‹')",
        "",
        "tests/python/lifecycle/test_consolidate.py::test_the_model_sees_the_notes_as_data_and_no_note_can_close_them",
    ),
    Mutation(
        "a model may put names in",
        "python/hippocore/lifecycle/agreement.py",
        "for name in names_and_numbers(text))",
        "for name in ())",
        "tests/python/lifecycle/test_agreement.py::test_a_text_is_grounded_where_its_names_numbers_negations_and_half_its_words_are",
    ),
    Mutation(
        "a model may put a negation in",
        "python/hippocore/lifecycle/agreement.py",
        "if denies(text) and not any(map(denies, sources)):",
        "if False:",
        "tests/python/lifecycle/test_agreement.py::test_a_text_is_grounded_where_its_names_numbers_negations_and_half_its_words_are",
    ),
    Mutation(
        "the recent tail is folded too",
        "python/hippocore/lifecycle/summarize.py",
        "live[: max(len(live) - keep, 0)]",
        "live",
        "tests/python/lifecycle/test_summarize.py::test_the_tail_is_what_was_written_last_also_when_no_time_passes",
    ),
    Mutation(
        "a hard rule is folded",
        "python/hippocore/lifecycle/summarize.py",
        "if record.state.importance < limits.protected]",
        "]",
        "tests/python/lifecycle/test_summarize.py::test_hard_rules_are_never_folded",
    ),
    Mutation(
        "what an insight links to is looked at again",
        "python/hippocore/lifecycle/reflect.py",
        "record.public_id not in known and record.key.hex() not in known",
        "True",
        "tests/python/lifecycle/test_reflect.py::test_what_an_insight_links_to_is_not_looked_at_again",
    ),
    Mutation(
        "an answer may name a note that there is not",
        "python/hippocore/lifecycle/reflect.py",
        "not 1 <= numbers[0] <= numbers[-1] <= len(evidence)",
        "False",
        "tests/python/lifecycle/test_reflect.py::test_an_answer_that_does_not_follow_is_not_kept",
    ),
    Mutation(
        "as_of hides what was archived since",
        "cpp/memory/eligible.cpp",
        "states.archived_at[row] > moment",
        "false",
        "tests/python/lifecycle/test_consolidate.py::test_what_is_asked_as_of_an_earlier_moment_is_what_was_there_then",
    ),
    Mutation(
        "recalls are told as upkeep",
        "python/hippocore/events.py",
        "_found[0].log(level,",
        "_found[0].log(INFO,",
        "tests/python/layer/test_events.py::test_a_recall_tells_what_it_found_and_how_long_it_took",
    ),
)
