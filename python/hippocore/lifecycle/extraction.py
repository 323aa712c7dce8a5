"""Extraction: from a turn to the sentences that may be worth remembering, with a model or without."""

from __future__ import annotations

from collections.abc import Callable

from hippocore.lifecycle.dialogue import Statement, Turn
from hippocore.lifecycle.extraction_model import extract_by_model
from hippocore.lifecycle.extraction_rules import extract_by_rules


def extract(turn: Turn, llm: Callable[[str], str | None] | None = None) -> list[Statement]:
    """Return what a turn states: at most 12 self-contained sentences with kind and importance; [] where there is none.

    llm: asked by a prompt whose answer is JSON (`hippocore.lifecycle.extraction_model` says what of it is believed). An
    answer that is not gives []. None is no answer: then, and without an llm, the rules decide, for English only
    (`hippocore.lifecycle.extraction_rules`). What llm raises goes through; `PatientLlm.answer` raises nothing.
    """
    found = None if llm is None else extract_by_model(turn, llm)
    return extract_by_rules(turn) if found is None else found
