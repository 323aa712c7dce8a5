"""Many threads on one handle, and a loop that never waits."""

import asyncio
import inspect
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from hippocore import ALL, AsyncMemoryLayer, MemoryLayer, MemoryNotFound, StoreClosed


def test_ten_threads_write_while_others_recall_and_all_is_found(layer):
    done = threading.Event()

    def writes(writer):
        for number in range(100):
            layer.remember(f"writer {writer} note {number}", id=f"{writer}-{number}" if number % 2 else None)

    def reads():
        seen = 0
        while not done.is_set():
            hits = layer.recall("writer note", limit=10)
            assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
            count = layer.count()
            assert count >= seen
            seen = count
        return seen

    with ThreadPoolExecutor(12) as pool:
        readers = [pool.submit(reads) for _ in range(2)]
        for written in [pool.submit(writes, writer) for writer in range(10)]:
            written.result()
        done.set()
        for reader in readers:
            reader.result()
    assert layer.count() == 1000
    assert {m.content for m in layer.list()} == {f"writer {w} note {n}" for w in range(10) for n in range(100)}


def test_the_same_text_from_many_threads_is_one_memory(layer):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: layer.remember("Ann likes tea"), range(40)))
    assert sorted(one.action for one in found) == ["merged"] * 39 + ["stored"]
    assert layer.count() == 1
    assert layer.get(found[0].id).use_count == 39


@pytest.mark.parametrize("round_", range(5))
def test_closing_while_others_work_gives_results_or_says_closed(opened, round_):
    layer = opened()
    layer.remember_many([{"content": f"note {n}"} for n in range(50)])
    started = threading.Barrier(5)
    outcomes = []

    def works():
        started.wait()
        while True:
            try:
                assert len(layer.recall("note", limit=5)) == 5
                layer.remember("more", merge=False)
            except StoreClosed:
                outcomes.append("closed")
                return

    workers = [threading.Thread(target=works) for _ in range(4)]
    for worker in workers:
        worker.start()
    started.wait()
    layer.close()
    for worker in workers:
        worker.join()
    assert outcomes == ["closed"] * 4


@pytest.fixture
def large(opened):
    """A store whose recalls are worth splitting, closed, and vectors to ask for."""
    vectors = np.random.default_rng(3).normal(size=(4_200, 2_048)).astype(np.float32)
    with opened(embedder=None, dim=2_048) as layer:
        items = [
            {"content": f"note {n}", "embedding": vector, "scope": "few" if n < 20 else "many", "importance": n % 7 / 7}
            for n, vector in enumerate(vectors)
        ]
        layer.remember_many(items, merge=False)
    return vectors[:5] + vectors[5:10]


def test_threads_help_with_large_recalls_only_and_end_with_the_handle(opened, large):
    def running():
        return {task.name for task in Path("/proc/self/task").iterdir()}

    layer = opened(embedder=None, read_only=True, threads=3)
    before = running()  # a thread of an earlier store that has ended may be among them a moment longer
    layer.recall(embedding=large[0], scope="few")
    assert running() <= before
    layer.recall(embedding=large[0], scope="many")
    assert len(running() - before) == 2
    layer.close()
    deadline = time.monotonic() + 30
    while running() - before and time.monotonic() < deadline:
        time.sleep(0)
    assert running() <= before


def test_a_recall_gives_the_same_with_any_number_of_threads(opened, large):
    def answers(layer, scope, limit):
        with ThreadPoolExecutor(2) as pool:  # two at once
            found = pool.map(lambda vector: layer.recall(embedding=vector, scope=scope, limit=limit), large[:2])
            return [[(hit.memory.id, hit.score, hit.similarity) for hit in hits] for hits in found]

    alone, *helped = (opened(embedder=None, read_only=True, threads=threads) for threads in (1, 2, 4))
    for scope, limit, most in ((ALL, 40, 40), ("many", 3_000, 3_000), ("few", 30, 20)):
        expected = answers(alone, scope, limit)
        assert [len(hits) for hits in expected] == [most] * 2
        for layer in helped:
            assert answers(layer, scope, limit) == expected


def test_the_event_loop_runs_on_while_fifty_recalls_wait(opened, embed):
    waiting, release = threading.Semaphore(0), threading.Event()

    def held_back(texts):
        if texts == ["held back"]:
            waiting.release()
            release.wait()
        return embed(texts)

    async def scenario():
        memory = AsyncMemoryLayer(opened(embedder=held_back, embedder_name="words", dim=64))
        async with memory:
            await memory.remember_many([{"content": f"note {n}"} for n in range(100)])
            recalls = [asyncio.create_task(memory.recall("held back")) for _ in range(50)]
            while not waiting.acquire(blocking=False):
                await asyncio.sleep(0)
            turns = 0
            for _ in range(1000):  # the loop turns freely although every thread of the layer waits
                await asyncio.sleep(0)
                turns += 1
            assert not any(recall.done() for recall in recalls)
            release.set()
            found = await asyncio.gather(*recalls)
        return turns, found

    turns, found = asyncio.run(scenario())
    assert turns == 1000
    assert all(len(hits) == 20 for hits in found)


