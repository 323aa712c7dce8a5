"""Confidence in the right conversation is held against that in all others."""

from __future__ import annotations

import pytest

from hippocore.evaluate.abstention import abstention, steps
from hippocore.evaluate.files import read_file
from hippocore.evaluate.settings import Setting
from hippocore.evaluate.written import scope_of, written_store


def test_every_question_is_asked_of_every_conversation(locomo, written):
    data, told = read_file(written(locomo)), []
    found = abstention(data, Setting(speakers="neutral"), told.append)
    assert (found.right, found.wrong) == (4, 4)  # the adversarial one is apart
    assert found.auroc == 1
    assert 0 <= found.wrong_mean < found.right_mean <= 1
    assert found.wrong_above_half <= found.right_above_half
    assert found.setting == "local, hybrid, speakers=neutral"
    assert sum(told) == steps(data)


def test_confidence_is_that_of_the_contexts(locomo, written):
    data = read_file(written(locomo))
    found = abstention(data, Setting())
    with written_store(data, Setting()) as store:
        asked = [(number, question.text) for number, question in data.asked() if not question.apart]

        def confidence(number, text):
            return store.layer.context(text, scope=scope_of(number), touch=False).confidence

        right = [confidence(number, text) for number, text in asked]
        wrong = [confidence(1 - number, text) for number, text in asked]
    assert found.right_mean == pytest.approx(sum(right) / 4)
    assert found.wrong_mean == pytest.approx(sum(wrong) / 4)
    assert found.right_above_half == sum(value > 0.5 for value in right) / 4


def test_one_conversation_alone_and_a_mode_without_confidence_are_refused(locomo, written):
    with pytest.raises(ValueError, match="there is one"):
        abstention(read_file(written(locomo[:1])), Setting())
    with pytest.raises(ValueError, match="mode dense has no confidence"):
        abstention(read_file(written(locomo)), Setting(mode="dense"))
    with pytest.raises(ValueError, match="mode bm25 has no confidence"):
        abstention(read_file(written(locomo)), Setting(mode="bm25"))
