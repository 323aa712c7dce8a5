"""Several processes on one store: nothing is lost, nothing is seen by halves, and a killed one holds nobody up."""

import os
import signal
import time

import pytest

from hippocore import ForkedHandle, StoreBusy

OPEN = """
import numpy as np
from hippocore import MemoryLayer
memory = MemoryLayer(store, embedder=None, dim=3)
"""


@pytest.fixture
def shared(opened):
    return opened(embedder=None, dim=3)


def finish(processes):
    for process in processes:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, (output, errors)


def read_line(process):
    line = process.stdout.readline()
    assert line, process.stderr.read()
    return line.strip()


def test_five_processes_write_a_thousand_each_and_none_is_lost(shared, spawn):
    script = OPEN + (
        "for n in range(1000):\n"
        "    memory.remember(f'{arguments[0]} {n}', embedding=[n, 1, 1], merge=False)\n"
        "memory.close()"
    )
    finish([spawn(script, number) for number in range(5)])
    found = [memory.content for memory in shared.list()]
    assert len(found) == 5000
    assert set(found) == {f"{process} {n}" for process in range(5) for n in range(1000)}


def test_the_same_text_from_two_processes_at_once_is_one_memory(shared, spawn):
    script = OPEN + (
        "print('ready', flush=True); sys.stdin.readline()\n"
        "for n in range(50): memory.remember(f'statement {n}', embedding=[n, 1, 1])\n"
        "memory.close()"
    )
    processes = [spawn(script) for _ in range(2)]
    for process in processes:
        assert read_line(process) == "ready"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    finish(processes)
    assert sorted(memory.content for memory in shared.list()) == sorted(f"statement {n}" for n in range(50))
    assert {memory.use_count for memory in shared.list()} == {1}


def test_the_same_id_from_two_processes_at_once_is_one_memory(shared, spawn):
    script = OPEN + (
        "print('ready', flush=True); sys.stdin.readline()\n"
        "found = [memory.remember('same', id=f'id {n}', embedding=[1, 1, 1], merge=False) for n in range(50)]\n"
        "print(sum(one.action == 'stored' for one in found), flush=True)\n"
    )
    processes = [spawn(script) for _ in range(2)]
    for process in processes:
        read_line(process)
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    assert sum(int(read_line(process)) for process in processes) == 50
    assert shared.count() == 50
    assert shared.stats().versions == 50


def test_a_reader_sees_every_committed_change_at_its_next_recall_and_never_a_half(shared, spawn, opened):
    reader = opened(read_only=True, embedder=None)
    script = OPEN + (
        "for step in range(60):\n"
        "    names = [f'{step} {side}' for side in (1, 2)]\n"
        "    pair = [{'content': f'pair {name}', 'id': name, 'embedding': [1, 2, 0]} for name in names]\n"
        "    memory.remember_many(pair, merge=False)\n"
        "    if step % 7 == 3: memory.update(f'{step} 1', content=f'pair {step} changed', embedding=[1, 1, 0])\n"
        "    if step % 10 == 5: memory.forget([f'{step - 1} 1', f'{step - 1} 2'])\n"
        "    if step % 15 == 8: memory.compact()\n"
        "    print(memory.count(), flush=True); sys.stdin.readline()\n"
        "memory.close()"
    )
    writer = spawn(script)
    for _ in range(60):
        counted = int(read_line(writer))
        contents = [hit.memory.content for hit in reader.recall(embedding=[1, 1, 1], limit=1000)]
        assert len(contents) == len(set(contents)) == counted == reader.count()
        writer.stdin.write("go on\n")
        writer.stdin.flush()
        pairs = [content.split()[1] for content in (h.memory.content for h in reader.recall(limit=1000))]
        assert all(pairs.count(pair) == 2 for pair in set(pairs))
    finish([writer])


