"""Forgetting: one, several, a scope; and that nothing comes back."""

import numpy as np
import pytest

from hippocore import ALL, MemoryNotFound

DAY = 86_400


def test_forget_takes_one_id_or_several_and_says_how_many(layer, contents):
    ids = [layer.remember(f"note {number}").id for number in range(5)]
    assert layer.forget(ids[0]) == 1
    assert layer.forget([ids[1], ids[2], ids[1]]) == 2
    assert layer.forget([]) == 0
    assert sorted(contents(layer.list())) == ["note 3", "note 4"]
    for read in (layer.get, layer.history, layer.embeddings):
        with pytest.raises(MemoryNotFound, match=ids[0]):
            read(ids[0])


def test_an_unknown_id_forgets_nothing(layer):
    identifier = layer.remember("note").id
    for ids in ([identifier, "nobody"], ["nobody", identifier], "nobody"):
        with pytest.raises(MemoryNotFound, match="nobody"):
            layer.forget(ids)
    assert layer.count() == 1


def test_forget_where_wants_the_scope_to_be_said(layer):
    layer.remember("note")
    with pytest.raises(TypeError, match="scope"):
        layer.forget_where()
    with pytest.raises(ValueError, match="label"):
        layer.forget_where(scope="")
    with pytest.raises(TypeError, match="scope"):
        layer.forget_where(scope=None)
    assert layer.count() == 1


def test_forget_where_takes_only_its_scope_with_history_and_what_was_superseded(layer, contents):
    old = layer.remember("Ann lives in Rome", scope="user:ann").id
    new = layer.remember("Ann lives in Oslo", scope="user:ann", supersedes=old).id
    layer.update(new, content="Ann lives in Bergen")
    other = layer.remember("Bob lives in Rome", scope="user:ann2", links=[new]).id
    assert layer.forget_where(scope="user:ann") == 2
    assert contents(layer.list()) == ["Bob lives in Rome"]
    for identifier in (old, new):
        with pytest.raises(MemoryNotFound):
            layer.history(identifier)
    assert layer.recall("Ann", scope=ALL, as_of=layer.get(other).created_at, limit=10)[0].memory.id == other
    assert layer.stats().versions == 1


def test_forget_where_reaches_a_superseded_memory_whose_successor_is_elsewhere(layer):
    old = layer.remember("Ann lives in Rome", scope="private", kind="fact", tags=["home"], source="chat").id
    layer.remember("Ann moved", scope="shared", supersedes=old)
    for kept in ({"kinds": ["episode"]}, {"tags": ["work"]}, {"source": "mail"}, {"before": 0.0}):
        assert layer.forget_where(scope="private", **kept) == 0
    assert layer.forget_where(scope="private", kinds="fact", tags="home", source="chat") == 1
    assert old not in layer


def test_forget_where_reaches_expired_memories(layer, clock):
    identifier = layer.remember("note", expires_at=clock.time + 1).id
    clock.pass_by(2)
    assert layer.forget_where(scope="default") == 1
    with pytest.raises(MemoryNotFound):
        layer.history(identifier)


def test_forget_where_before_takes_the_old_ones_only(layer, clock, contents):
    layer.remember("written long ago")
    layer.remember("will have happened recently", event_time=clock.time + 95 * DAY)
    clock.pass_by(100 * DAY)
    layer.remember("written now")
    layer.remember("happened long ago", event_time=clock.time - 91 * DAY)
    assert layer.forget_where(scope="default", before=clock.time - 90 * DAY) == 2
    assert sorted(contents(layer.list())) == ["will have happened recently", "written now"]


@pytest.mark.parametrize(
    ("condition", "left"),
    [
        ({"kinds": ["fact"]}, ["b", "c"]),
        ({"kinds": []}, ["a", "b", "c"]),
        ({"tags": ["x", "y"]}, ["c"]),
        ({"tags": []}, ["a", "b", "c"]),
        ({"source": "chat"}, ["a", "b"]),
        ({"source": "nowhere"}, ["a", "b", "c"]),
        ({"kinds": ["fact"], "tags": ["y"]}, ["a", "b", "c"]),
        ({}, []),
    ],
)
def test_forget_where_meets_every_condition(layer, contents, condition, left):
    layer.remember("a", kind="fact", tags=["x"])
    layer.remember("b", tags=["y"])
    layer.remember("c", source="chat")
    layer.forget_where(scope=ALL, **condition)
    assert sorted(contents(layer.list())) == left


def test_forget_where_takes_a_list_of_scopes_and_what_lies_below(layer):
    for scope in ("a", "a/b", "ab", "c", "d"):
        layer.remember(f"in {scope}", scope=scope)
    assert layer.forget_where(scope=[]) == 0
    assert layer.forget_where(scope=["a", "c"], subtree=True) == 3
    assert [info.scope for info in layer.scopes()] == ["ab", "d"]


@pytest.mark.parametrize("purge", [False, True])
def test_what_was_forgotten_does_not_come_back(layer, opened, contents, purge):
    keep = layer.remember("Ann likes tea").id
    gone = layer.remember("Bob likes coffee").id
    layer.forget(gone, purge=purge)
    layer.close()
    again = opened()
    again.compact()
    again.close()
    last = opened()
    assert contents(last.recall("Bob likes coffee")) == ["Ann likes tea"]
    assert (gone in last, keep in last, last.count()) == (False, True, 1)
    assert last.recall("Bob", as_of=last.get(keep).created_at, limit=5)[0].memory.id == keep


def test_a_purge_leaves_neither_text_nor_vector_in_any_file(opened, path):
    layer = opened(embedder=None, dim=3)
    text, vector = "a very particular sentence", [0.123456, 0.654321, 0.777777]
    layer.remember("Ann likes tea", embedding=[1, 0, 0])
    layer.remember(text, id="gone", embedding=vector, metadata={"where": "particular metadata"})
    layer.update("gone", content=text + " again", embedding=vector)
    layer.checkpoint()
    traces = [text.encode(), np.float32(vector).tobytes(), b"particular metadata"]
    assert all(trace in _all_bytes(path) for trace in traces)
    layer.forget("gone", purge=True)
    assert not [trace for trace in traces if trace in _all_bytes(path)]
    assert layer.count() == 1
    layer.remember(text, id="gone", embedding=vector)
    layer.forget_where(scope="default", purge=True)
    assert not [trace for trace in traces if trace in _all_bytes(path)]


def _all_bytes(path):
    return b"".join(file.read_bytes() for file in path.rglob("*") if file.is_file())


def test_evicting_half_and_filling_again_leaves_full_pages(layer):
    first = layer.remember_many([{"content": f"old {n}"} for n in range(100)], merge=False)
    layer.forget([found.id for found in first[::2]])
    layer.remember_many([{"content": f"new {n}"} for n in range(50)], merge=False)
    hits = layer.recall("old new", limit=100)
    assert len({hit.memory.id for hit in hits}) == 100
    assert not {hit.memory.id for hit in hits} & {found.id for found in first[::2]}
    pages, after = [], None
    while page := layer.list(limit=30, after=after):
        pages.append(len(page))
        after = page[-1].id
    assert pages == [30, 30, 30, 10]
