"""Figures of given answers, by hand."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from hippocore.evaluate.answers import Answer, Run
from hippocore.evaluate.dataset import Question
from hippocore.evaluate.picture import drawn
from hippocore.evaluate.report import figures_of, report
from hippocore.evaluate.settings import Setting

LETTERS = tuple("abcdefghijkl")


def answer(expected, *, category="1", conversation=0, apart=False, outdated=(), packed=(), seconds=3e-4, near=10):
    pieces = tuple(frozenset(piece) for piece in expected)
    question = Question("?", pieces, category, frozenset(outdated), apart)
    return Answer(conversation, question, LETTERS[:near], LETTERS, tuple(packed), 90, seconds, 1e-4)


def run(*answers):
    return Run(Setting(), list(answers), 12, 0)


def test_figures_of_one_question():
    figures = figures_of(answer(["a", "f", "z"], packed="abf", outdated="g"))
    assert (figures["recall@5"], figures["recall@10"]) == (1 / 3, 2 / 3)
    assert (figures["recall_any@5"], figures["recall_all@50"]) == (1, 0)
    assert figures["mrr"] == 1
    assert (figures["context_recall"], figures["context_recall_all"]) == (2 / 3, 0)
    assert figures["context_precision"] == 2 / 3
    assert figures["context_tokens"] == 90
    assert (figures["stale@5"], figures["stale@10"]) == (0, 1)


def test_all_evidence_inside_a_context():
    assert figures_of(answer(["a", "b"], packed="cba"))["context_recall_all"] == 1
    assert figures_of(answer(["a"], packed=""))["context_recall_all"] == 0


def test_what_comes_first_is_of_the_recall_that_was_timed():
    asked = answer(["a"], near=3)._replace(near=("x", "y", "z"))
    figures = figures_of(asked)
    assert figures["recall@5"] == figures["mrr"] == 1  # of the deeper recall
    assert asked.best(3) == ("x", "y", "z")
    assert asked.best(4) == tuple("abcd")


def test_what_is_apart_is_in_no_mean():
    made = report(run(answer(["a"]), answer(["z"], category="5", apart=True, seconds=1)), conversations=1)
    assert (made.all.questions, made.all.figures["recall@10"]) == (1, 1)
    assert list(made.categories) == ["1"]
    assert (made.apart["5"].questions, made.apart["5"].figures["recall@10"]) == (1, 0)
    assert made.latency.p95 == pytest.approx(300)


def test_categories_and_halves_are_groups_of_the_same_questions():
    answers = [answer(["a"]), answer(["z"], category="2", conversation=1), answer(["a"], category="2", conversation=2)]
    made = report(run(*answers), conversations=3, halves=True)
    assert made.all.figures["recall@10"] == pytest.approx(2 / 3)
    assert {name: means.figures["recall@10"] for name, means in made.categories.items()} == {"1": 1, "2": 0.5}
    assert {name: means.figures["recall@10"] for name, means in made.halves.items()} == {"1 to 2": 0.5, "3": 1}
    assert report(run(*answers), conversations=3).halves == {}


def test_staleness_is_a_mean_over_the_questions_that_say_what_is_outdated():
    made = report(run(answer(["a"], outdated="b"), answer(["a"], outdated="z"), answer(["a"])), conversations=1)
    assert made.all.figures["stale@5"] == 0.5
    assert "stale@5" not in report(run(answer(["a"])), conversations=1).all.figures


def test_latency_is_told_with_and_without_embedding():
    made = report(run(*(answer(["a"], seconds=n * 1e-4) for n in range(2, 22))), conversations=1)
    latency = made.latency
    assert (latency.p50, latency.p95) == pytest.approx((1100, 2000))
    assert (latency.p50_without_embedding, latency.p95_without_embedding) == pytest.approx((1000, 1900))


def test_the_picture_has_a_bar_for_each_group_and_setting():
    made = report(run(answer(["a"], category="<&>"), answer(["a", "z"])), conversations=1)
    picture = ElementTree.fromstring(drawn([made, made]))
    bars = [float(bar.get("width")) for bar in picture.iter("{http://www.w3.org/2000/svg}rect")]
    assert bars == [360, 360, 240, 240, 480, 480]
    words = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert "category <&>" in words
    assert "0.750" in words
