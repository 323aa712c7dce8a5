"""Update, history and feedback."""

import itertools

import numpy as np
import pytest

from hippocore import MemoryNotFound, SecretRefused


def full(layer):
    return layer.remember(
        "Ann lives in Rome",
        importance=0.7,
        tags=["home"],
        metadata={"k": 1},
        links=["x"],
        source="chat",
        event_time=5.0,
    ).id


def test_updating_the_content_keeps_everything_else(layer, clock):
    identifier = full(layer)
    layer.feedback(identifier, True)
    before = layer.get(identifier)
    clock.pass_by(10)
    after = layer.update(identifier, content="Ann lives in Oslo")
    kept = (
        "id",
        "scope",
        "kind",
        "importance",
        "tags",
        "source",
        "trust",
        "metadata",
        "links",
        "created_at",
        "event_time",
    )
    for name in (*kept, "use_count", "last_used_at", "expires_at"):
        assert getattr(after, name) == getattr(before, name), name
    assert (after.content, after.version, after.valid_from.timestamp()) == ("Ann lives in Oslo", 2, clock.time)
    assert layer.get(identifier) == after


def test_recall_never_shows_old_and_new_and_history_has_both(layer, contents):
    identifier = full(layer)
    layer.update(identifier, content="Ann lives in Oslo")
    assert contents(layer.recall("Ann lives in Rome")) == ["Ann lives in Oslo"]
    versions = layer.history(identifier)
    assert contents(versions) == ["Ann lives in Rome", "Ann lives in Oslo"]
    assert [memory.version for memory in versions] == [1, 2]
    assert versions[0].valid_until == versions[1].valid_from
    assert versions[1].valid_until is None


def test_a_changed_content_gets_a_vector_of_its_own(layer, embed):
    identifier = full(layer)
    layer.update(identifier, content="Ann lives in Oslo")
    np.testing.assert_array_equal(layer.embeddings(identifier), embed(["Ann lives in Oslo"]))
    layer.update(identifier, embedding=np.ones(64))
    np.testing.assert_array_equal(layer.embeddings([identifier]), np.ones((1, 64), np.float32))
    assert layer.get(identifier).version == 3


@pytest.mark.parametrize(
    "change", [{"importance": 0.1}, {"trust": "untrusted"}, {"expires_at": 2e9}, {"importance": 0.2, "expires_at": 3e9}]
)
def test_state_changes_in_place(layer, change):
    identifier = full(layer)
    memory = layer.update(identifier, **change)
    assert memory.version == 1
    assert len(layer.history(identifier)) == 1
    if "importance" in change:
        assert memory.importance == change["importance"]
    if "trust" in change:
        assert memory.trust == "untrusted"
    if "expires_at" in change:
        assert memory.expires_at.timestamp() == change["expires_at"]


@pytest.mark.parametrize(
    ("change", "name", "wanted"),
    [
        ({"kind": "fact"}, "kind", "fact"),
        ({"tags": ["new"]}, "tags", ("new",)),
        ({"tags": None}, "tags", ()),
        ({"source": None}, "source", None),
        ({"metadata": {"z": 2}}, "metadata", {"z": 2}),
        ({"links": []}, "links", ()),
        ({"event_time": None}, "event_time", None),
    ],
)
def test_a_changed_column_makes_a_version_with_the_same_content_and_vector(layer, change, name, wanted):
    identifier = full(layer)
    vector = layer.embeddings(identifier)
    memory = layer.update(identifier, **change)
    assert getattr(memory, name) == wanted
    assert (memory.version, memory.content, memory.importance) == (2, "Ann lives in Rome", 0.7)
    np.testing.assert_array_equal(layer.embeddings(identifier), vector)


def test_changed_tags_and_metadata_are_what_filters_see(layer, contents):
    identifier = full(layer)
    layer.update(identifier, tags=["new"], metadata={"k": 2})
    assert layer.recall("Ann", tags=["home"]) == layer.recall("Ann", metadata={"k": 1}) == []
    assert contents(layer.recall("Ann", tags=["new"], metadata={"k": 2})) == ["Ann lives in Rome"]


