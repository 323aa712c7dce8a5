"""Asking the questions of a data set as a user of `MemoryLayer` would, with one setting or with several."""

from __future__ import annotations

import time
from collections.abc import Sequence

from hippocore.evaluate.answers import DEPTH, Answer, Run
from hippocore.evaluate.dataset import DataSet, Question
from hippocore.evaluate.plain_asking import PlainMethods
from hippocore.evaluate.settings import PLAIN, Setting
from hippocore.evaluate.written import Advance, WrittenStore, scope_of, written_store


def evaluate(data: DataSet, settings: Sequence[Setting], advance: Advance = lambda steps: None) -> list[Run]:
    """Return the run of each setting. Settings that write the same memories ask the same store, one after the other.

    `advance` is told of steps, `steps(data, settings)` in all. Stores are temporary.
    """
    runs: dict[int, Run] = {}
    for written in dict.fromkeys(setting.written for setting in settings):
        same = [place for place, setting in enumerate(settings) if setting.written == written]
        with written_store(data, settings[same[0]], advance) as store:
            for place in same:
                runs[place] = answered(store, settings[place], advance)
    return [runs[place] for place in range(len(settings))]


def steps(data: DataSet, settings: Sequence[Setting]) -> int:
    """Return how many steps `evaluate` takes: a memory written or a question asked is one."""
    return data.entries * len({setting.written for setting in settings}) + data.questions * len(settings)


def answered(store: WrittenStore, setting: Setting, advance: Advance = lambda steps: None) -> Run:
    """Return the run of a setting that asks every question of a store, and one of no data set before, untimed."""
    plain = PlainMethods(store, setting) if setting.mode in PLAIN else None
    # The first recall maps files and loads tables. A question of the data set would be in the embedder's cache then.
    store.layer.recall("What was said?", scope=scope_of(0), **({} if plain else setting.how))
    answers = []
    for number, question in store.data.asked():
        answers.append(plain.answer(number, question) if plain else _answer(store, setting, number, question))
        advance(1)
    return Run(setting, answers, store.data.entries, store.refused)


def _answer(store: WrittenStore, setting: Setting, number: int, question: Question) -> Answer:
    how = setting.how
    embedding = store.embedder.seconds
    start = time.perf_counter()
    near = store.recall(number, question, limit=setting.limit, **how)
    seconds = time.perf_counter() - start
    embedding = store.embedder.seconds - embedding
    far = store.recall(number, question, limit=max(DEPTH, setting.limit), **how)
    packed = store.layer.context(question.text, scope=scope_of(number), budget=setting.budget, touch=False, **how)
    came = (store.names(near), store.names(far), store.names(packed.memories))
    return Answer(number, question, *came, packed.tokens, seconds, embedding)
