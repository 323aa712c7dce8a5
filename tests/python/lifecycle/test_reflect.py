"""Reflection: insights link to their evidence, say what it says, and are not made twice of the same."""

import pytest

import hippocore
from hippocore import ALL, AccessDenied, AsyncMemoryLayer, Policy, ReadOnlyStore, StoreClosed

BUILD = ["the nightly build fails on the arm runner", "the nightly build fails on the arm runner with a timeout"]
BUILD += ["today the nightly build fails on the arm runner"]
TEA = ["Ada drinks green tea in the morning", "Ada drinks green tea", "Ada drinks green tea in the office"]
OTHER = "The invoice of the printer is paid"


class Model:
    """Answers questions first and then each question, and keeps the prompts."""

    def __init__(self, questions, *answers):
        self.answers = [questions, *answers]
        self.prompts = []

    def __call__(self, prompt):
        self.prompts.append(prompt)
        return self.answers[len(self.prompts) - 1]


def test_without_a_model_each_subject_speaks_by_its_central_statement(layer, remember, contents):
    build = remember(layer, BUILD)
    tea = remember(layer, [*TEA, TEA[1]])
    remember(layer, [OTHER])
    done = layer.reflect()
    assert [set(made.members) for made in done.made] == [set(tea), set(build)]
    assert (done.archived, done.left) == ((), ())
    assert contents(map(layer.get, (made.id for made in done.made))) == [TEA[1], BUILD[0]]
    insight = layer.get(done.made[1].id)
    assert (insight.kind, insight.links, insight.use_count) == ("insight", tuple(build), 0)
    assert (insight.metadata["made_by"], insight.metadata["of"]["members"]) == ("reflect", 3)
    assert layer.count(kinds=["episode"]) == 8


def test_an_insight_states_something_and_links_to_its_evidence(layer, remember, contents):
    greeting = "Ada: Hello there! Green tea is what I drink in the office. What do you drink?"
    ids = remember(layer, [greeting] * 3 + ["Ada: Hello! How are you?"] * 3)
    (made,) = layer.reflect().made
    insight = layer.get(made.id)
    assert insight.content == "Ada: Green tea is what I drink in the office."
    assert [(link, link.type) for link in insight.links] == [(one, "evidence") for one in ids[:3]]


def test_what_an_insight_links_to_is_not_looked_at_again(layer, remember):
    remember(layer, BUILD)
    assert len(layer.reflect().made) == 1
    assert not layer.reflect().made
    remember(layer, TEA)
    assert len(layer.reflect().made) == 1
    assert layer.count(kinds=["insight"]) == 2


def test_only_recent_important_ones_are_looked_at(layer, remember):
    remember(layer, BUILD, importance=0.4)
    remember(layer, TEA)
    assert not layer.reflect(recent=2).made
    assert [len(made.members) for made in layer.reflect(min_importance=0.3, recent=5, limit=5, at_least=2).made] == [
        3,
        2,
    ]
    assert not layer.reflect(limit=0, min_importance=0.0).made


def test_a_dry_run_writes_nothing_and_asks_no_model(opened, remember):
    layer = opened(llm=lambda prompt: pytest.fail("asked"))
    ids = remember(layer, BUILD)
    assert [(made.id, set(made.members)) for made in layer.reflect(dry_run=True).made] == [(None, set(ids))]
    assert layer.count(kinds=["insight"]) == 0


def test_with_a_model_questions_are_answered_from_what_is_recalled_for_them(opened, remember):
    model = Model(
        "1. What fails at night?\n- Where does it fail?\nnonsense\n",
        "The nightly build fails on arm (because of 1, 2).",
        "x",
    )
    layer = opened(llm=model)
    build = remember(layer, BUILD)
    remember(layer, TEA)
    done = layer.reflect()
    assert len(model.prompts) == 3
    assert "What fails at night?" in model.prompts[1]
    assert "Where does it fail?" in model.prompts[2]
    (made,) = done.made
    insight = layer.get(made.id)
    assert insight.content == "The nightly build fails on arm"
    assert insight.links == made.members
    assert set(made.members) <= set(build)
    assert len(made.members) == 2
    assert ["no answer" in left.reason for left in done.left] == [True]


