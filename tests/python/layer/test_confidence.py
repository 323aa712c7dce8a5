"""Confidence: what another source says too is surer, up to 1, and time takes from what nobody confirms."""

import pytest

from hippocore import Decay, Retention

DAY = 86_400


def test_a_memory_begins_sure_and_loses_a_tenth_in_30_days(layer, clock):
    note = layer.get(layer.remember("Ann likes tea", kind="fact", source="mail").id)
    assert note.confidence == 1.0
    left = [Retention().confidence_at(note, clock.time + days * DAY) for days in (0, 29, 30, 60, 900)]
    assert left == pytest.approx([1, 1, 0.9, 0.81, 0.3])


def test_another_source_adds_a_tenth_to_what_is_left_and_its_version_keeps_the_first(layer, clock):
    note = layer.remember("Ann likes tea", kind="fact", source="mail")
    clock.pass_by(90 * DAY)
    assert layer.remember("Ann likes tea.", kind="fact", source="chat").action == "merged"
    assert layer.get(note.id).confidence == pytest.approx(0.9**3 + 0.1)
    assert [one.source for one in layer.history(note.id)] == ["mail", "chat"]
    layer.remember("Ann likes tea", kind="fact", source="call")
    assert layer.get(note.id).confidence == pytest.approx(0.9**3 + 0.2)
    for number in range(3):
        layer.remember("Ann likes tea", kind="fact", source=f"visit {number}")
    assert layer.get(note.id).confidence == 1.0


def test_what_the_same_source_says_again_confirms_nothing(layer, clock):
    note = layer.remember("Ann likes tea", kind="fact", source="mail").id
    layer.remember("Ann likes tea", kind="fact", source="chat")
    clock.pass_by(60 * DAY)
    layer.remember("Ann likes tea!", kind="fact", source="mail")  # a new wording, of a source that said it before
    assert layer.get(note).confidence == pytest.approx(0.81)
    layer.remember("Ann likes tea?", kind="fact")  # of nobody
    assert layer.get(note).confidence == pytest.approx(0.81)
    assert layer.get(note).version == 4


def test_the_same_again_changes_no_version_and_leaves_the_confidence(layer, clock):
    note = layer.remember("Ann likes tea", kind="fact", source="mail").id
    clock.pass_by(60 * DAY)
    layer.remember("Ann likes tea", kind="fact", source="mail")
    memory = layer.get(note)
    assert (memory.confidence, memory.version) == (1.0, 1)
    assert Retention().confidence_at(memory, clock.time) == pytest.approx(0.81)


def test_the_layers_decay_by_kind_says_what_a_confirmation_adds_to(opened, clock):
    layer = opened(retention=Retention(decay={"fact": Decay(confidence=0.5, every="1d", floor=0.2)}))
    note = layer.remember("Ann likes tea", kind="fact", source="mail").id
    clock.pass_by(2 * DAY)
    layer.remember("Ann likes tea", kind="fact", source="chat")
    assert layer.get(note).confidence == pytest.approx(0.35)


def test_a_confidence_goes_through_an_export(layer, opened, clock, tmp_path):
    layer.remember("Ann likes tea", id="tea", kind="fact", source="mail")
    clock.pass_by(90 * DAY)
    layer.remember("Ann likes tea", kind="fact", source="chat")
    layer.export(tmp_path / "first")
    other = opened(tmp_path / "other.mem")
    other.import_(tmp_path / "first")
    other.export(tmp_path / "second")
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    assert other.get("tea").confidence == layer.get("tea").confidence < 1