def test_fifty_recalls_block_the_loop_for_a_small_part_of_their_time(opened):
    async def scenario():
        layer = opened(embedder=None, dim=64)
        vectors = np.random.default_rng(5).normal(size=(5000, 64)).astype(np.float32)
        items = [{"content": f"note {n}", "embedding": vector} for n, vector in enumerate(vectors)]
        async with AsyncMemoryLayer(layer) as memory:
            await memory.remember_many(items, merge=False)
            began, lags = time.perf_counter(), []
            recalls = [asyncio.create_task(memory.recall(embedding=v, limit=100)) for v in vectors[:50]]
            while not all(recall.done() for recall in recalls):
                before = time.perf_counter()
                await asyncio.sleep(0)
                lags.append(time.perf_counter() - before)
            return time.perf_counter() - began, lags

    whole, lags = asyncio.run(scenario())
    assert sorted(lags)[len(lags) // 2] < whole / 10


def test_every_verb_can_be_awaited_with_the_same_arguments(opened, tmp_path):
    async def scenario():
        async with AsyncMemoryLayer(opened()) as memory:
            found = await memory.remember("Ann likes tea", tags=["x"], id="a")
            assert found.action == "stored"
            assert await memory.contains("a")
            assert (await memory.update("a", content="Ann likes coffee")).version == 2
            assert len(await memory.history("a")) == 2
            assert (await memory.get("a")).content == "Ann likes coffee"
            assert (await memory.embeddings("a")).shape == (1, 64)
            assert (await memory.context("coffee", touch=False)).memories
            await memory.feedback("a", True)
            assert [m.id for m in await memory.list()] == ["a"]
            assert (await memory.count(), len(await memory.scopes()), (await memory.stats()).memories) == (1, 1, 1)
            assert (await memory.maintain(dry_run=True)).looked_at == 1
            await memory.checkpoint()
            await memory.compact()
            assert (await memory.verify()).ok
            await memory.backup(tmp_path / "copy.mem")
            assert await memory.export(tmp_path / "out.jsonl") == 2
            assert await memory.forget_where(scope="default") == 1
            assert await memory.import_(tmp_path / "out.jsonl") == 2
            assert await memory.forget("a") == 1
            with pytest.raises(MemoryNotFound):
                await memory.get("a")
            with pytest.raises(TypeError, match="colour"):
                await memory.remember("x", colour=1)
        assert memory.closed
        await memory.close()
        with pytest.raises(StoreClosed):
            await memory.recall("x")

    asyncio.run(scenario())


def test_a_store_can_be_opened_with_await(path):
    async def scenario():
        async with await AsyncMemoryLayer.open(path, embedder=None, dim=3) as memory:
            await memory.remember("note", embedding=[1, 0, 0])
            assert len(await memory.recall(embedding=[1, 0, 0])) == 1
            assert memory.path == str(path)

    asyncio.run(scenario())


def test_a_cancelled_call_gives_up_waiting_and_harms_nothing(opened, embed):
    waiting, release = threading.Event(), threading.Event()

    def held_back(texts):
        if texts == ["held back"]:
            waiting.set()
            release.wait()
        return embed(texts)

    async def scenario():
        async with AsyncMemoryLayer(opened(embedder=held_back, embedder_name="words", dim=64)) as memory:
            write = asyncio.create_task(memory.remember("held back"))
            while not waiting.is_set():
                await asyncio.sleep(0)
            write.cancel()
            with pytest.raises(asyncio.CancelledError):
                await write
            release.set()
            await memory.remember("after it")
            return {one.content for one in await memory.list()}

    assert asyncio.run(scenario()) - {"held back"} == {"after it"}


def test_every_verb_of_the_layer_has_its_awaited_twin():
    for name, verb in vars(MemoryLayer).items():
        if inspect.isfunction(verb) and not name.startswith("_"):
            twin = getattr(AsyncMemoryLayer, name)
            assert inspect.iscoroutinefunction(twin), name
            assert twin.__doc__
            if name == "as_agent":
                assert inspect.signature(twin).parameters == inspect.signature(verb).parameters
            elif name != "close":
                assert inspect.signature(twin) == inspect.signature(verb)
