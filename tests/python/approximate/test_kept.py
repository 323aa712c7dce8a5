"""The graph on disk and in the background: kept for the next process, grown, dropped, and gone with what was purged."""

import os
import stat
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from hippocore import ForkedHandle, HippocoreError, StoreClosed, StoreFull
from hippocore.errors import MissingExtra
from hippocore.stores import approximate
from hippocore.stores.graph import Graph
from tests.python.approximate.conftest import COUNT, DIM, graph_files, ids, items_of, vectors_of

QUERY = vectors_of(1, seed=2)[0]


def near(memory, **asked):
    return ids(memory.recall(embedding=QUERY, limit=10, approximate=True, **asked))


def wait_for(memory):
    memory._handle.store._graph()._thread.join()


@pytest.fixture
def no_new_graph(monkeypatch):
    def refuse(*_):
        raise AssertionError("a graph was begun anew")

    return lambda: monkeypatch.setattr(Graph, "empty", refuse)


def test_progress_is_told_and_the_end_is_all(filled):
    told = []
    filled.build_approximate(progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (COUNT, COUNT)
    filled.build_approximate(progress=lambda *_: told.append("again"))
    assert told[-1] == (COUNT, COUNT)


def test_an_empty_store_has_nothing_to_build(opened):
    memory = opened()
    memory.build_approximate()
    assert near(memory) == []
    assert graph_files(memory) == []


def test_the_next_handle_uses_what_was_kept(built, opened, no_new_graph):
    found = near(built)
    assert [file.name for file in graph_files(built)] == ["approximate-1"]
    assert stat.S_IMODE(graph_files(built)[0].stat().st_mode) == 0o600
    built.checkpoint()
    no_new_graph()
    again = opened()
    again.build_approximate()
    assert near(again) == found


def test_a_read_only_handle_uses_it_and_writes_none(built, opened, no_new_graph):
    found, before = near(built), graph_files(built)[0].stat()
    built.remember_many(items_of(vectors_of(200, seed=5), first=COUNT), merge=False)
    no_new_graph()
    reader = opened(read_only=True, create=False)
    reader.build_approximate()
    assert len(near(reader)) == len(found)
    after = graph_files(built)[0].stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_a_read_only_handle_without_one_makes_its_own(filled, opened):
    reader = opened(read_only=True, create=False)
    reader.build_approximate()
    assert len(near(reader)) == 10
    assert graph_files(filled) == []


def test_it_grows_with_the_store(built, no_new_graph):
    no_new_graph()
    before = graph_files(built)[0].stat().st_size
    built.remember_many(items_of(vectors_of(200, seed=5), first=COUNT), merge=False)
    near(built)
    wait_for(built)
    assert graph_files(built)[0].stat().st_size > before
    assert len(built._handle.store._graph()._proposer.graph) == COUNT + 200
    found = built.recall(embedding=vectors_of(200, seed=5)[150], limit=1, approximate=True)
    assert len(found) == 1


def test_what_is_purged_leaves_no_byte_in_any_file(built):
    vector = vectors_of(COUNT)[7]
    direction = (vector / np.linalg.norm(vector)).astype(np.float32)
    built.checkpoint()
    assert vector.tobytes() in b"".join(file.read_bytes() for file in Path(built.path).iterdir())
    built.forget("n7", purge=True)
    assert graph_files(built) == []
    built.build_approximate()
    assert [file.name for file in graph_files(built)] == ["approximate-2"]
    for file in Path(built.path).iterdir():
        kept = file.read_bytes()
        assert vector.tobytes()[:16] not in kept, file.name
        assert direction.tobytes()[:16] not in kept, file.name
    assert "n7" not in ids(built.recall(embedding=vector, limit=20, approximate=True))


def test_a_generation_that_ended_elsewhere_is_noticed(built, opened):
    near(built)
    other = opened()
    other.forget_where(scope="default", kinds=["fact"])
    other.compact()
    exact = ids(built.recall(embedding=QUERY, limit=10))
    assert near(built) == exact
    wait_for(built)
    assert built._handle.store._graph()._proposer.generation == 2
    assert len(built._handle.store._graph()._proposer.graph) == COUNT // 2


def test_a_generation_that_ends_while_it_is_made_is_not_kept(filled, monkeypatch):
    add, compacted = Graph.add, []

    def compact_meanwhile(graph, directions, slots):
        if not compacted:
            compacted.append(True)
            filled.compact()
        add(graph, directions, slots)

    monkeypatch.setattr(Graph, "add", compact_meanwhile)
    filled.build_approximate()
    assert [file.name for file in graph_files(filled)] == ["approximate-2"]


def test_another_embedder_makes_another_graph(built):
    built.reembed(Halved())
    built.build_approximate()
    assert len(built.recall("note 7", limit=10, approximate=True)) == 10


class Halved:
    name = "halved"
    dim = DIM // 2

    def __call__(self, texts):
        return vectors_of(len(texts), seed=9)[:, : self.dim]


@pytest.mark.parametrize("damage", [b"", b"\0" * 5000, "cut", "flipped", "longer"], ids=repr)
def test_a_damaged_file_is_made_anew(built, opened, damage):
    file = graph_files(built)[0]
    whole = file.read_bytes()
    flipped = whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:]
    file.write_bytes({"cut": whole[:-1], "flipped": flipped, "longer": whole + b"\0"}.get(damage, damage))
    again = opened()
    again.build_approximate()
    assert len(near(again)) == 10
    assert graph_files(built)[0].read_bytes() == whole


