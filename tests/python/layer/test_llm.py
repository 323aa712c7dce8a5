"""A layer's llm is asked within its time; where it gives no text, nothing of it is shown and a warning says so once."""

import re
import threading
import warnings

import pytest

from hippocore import HippocoreWarning, MemoryLayer, Policy
from hippocore.patient_llm import PatientLlm

PROMPT = "tell me of the milk"
WITHOUT = "what it was asked for is done without it, here and wherever it fails again"


def test_an_answer_is_given_as_it_is():
    asked = []
    llm = PatientLlm(lambda prompt: asked.append(prompt) or "\n the milk is häst 🐎\n", 60)
    assert llm.answer(PROMPT) == "\n the milk is häst 🐎\n"
    assert asked == [PROMPT]


class UnprintableError(Exception):
    def __str__(self):
        raise AssertionError("nobody may look at what an llm raises: it may carry a text")


def raising(prompt):
    raise UnprintableError(prompt)


@pytest.mark.parametrize(
    ("llm", "said"),
    [
        (raising, rf"raised UnprintableError at {re.escape(__file__)}:{raising.__code__.co_firstlineno + 1}"),
        (lambda prompt: None, "returned NoneType, not a string"),
        (lambda prompt: [prompt], "returned list, not a string"),
        (lambda prompt: prompt.encode(), "returned bytes, not a string"),
        (lambda prompt: prompt + "\ud800", "returned a lone surrogate, which is no text"),
        (lambda: "no prompt", "raised TypeError"),
    ],
)
def test_an_llm_that_fails_says_so_once_and_shows_nothing(llm, said):
    asked = PatientLlm(llm, 60)
    with pytest.warns(HippocoreWarning, match=f"the llm {said}.*: {WITHOUT}$") as warned:
        assert asked.answer(PROMPT) is None
    assert [one.filename for one in warned] == [__file__]
    assert "milk" not in str(warned[0].message)
    assert asked.answer(PROMPT) is None


def test_an_llm_that_takes_too_long_is_given_up_and_not_asked_until_it_has_ended():
    let_go, begun, threads = threading.Event(), threading.Event(), []

    def slow(prompt):
        threads.append(threading.current_thread())
        begun.set()
        let_go.wait()
        return "late"

    llm = PatientLlm(slow, 0.01)
    with pytest.warns(HippocoreWarning, match=r"the llm took longer than 0\.01 seconds"):
        assert llm.answer(PROMPT) is None
    begun.wait()
    assert llm.answer(PROMPT) is None
    let_go.set()
    threads[0].join()
    llm._patient.seconds = 60
    assert llm.answer(PROMPT) == "late"
    assert len(threads) == 2
    assert all(thread.daemon for thread in threads)


def test_an_interrupt_is_no_failure_of_an_llm():
    def interrupted(prompt):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        PatientLlm(interrupted, 60).answer(PROMPT)


def test_a_layer_holds_its_llm_and_an_agents_is_the_same(opened):
    assert opened()._handle.llm is None
    memory = opened(llm=str.upper, policy=Policy({"ada": {"read": ["hers"]}}), read_only=True)
    llm = memory._handle.llm
    assert llm.answer("tea") == "TEA"
    assert llm._patient.seconds == 30
    assert memory.as_agent("ada")._handle.llm is llm
    assert opened(llm=str.upper, llm_seconds=2)._handle.llm._patient.seconds == 2


def test_an_llm_is_warned_of_once_whoever_asks(opened):
    memory = opened(llm=raising, policy=Policy({"ada": {"read": ["hers"]}}))
    with pytest.warns(HippocoreWarning):
        assert memory._handle.llm.answer(PROMPT) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert memory.as_agent("ada")._handle.llm.answer(PROMPT) is None


async def async_llm(prompt):
    raise AssertionError("nobody awaits it")


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"llm": "gpt"}, TypeError, "llm must be a callable str -> str, not str"),
        ({"llm": async_llm}, TypeError, "llm must be a plain function, not an async one"),
        ({"llm_seconds": "30"}, TypeError, "llm_seconds must be a number"),
        *(({"llm_seconds": s}, ValueError, "llm_seconds must be more") for s in (0, -1, float("nan"), float("inf"))),
    ],
)
def test_what_is_no_llm_is_refused_and_makes_no_store(path, options, error, said):
    with pytest.raises(error, match=said):
        MemoryLayer(path, **options)
    assert not path.exists()
