"""Weights are fitted to what they are to be fitted to, and judged on what they have not seen."""

from __future__ import annotations

import numpy as np
import pytest

from hippocore.evaluate import tuning
from hippocore.evaluate.files import read_file
from hippocore.evaluate.settings import Setting
from hippocore.evaluate.signals import Signals, constant, grid, recalls
from hippocore.evaluate.tuning import dealt, fitted, tune


def test_weights_are_every_split_with_the_start_first_and_then_the_nearest():
    start = (0.5, 0.25, 0.15, 0.1)
    tried = grid(start)
    assert tried.shape == (221, 4)
    assert tuple(tried[0]) == start
    assert tried.sum(axis=1) == pytest.approx(1)
    assert tried[1:, 0].min() == pytest.approx(0.1)
    distances = np.abs(tried - start).sum(axis=1)
    assert (np.diff(distances[1:]) >= 0).all()
    assert len(np.unique(tried, axis=0)) == 221


def test_recall_of_other_weights_is_that_of_sorting_by_them():
    draw = np.random.default_rng(11)
    values = draw.integers(0, 4, (40, 4)) / 4  # with many ties
    places = [[3], [17, 30], []]
    weights = grid((0.25, 0.25, 0.25, 0.25))
    found = recalls(Signals(0, values, places), weights, 10)
    for got, weight in zip(found, weights, strict=True):
        scores = sum(values[:, i] * weight[i] for i in range(4))
        best = set(np.argsort(-scores, kind="stable")[:10].tolist())
        assert got == pytest.approx(sum(bool(best.intersection(piece)) for piece in places) / 3)


def test_a_signal_that_never_differs_is_named():
    values = np.array([[0.1, 0.5, 0.5, 0.0], [0.2, 0.5, 0.5, 0.0]])
    other = np.array([[0.1, 0.6, 0.5, 0.0], [0.1, 0.6, 0.4, 0.0]])
    assert constant([Signals(0, values, []), Signals(0, other, [])]) == ("recency", "usage")


def test_conversations_are_dealt_whole_and_one_alone_by_question():
    conversations = [0, 0, 1, 2, 2, 2, 3, 4]
    folds = dealt(conversations, 2, seed=0)
    assert len({(conversation, fold) for conversation, fold in zip(conversations, folds, strict=True)}) == 5
    assert set(folds.tolist()) == {0, 1}
    assert dealt(conversations, 2, seed=0).tolist() == folds.tolist()
    assert any(dealt(conversations, 2, seed=seed).tolist() != folds.tolist() for seed in range(1, 5))
    assert sorted(dealt([7] * 5, 5, seed=0).tolist()) == [0, 1, 2, 3, 4]


def test_the_first_of_weights_as_good_is_taken():
    assert fitted(np.array([[0.1, 0.3, 0.3], [0.3, 0.1, 0.1]])) == 0
    assert fitted(np.array([[0.1, 0.3, 0.3], [0.3, 0.2, 0.2]])) == 1


def towns(*, importance):
    """Six scopes, in each of which the answer is not what is most like the question; importance may tell it."""
    objects = []
    for town in ("Aldwick", "Berrow", "Corfe", "Denby", "Elmore", "Frome"):
        scope = {"scope": town}
        texts = [
            f"Which gate of {town} is open, who asks?",
            f"The gate of {town} is old.",
            f"In {town} take the south one.",
        ]
        objects += [
            {"memory": text, "id": f"m{i}", "importance": importance[i], **scope} for i, text in enumerate(texts)
        ]
        objects.append({"question": f"Which gate of {town} is open?", "expected": ["m2"], **scope})
        objects.append({"question": f"Which gate of {town} do I take?", "expected": ["m2"], **scope})
        objects.append({"question": "Who is asking?", "expected": ["m0"], "apart": True, **scope})
    return objects