@pytest.mark.parametrize(
    "answer",
    [
        "The nightly build fails on arm.",
        "The nightly build fails on arm (because of 1).",
        "The nightly build fails on arm (because of 1, 99).",
        "The nightly build fails on arm (because of 0, 1).",
        "The nightly build fails on arm (because of it and them).",
        "Bob breaks the nightly build (because of 1, 2).",
        "The nightly build failed 12 times (because of 1, 2).",
        "The build fails. The runner is arm. (because of 1, 2)",
        "(because of 1, 2)",
        "nothing",
        "",
        None,
        7,
    ],
)
@pytest.mark.filterwarnings("ignore::hippocore.HippocoreWarning")
def test_an_answer_that_does_not_follow_is_not_kept(opened, remember, answer):
    layer = opened(llm=Model("What fails?", answer))
    remember(layer, BUILD)
    done = layer.reflect()
    assert (done.made, len(done.left)) == ((), 1)
    assert layer.count() == 3


@pytest.mark.parametrize("questions", ["", "no questions here", None, "x" * 500 + "?"])
@pytest.mark.filterwarnings("ignore::hippocore.HippocoreWarning")
def test_without_a_question_nothing_is_made(opened, remember, questions):
    layer = opened(llm=Model(questions))
    remember(layer, BUILD)
    done = layer.reflect()
    assert (done.made, ["no question" in left.reason for left in done.left]) == ((), [True])


def test_vectors_that_are_handed_in_are_enough(opened):
    model = Model("What fails?", "The build fails (because of 1, 2).")
    layer = opened(embedder=None, dim=2, llm=model)
    for i in range(3):
        layer.remember(f"the build fails on runner {i}", embedding=[1.0, i / 10], merge=False)
    (made,) = layer.reflect().made
    assert layer.get(made.id).content == "The build fails"
    assert layer.embeddings(made.id)[0, 0] > 0.9


def test_trusts_are_kept_apart(layer, remember):
    remember(layer, BUILD[:2])
    remember(layer, BUILD[2:], trust="untrusted")
    assert not layer.reflect(min_importance=0.0).made
    remember(layer, BUILD[:2], trust="untrusted")
    (made,) = layer.reflect(min_importance=0.0).made
    assert (layer.get(made.id).trust, layer.get(made.id).importance) == ("untrusted", 0.3)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"recent": -1}, ValueError),
        ({"min_importance": "0"}, TypeError),
        ({"similarity": 2}, ValueError),
        ({"at_least": 1}, ValueError),
        ({"limit": 1.5}, TypeError),
        ({"dry_run": None}, TypeError),
    ],
)
def test_wrong_arguments_are_refused(layer, wrong, error):
    with pytest.raises(error):
        layer.reflect(**wrong)


def test_rights_and_closed_and_read_only_handles(opened, remember):
    owner = opened(policy=Policy({"ann": {"read": ["ann", "rules"], "write": ["ann"]}}))
    for scope in ("ann", "rules"):
        remember(owner, BUILD, scope=scope)
    ann = owner.as_agent("ann")
    with pytest.raises(AccessDenied):
        ann.reflect(scope="rules")
    (made,) = ann.reflect(scope=ALL).made
    assert owner.get(made.id).scope == "ann"
    with pytest.raises(ReadOnlyStore):
        opened(read_only=True).reflect()
    owner.close()
    with pytest.raises(StoreClosed):
        owner.reflect()


def test_no_content_is_shown(layer, remember):
    remember(layer, ["the zanzibar wombat sings"] * 3)
    assert "wombat" not in repr(layer.reflect())


def test_an_async_layer_has_the_verb():
    assert AsyncMemoryLayer.reflect.__doc__ == hippocore.MemoryLayer.reflect.__doc__
