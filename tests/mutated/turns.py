"""Turns: what a model or a stranger could get into a store or out of a turn, and what hooks could lose."""

from __future__ import annotations

from tests.mutating import Mutation

_LIFECYCLE = "python/hippocore/lifecycle"
_TESTS = "tests/python/turns"

MUTATIONS = (
    Mutation(
        "an instruction inside a tool's result becomes a rule",
        f"{_LIFECYCLE}/extraction_model.py",
        'said_by != "user" or pasted',
        "pasted",
        f"{_TESTS}/test_extraction_model.py::test_who_said_it_is_judged_by_its_words_and_nobody_but_the_user_makes_rules",
    ),
    Mutation(
        "what a model invents is remembered",
        f"{_LIFECYCLE}/grounding.py",
        "if not words or not words <= self._words:",
        "if not words:",
        f"{_TESTS}/test_extraction_model.py::test_what_was_not_said_is_left_out",
    ),
    Mutation(
        "results of tools are trusted",
        f"{_LIFECYCLE}/routes.py",
        '"tool": "unverified"',
        '"tool": "trusted"',
        f"{_TESTS}/test_observe_turn.py::test_what_a_tool_says_to_a_model_waits_in_quarantine",
    ),
    Mutation(
        "a secret is embedded to measure its novelty",
        f"{_LIFECYCLE}/turns.py",
        "if not one.refused]",
        "if one is not None]",
        f"{_TESTS}/test_observe_turn.py::test_no_secret_is_embedded_to_measure_novelty",
    ),
    Mutation(
        "a secret of a turn is shown to the model",
        f"{_LIFECYCLE}/turns.py",
        "redacting.screen(prompt).content",
        "prompt",
        f"{_TESTS}/test_observe_turn.py::test_the_llm_sees_no_secret_unless_the_guard_allows_it",
    ),
    Mutation(
        "an agent learns what it cannot read by what is not new there",
        f"{_LIFECYCLE}/turns.py",
        "if handle.may_read(candidates[i].scope) else None",
        "",
        f"{_TESTS}/test_observe_turn.py::test_an_agent_keeps_to_its_rights",
    ),
    Mutation(
        "hooks are lost where the interpreter ends",
        f"{_LIFECYCLE}/background.py",
        "daemon=False",
        "daemon=True",
        f"{_TESTS}/test_hooks.py::test_what_was_begun_is_done_where_the_interpreter_ends",
    ),
    Mutation(
        "what a hook raised is logged",
        f"{_LIFECYCLE}/hooks.py",
        "_name_of(hook), type(error).__name__)",
        "_name_of(hook), error)",
        f"{_TESTS}/test_hooks.py::test_a_failing_hook_is_logged_by_name_and_counted_and_the_next_ones_run",
    ),
    Mutation(
        "a hard rule fades with failures that were not its own",
        f"{_LIFECYCLE}/learning.py",
        "success or memory.get(identifier).importance < PROTECTED",
        "success or memory.get(identifier).importance <= 1",
        f"{_TESTS}/test_learning.py::test_a_hard_rule_loses_nothing_by_a_failure",
    ),
    Mutation(
        "hindsight adds up each time it is called",
        f"{_LIFECYCLE}/hindsight.py",
        "max(0.0, state.importance - shift)",
        "max(0.0, state.importance)",
        f"{_TESTS}/test_hindsight.py::test_calling_it_again_does_not_add_up_and_keeps_later_credit",
    ),
    Mutation(
        "a model makes a hard rule of what it rates",
        f"{_LIFECYCLE}/hindsight_worth.py",
        "min(near, max(importance, CEILING))",
        "near",
        f"{_TESTS}/test_hindsight.py::test_no_model_makes_a_hard_rule_or_lifts_what_is_not_trusted",
    ),
)
