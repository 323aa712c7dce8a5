"""A data set is written and asked as a user would do it."""

from __future__ import annotations

import time

import pytest

from hippocore import MemoryLayer
from hippocore.evaluate import asking
from hippocore.evaluate.asking import answered, evaluate, steps
from hippocore.evaluate.files import read_file
from hippocore.evaluate.report import compared, figures_of, report
from hippocore.evaluate.settings import Setting
from hippocore.evaluate.written import TimedEmbedder, scope_of, written_store


def test_each_conversation_has_a_scope_and_its_entries_stand_there_in_order(locomo, written):
    data = read_file(written(locomo))
    with written_store(data, Setting()) as store:
        memories = store.layer.list(scope=scope_of(0), order="oldest")
        assert [memory.content for memory in memories] == [entry.content for entry in data.conversations[0].entries]
        assert memories[2].source == "session_2"
        assert memories[2].event_time.isoformat() == "2021-04-12T22:30:00+00:00"
        assert store.layer.count(scope=scope_of(1)) == 3


def test_an_answer_is_what_recall_and_context_give(locomo, written, tmp_path):
    data = read_file(written(locomo))
    (run,) = evaluate(data, [Setting(limit=2, budget=80)])
    entries = {entry.content: entry.id for entry in data.conversations[0].entries}
    with MemoryLayer(tmp_path / "own.mem") as layer:
        layer.remember_many(
            [
                {"content": entry.content, "source": entry.source, "event_time": entry.event_time}
                for entry in data.conversations[0].entries
            ],
            merge=False,
        )
        for answer in run.answers[:3]:
            question = answer.question.text
            assert answer.near == tuple(entries[hit.memory.content] for hit in layer.recall(question, limit=2))
            assert answer.far == tuple(entries[hit.memory.content] for hit in layer.recall(question, limit=50))
            packed = layer.context(question, budget=80, touch=False)
            assert answer.packed == tuple(entries[hit.memory.content] for hit in packed.memories)
            assert answer.tokens == packed.tokens <= 80


def test_the_right_entry_is_found_and_one_of_another_conversation_never(locomo, written):
    (run,) = evaluate(read_file(written(locomo)), [Setting()])
    assert [answer.near[0] for answer in run.answers] == ["D1:1", "D1:2", "D1:2", "D1:1", "D1:2"]
    assert {len(answer.near) for answer in run.answers[:3]} == {4}
    assert {len(answer.near) for answer in run.answers[3:]} == {3}


def test_asking_touches_nothing(locomo, written):
    data = read_file(written(locomo))
    with written_store(data, Setting()) as store:
        answered(store, Setting())
        store.layer.remember("a write carries the touches that wait", scope="another")
        assert {memory.use_count for memory in store.layer.list()} == {0}


def test_what_was_superseded_is_not_recalled_and_what_merely_is_outdated_counts_as_stale(lines, written):
    def stale(objects):
        (run,) = evaluate(read_file(written(objects, as_lines=True)), [Setting()])
        return figures_of(run.answers[0])["stale@5"]

    assert stale(lines) == 0
    del lines[1]["supersedes"]
    assert stale(lines) == 1


def test_kind_and_importance_are_written(lines, written):
    with written_store(read_file(written(lines, as_lines=True)), Setting()) as store:
        written_as = {memory.content: memory for memory in store.layer.list()}
    assert written_as["The mill burnt down."].kind == "fact"
    assert "The bakery opens at six." not in written_as
    assert written_as["The ferry is blue."].importance == 0.5


def test_a_conversation_whose_questions_say_their_present_is_written_at_its_last_event(haystacks, written):
    with written_store(read_file(written(haystacks)), Setting()) as store:
        first = {memory.created_at.isoformat() for memory in store.layer.list(scope=scope_of(0))}
        (second,) = {memory.created_at.timestamp() for memory in store.layer.list(scope=scope_of(1))}
    assert first == {"2023-05-21T11:02:00+00:00"}
    assert abs(second - time.time()) < 3600


def test_recency_of_the_event_counts_from_the_questions_present(lines, written):
    """The mill burnt down in February 2020, and the question is asked in September, 224 days later."""
    data = read_file(written(lines, as_lines=True))
    ranking = Setting().changed("recency=1,recency_of=event").made_ranking()
    with written_store(data, Setting()) as store:
        _, burnt = list(data.asked())[1]
        mill = next(hit for hit in store.recall(0, burnt, limit=5, ranking=ranking) if "mill" in hit.memory.content)
    days = (1.6e9 - mill.memory.event_time.timestamp()) / 86400
    assert mill.recency == pytest.approx(0.5 ** (days / 30))


def test_memories_that_the_guard_refuses_are_counted(locomo, written):
    turn = locomo[1]["conversation"]["session_1"][1]
    turn["text"] = "the key is AKIA" + "QYLPMN5HFIQR7XYA"
    (run,) = evaluate(read_file(written(locomo)), [Setting()])
    figures = report(run, conversations=2)
    assert (figures.memories, figures.refused) == (7, 1)
    assert "D1:2" not in run.answers[4].far


def test_settings_that_write_the_same_share_a_store(locomo, written, monkeypatch):
    made = []
    real = asking.written_store
    monkeypatch.setattr(asking, "written_store", lambda *said: made.append(said) or real(*said))
    data, told = read_file(written(locomo)), []
    settings = [Setting(), Setting(speakers="none"), Setting(mode="dense")]
    runs = evaluate(data, settings, told.append)
    assert [run.setting for run in runs] == settings
    assert len(made) == 2
    assert sum(told) == steps(data, settings) == 2 * 7 + 3 * 5


def test_a_setting_with_other_wordings_asks_every_question_so(locomo, written, monkeypatch):
    asked, real = [], MemoryLayer.recall
    monkeypatch.setattr(
        MemoryLayer, "recall", lambda layer, *query, **how: asked.append(how) or real(layer, *query, **how)
    )
    (run,) = evaluate(read_file(written(locomo)), [Setting(expand="feedback")])
    assert {how["expand"] for how in asked} == {"feedback"}
    assert len(asked) == 1 + 2 * len(run.answers)


def test_a_run_compared_with_itself_has_no_difference(locomo, written):
    (run,) = evaluate(read_file(written(locomo)), [Setting()])
    intervals = compared(run, run, seed=0)
    assert set(intervals) >= {"recall@10", "ndcg@10", "mrr", "context_recall_all"}
    assert "stale@10" not in intervals
    assert {interval[:3] for interval in intervals.values()} == {(0, 0, 0)}


def test_a_question_asked_again_is_not_embedded_again():
    embedder = TimedEmbedder("local")
    first = embedder(["a question"])
    spent = embedder.seconds
    assert spent > 0
    assert (embedder(["a question"]) == first).all()
    assert embedder.seconds == spent
    embedder(["another"])
    assert embedder.seconds > spent


def test_a_question_of_no_data_set_is_asked_before_any_is_timed(locomo, written, monkeypatch):
    data = read_file(written(locomo))
    asked, told = [], []
    recall = MemoryLayer.recall

    def seen(self, query, **how):
        asked.append(query)
        return recall(self, query, **how)

    monkeypatch.setattr(MemoryLayer, "recall", seen)
    with written_store(data, Setting()) as store:
        run = answered(store, Setting(), told.append)
    questions = [answer.question.text for answer in run.answers]
    assert asked[0] not in questions
    assert asked[1:] == [question for question in questions for _ in range(2)]
    assert sum(told) == len(questions)