def test_what_importance_tells_is_found_and_held_out_questions_show_it(written):
    data = read_file(written(towns(importance=(0.0, 0.1, 1.0)), as_lines=True))
    start = Setting(limit=1).changed("relevance=1")
    told = []
    found = tune(data, start, folds=3, advance=told.append)
    assert found.gained
    assert found.before < 0.5 < found.after
    assert found.gain.difference == pytest.approx(found.after - found.before)
    assert found.weights["importance"] > 0
    assert found.start == {"relevance": 1, "recency": 0, "importance": 0, "usage": 0, "lexical_weight": 0.5}
    assert [fold.questions for fold in found.folds] == [4, 4, 4]
    assert sorted(name for fold in found.folds for name in fold.conversations) == [c.name for c in data.conversations]
    assert found.constant == ("recency", "usage")
    assert sum(told) == tuning.steps(data, start)
    assert tune(data, start, folds=3) == found


def test_where_nothing_is_to_be_gained_the_weights_stay(written):
    data = read_file(written(towns(importance=(0.5, 0.5, 0.5)), as_lines=True))
    found = tune(data, Setting(limit=1))
    assert not found.gained
    assert found.weights == found.start
    assert found.gain[:3] == (0, 0, 0)
    assert found.constant == ("recency", "importance", "usage")


def test_the_weight_of_words_is_fitted_where_recall_is_hybrid(written):
    """What is expected has a rare word of the question; what is nearer by similarity means the rest of it."""
    objects = []
    for scope in "abcd":
        said = ["Gravel, sewage and the county road budget of March: see the zyx report.", "We had soup.", "It rained."]
        said += [
            "He was cheerful and delighted, smiling with gladness.",
            "They are merry and content.",
            "A glad smile.",
        ]
        said += ["The bus was late."]
        objects += [{"memory": text, "id": f"m{i}", "scope": scope} for i, text in enumerate(said)]
        objects.append({"question": "zyx: happiness and joy?", "expected": ["m0"], "scope": scope})
    data = read_file(written(objects, as_lines=True))
    start = Setting(limit=1).changed("lexical_weight=0.1")
    found = tune(data, start)
    assert found.start["lexical_weight"] == 0.1
    assert found.gained
    assert found.weights["lexical_weight"] > 0.1
    dense = tune(data, Setting(limit=1, mode="dense").changed("lexical_weight=0.1"))
    assert dense.weights == dense.start
    assert tuning.steps(data, Setting(mode="dense")) == 7 * 4 + 4 + 4  # written, weighed once, asked
    assert tuning.steps(data, Setting()) == 7 * 4 + 5 * 4 + 4


def test_what_other_wordings_find_is_not_tuned(written):
    data = read_file(written(towns(importance=(0.5, 0.5, 0.5)), as_lines=True))
    with pytest.raises(ValueError, match="leave out expand"):
        tune(data, Setting(expand="feedback"))


def test_held_out_questions_are_not_what_the_weights_are_fitted_to(written, monkeypatch):
    """The weights of a fold come from the other folds' questions alone."""
    data = read_file(written(towns(importance=(0.0, 0.1, 1.0)), as_lines=True))
    seen = []
    real = tuning.fitted
    monkeypatch.setattr(tuning, "fitted", lambda found: seen.append(len(found)) or real(found))
    tune(data, Setting(limit=1), folds=3)
    assert seen == [8, 8, 8, 12]


def test_tuning_needs_questions_and_folds(written):
    objects = [{"memory": "x", "id": "m"}, {"question": "x?", "expected": ["m"]}]
    data = read_file(written(objects, as_lines=True))
    with pytest.raises(ValueError, match="two questions or more that are not apart, and there are 1"):
        tune(data, Setting())
    with pytest.raises(ValueError, match="folds must be 2 or more"):
        tune(data, Setting(), folds=1)


def test_more_folds_than_can_be_dealt_are_refused(written):
    several = read_file(written(towns(importance=(0.5, 0.5, 0.5)), as_lines=True))
    with pytest.raises(ValueError, match=f"{len(several.conversations)} conversations cannot be dealt into 99 folds"):
        tune(several, Setting(), folds=99)
    one = [{"memory": "x", "id": "m"}, *({"question": f"x{i}?", "expected": ["m"]} for i in range(3))]
    with pytest.raises(ValueError, match="3 questions cannot be dealt into 4 folds: say 3 or fewer"):
        tune(read_file(written(one, as_lines=True)), Setting(), folds=4)