def test_what_somebody_put_in_its_place_is_refused_by_name(filled, tmp_path):
    (tmp_path / "elsewhere").write_bytes(b"x" * 5000)
    (Path(filled.path) / "approximate-1").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HippocoreError, match="approximate-1"):
        filled.build_approximate()
    assert (tmp_path / "elsewhere").read_bytes() == b"x" * 5000


def test_without_the_extra_one_line_says_how_to_get_it(filled, monkeypatch):
    monkeypatch.setitem(sys.modules, "hnswlib", None)
    for call in (filled.build_approximate, lambda: near(filled)):
        with pytest.raises(MissingExtra, match=r'pip install "hippocore\[ann\]"') as raised:
            call()
        assert "\n" not in str(raised.value)


def test_a_failure_in_the_background_is_told_once_and_tried_again(filled, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(Graph, "add", lambda *_: (_ for _ in ()).throw(StoreFull("no room")))
        near(filled)
        wait_for(filled)
        with pytest.raises(StoreFull, match="no room"):
            near(filled)
    near(filled)
    wait_for(filled)
    assert filled._handle.store._graph()._proposer is not None


def test_closing_ends_what_is_under_way(filled, monkeypatch):
    began, add = threading.Event(), Graph.add

    def slowly(graph, directions, slots):
        add(graph, directions, slots)
        began.set()
        while not filled._handle.store._graph()._closed:
            pass

    monkeypatch.setattr(Graph, "add", slowly)
    store = filled._handle.store
    monkeypatch.setattr(filled._session, "handle", lambda handle=filled._handle: handle)
    near(filled)
    assert began.wait(60)
    filled.close()
    assert not store._graph()._thread.is_alive()
    assert graph_files(filled) == []


def test_a_closed_store_says_so(built):
    built.close()
    with pytest.raises(StoreClosed):
        near(built)
    with pytest.raises(StoreClosed):
        built.build_approximate()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_is_told_to_open_again(built):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        told = b"nothing"
        try:
            near(built)
        except ForkedHandle:
            told = b"forked"
        finally:
            os.write(writing, told)
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 20) == b"forked"
    os.close(reading)
    os.close(writing)
    assert len(near(built)) == 10


def test_many_threads_ask_one_graph(built):
    queries = vectors_of(8, seed=4)
    alone = [ids(built.recall(embedding=query, limit=10, approximate=True)) for query in queries]
    found = [None] * len(queries)

    def ask(i):
        for _ in range(20):
            found[i] = ids(built.recall(embedding=queries[i], limit=10, approximate=True))

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(len(queries))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone
    assert approximate.SMALLEST == 50