def test_a_killed_process_loses_nothing_that_was_acknowledged(shared, spawn, opened):
    script = OPEN + (
        "for n in range(150): memory.remember(f'note {n}', embedding=[n, 1, 1], merge=False)\n"
        "print('acknowledged', flush=True)\n"
        "while True: memory.remember('endless', embedding=[1, 1, 1], merge=False)"
    )
    writer = spawn(script)
    assert read_line(writer) == "acknowledged"
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    shared.close()
    layer = opened(embedder=None)
    wanted = {f"note {n}" for n in range(150)}
    assert {memory.content for memory in layer.list()} - {"endless"} == wanted
    layer.compact()
    layer.close()
    again = opened(embedder=None)
    assert {memory.content for memory in again.list()} - {"endless"} == wanted
    assert again.verify().ok


def test_a_waiting_writer_gives_up_and_the_lock_of_a_killed_holder_frees_itself(shared, spawn, opened):
    holder = spawn(OPEN + "memory._handle.store.begin(); print('held', flush=True); sys.stdin.readline()")
    assert read_line(holder) == "held"
    waiter = opened(embedder=None, busy_timeout=0.2)
    began = time.monotonic()
    with pytest.raises(StoreBusy, match=r"agent\.mem"):
        waiter.remember("note", embedding=[1, 0, 0])
    assert time.monotonic() - began >= 0.2
    assert waiter.recall(embedding=[1, 0, 0]) == []
    holder.kill()
    holder.wait()
    assert waiter.remember("note", embedding=[1, 0, 0]).action == "stored"
    assert shared.count() == 1


def test_a_forked_child_is_told_to_open_again_and_harms_nothing(opened):
    shared = opened(embedder=None, dim=3, threads=2)
    shared.remember("note", embedding=[1, 0, 0])
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        told = []
        for verb in (
            lambda: shared.recall(embedding=[1, 0, 0]),
            lambda: shared.remember("child", embedding=[1, 0, 0]),
            lambda: shared.remember("child", embedding=[1, 0, 0], merge=False),
            shared.count,
        ):
            try:
                verb()
                told.append(b"worked")
            except ForkedHandle:
                told.append(b"forked")
            except BaseException as error:
                told.append(type(error).__name__.encode())
        os.write(writing, b" ".join(told))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    assert told == b"forked forked forked forked"
    shared.remember("parent", embedding=[0, 1, 0])
    assert sorted(memory.content for memory in shared.list()) == ["note", "parent"]
    assert shared.verify().ok


def test_a_store_never_folded_opens_read_only_and_follows_its_writer(shared, spawn):
    shared.remember("first", embedding=[1, 0, 0])
    reader = spawn(
        "from hippocore import MemoryLayer\n"
        "memory = MemoryLayer(store, embedder=None, read_only=True)\n"
        "while True:\n"
        "    print(memory.count(), flush=True)\n"
        "    if not sys.stdin.readline().strip(): break\n"
    )
    assert read_line(reader) == "1"
    shared.remember("second", embedding=[0, 1, 0])
    reader.stdin.write("again\n")
    reader.stdin.flush()
    assert read_line(reader) == "2"


def test_few_file_descriptors_give_a_clear_error_or_work(shared, spawn):
    shared.remember("note", embedding=[1, 0, 0])
    process = spawn(
        "import resource\n"
        "import numpy as np\n"
        "from hippocore import HippocoreError, MemoryLayer\n"
        "hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
        "answers = []\n"
        "for limit in range(3, 40):\n"
        "    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))\n"
        "    try:\n"
        "        with MemoryLayer(store, embedder=None) as memory:\n"
        "            memory.remember(f'limit {limit}', embedding=[1, 0, 0])\n"
        "            answers.append(memory.count() >= 1)\n"
        "    except (OSError, HippocoreError) as error:\n"
        "        answers.append(bool(str(error)))\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))\n"
        "print(all(answers) and len(answers) == 37, flush=True)\n"
    )
    assert read_line(process) == "True"
    assert shared.verify().ok