def test_an_update_that_changes_nothing_writes_nothing(layer):
    identifier = full(layer)
    before = layer.stats().sequence
    memory = layer.update(identifier, content="Ann lives in Rome", importance=0.7, tags=["home"])
    assert (memory.version, layer.update(identifier), layer.stats().sequence) == (1, memory, before)


def test_update_refuses_what_it_cannot_change(layer):
    identifier = full(layer)
    with pytest.raises(MemoryNotFound, match="nobody"):
        layer.update("nobody", content="x")
    with pytest.raises(TypeError, match="scope"):
        layer.update(identifier, scope="elsewhere")
    with pytest.raises(ValueError, match="blank"):
        layer.update(identifier, content=" ")
    with pytest.raises(SecretRefused):
        layer.update(identifier, content="password: hunter2hunter2")
    layer.remember("Ann moved", supersedes=identifier)
    with pytest.raises(ValueError, match="superseded"):
        layer.update(identifier, content="x")


def test_versions_leave_no_gap_and_never_overlap_even_when_the_clock_goes_back(layer, clock, contents):
    identifier = full(layer)
    moments = [clock.time]
    for seconds in (10, -5, 0, 20):
        moments.append(clock.pass_by(seconds))
        layer.update(identifier, content=f"Ann at {clock.time} {seconds}")
    versions = layer.history(identifier)
    for earlier, later in itertools.pairwise(versions):
        assert earlier.valid_until == later.valid_from
        assert earlier.valid_from <= later.valid_from
    for moment in moments:
        assert len(layer.recall("Ann", as_of=moment)) == 1


def test_feedback_moves_importance_by_a_step_and_counts_a_useful_use(layer, clock):
    identifier = layer.remember("Ann likes tea", importance=0.5).id
    clock.pass_by(3)
    layer.feedback(identifier, True)
    memory = layer.get(identifier)
    assert memory.importance == pytest.approx(0.55)
    assert (memory.use_count, memory.last_used_at.timestamp()) == (1, clock.time)
    layer.feedback([identifier, identifier], False)
    memory = layer.get(identifier)
    assert memory.importance == pytest.approx(0.5)
    assert memory.use_count == 1
    for _ in range(12):
        layer.feedback(identifier, True)
    assert layer.get(identifier).importance == 1.0
    for _ in range(22):
        layer.feedback(identifier, False)
    assert layer.get(identifier).importance == 0.0


def test_feedback_on_a_missing_memory_changes_none(layer):
    identifier = layer.remember("Ann likes tea").id
    with pytest.raises(MemoryNotFound, match="nobody"):
        layer.feedback([identifier, "nobody"], True)
    with pytest.raises(TypeError, match="useful"):
        layer.feedback(identifier, 1)
    assert layer.get(identifier).importance == 0.5


def test_a_thousand_memories_survive_updates_compaction_and_reopening(layer, opened, clock):
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(1000, 64)).astype(np.float32)
    items = [{"content": f"memory {n}", "embedding": vectors[n], "id": f"m{n}"} for n in range(1000)]
    layer.remember_many(items, merge=False)
    for change in range(3):
        for n in (3, 500, 999):
            clock.pass_by(1)
            vectors[n] = rng.normal(size=64)
            layer.update(f"m{n}", content=f"memory {n} changed {change}", embedding=vectors[n])
    layer.compact()
    layer.close()
    again = opened()
    assert again.count() == 1000
    assert sorted(memory.id for memory in again.list()) == sorted(f"m{n}" for n in range(1000))
    for n in range(1000):
        nearest = again.recall(embedding=vectors[n], limit=1, min_relevance=0.9999)
        assert [hit.memory.id for hit in nearest] == [f"m{n}"]
        assert nearest[0].memory.content == f"memory {n}" + (" changed 2" if n in (3, 500, 999) else "")
