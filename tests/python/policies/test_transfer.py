"""Export and import: the same bytes again, every bad line named, nothing written when anything is wrong."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocore.errors import EmbedderMismatch, ImportFormatError, SecretRefused, StoreBusy
from hippocore.extra import Extra
from hippocore.guard import Guard
from hippocore.identifiers import key_of
from hippocore.records import record_of
from hippocore.stores.protocol import NEVER, QUARANTINED, UNSET, WRITTEN, State
from hippocore.tokens import estimate
from hippocore.transfer import export_store
from tests.python.policies.transfers import DIM, HEADER, LINE, SECRET, add, into, record, rows, written


def test_export_and_import_give_the_same_bytes_again(full, model_store, tmp_path):
    assert export_store(full, tmp_path / "one.jsonl") == 5
    other = model_store(DIM)
    assert into(other, tmp_path / "one.jsonl") == 5
    export_store(other, tmp_path / "two.jsonl")
    assert (tmp_path / "two.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()
    assert rows(other) == rows(full)


def derived(store):
    made = [(slot.text_key, slot.merge_key, sorted(slot.facets), slot.vector.tobytes()) for slot in store._slots]
    return {(slot.id, slot.version): each for slot, each in zip(store._slots, made, strict=True)}


def test_what_is_derived_is_made_again(full, model_store, tmp_path):
    export_store(full, tmp_path / "export")
    other = model_store(DIM)
    into(other, tmp_path / "export")
    assert derived(other) == derived(full)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(
    lambda text: not text.isspace()
)
MOMENTS = st.integers(-62_135_596_800_000_000, 253_402_300_799_999_999)
STATES = st.builds(
    State,
    importance=st.floats(0, 1),
    confidence=st.floats(0, 1, width=32),
    stability=st.floats(0, 2.0**100, width=32),
    use_count=st.integers(0, 2**32 - 1),
    flags=st.sampled_from([WRITTEN, WRITTEN | QUARANTINED]),
    trust=st.integers(0, 2),
    last_used=MOMENTS,
    expires_at=MOMENTS | st.just(NEVER),
    valid_until=st.just(NEVER),
    archived_at=MOMENTS | st.just(UNSET),
)
RECORDS = st.builds(
    lambda identifier, content, **more: record(identifier, content, **more),
    TEXTS.filter(lambda text: len(text) != 32),
    TEXTS,
    kind=TEXTS,
    source=TEXTS | st.just(""),
    created_at=MOMENTS,
    event_time=MOMENTS | st.just(UNSET),
    tokens=st.integers(0, 2**32 - 1),
    state=STATES,
)


@given(st.lists(RECORDS, max_size=5, unique_by=lambda each: each.key))
def test_any_values_survive_the_way_out_and_in(model_store, tmp_path_factory, records):
    folder = tmp_path_factory.mktemp("transfer")
    store, other = model_store(DIM), model_store(DIM)
    if records:
        add(store, *records)
    export_store(store, folder / "one")
    into(other, folder / "one", guard=Guard(secrets="allow", untrusted_importance=1.0))
    export_store(other, folder / "two")
    assert (folder / "two").read_bytes() == (folder / "one").read_bytes()
    assert rows(other) == rows(store)


def test_an_empty_store_is_exported_and_imported(model_store, tmp_path):
    assert export_store(model_store(DIM), tmp_path / "export") == 0
    assert into(model_store(DIM), tmp_path / "export") == 0


def test_lines_are_sorted_by_id_and_version_and_keys_by_name(full, tmp_path):
    export_store(full, tmp_path / "export")
    header, *lines = [json.loads(line) for line in (tmp_path / "export").read_bytes().splitlines()]
    assert header == {
        "format": "hippocore export",
        "version": 1,
        "dim": DIM,
        "embedder": "vectors",
        "tokenizer": "estimate",
        "embeddings": True,
        "versions": 5,
    }
    order = [("0" * 32, 1), ("f" * 32, 1), ("my id", 1), ("my id", 2), ("my id", 3)]
    assert [(line["id"], line["version"]) for line in lines] == order
    assert all(list(line) == sorted(line) for line in lines)


def test_without_embeddings_the_texts_are_embedded_again(full, model_store, tmp_path):
    export_store(full, tmp_path / "export", embeddings=False)
    assert b'embedding"' not in (tmp_path / "export").read_bytes()
    other = model_store(DIM, "another")
    into(other, tmp_path / "export", embed=lambda texts: np.array([[len(text), 0, 0] for text in texts], np.float32))
    assert all(slot.vector.tolist() == [len(slot.content), 0, 0] for slot in other._slots)
    assert len(other._slots) == 5


@pytest.mark.parametrize(("dim", "embedder"), [(DIM, "another"), (DIM + 1, "vectors")])
def test_embeddings_of_another_embedder_are_refused_with_the_remedy(full, model_store, tmp_path, dim, embedder):
    export_store(full, tmp_path / "export")
    other = model_store(dim, embedder)
    with pytest.raises(EmbedderMismatch, match=r"'vectors'.*embeddings=False"):
        into(other, tmp_path / "export")
    assert len(other._slots) == 0


def test_importing_again_changes_nothing(full, model_store, tmp_path):
    export_store(full, tmp_path / "export")
    other = model_store(DIM)
    into(other, tmp_path / "export")
    before = rows(other)
    assert into(other, tmp_path / "export") == 0
    assert rows(other) == before


def test_an_id_with_other_content_stops_the_import_before_anything_is_written(full, model_store, tmp_path, monkeypatch):
    monkeypatch.setattr("hippocore.transfer_import._BATCH", 1)
    export_store(full, tmp_path / "export")
    other = model_store(DIM)
    add(other, record("my id", "something else"))
    with pytest.raises(ImportFormatError, match=r"line 4: .*'my id' already, with other content"):
        into(other, tmp_path / "export")
    assert len(other._slots) == 1


def test_what_is_missing_is_added_to_what_is_there(full, model_store, tmp_path):
    export_store(full, tmp_path / "export")
    other = model_store(DIM)
    add(other, record_of(full.history(bytes(16))[0]))
    there = other._slots[0].vector = full._slots[3].vector
    assert into(other, tmp_path / "export") == 4
    assert derived(other) == derived(full)
    assert other._slots[0].vector is there


def test_a_cut_off_import_is_completed_by_importing_again(model_store, tmp_path, monkeypatch):
    monkeypatch.setattr("hippocore.transfer_import._BATCH", 2)
    store, other = model_store(DIM), model_store(DIM)
    add(store, *[record(f"memory {i}", f"text {i}", version) for i in range(3) for version in (1, 2, 3)])
    export_store(store, tmp_path / "export")
    write, calls = other.write, []

    def failing(versions, vectors):
        calls.append([version[0] for version in versions])
        if len(calls) == 2:
            raise StoreBusy("the lock is held")
        write(versions, vectors)

    other.write = failing
    with pytest.raises(StoreBusy):
        into(other, tmp_path / "export")
    assert calls == [[key_of("memory 0")] * 3, [key_of("memory 1")] * 3]
    assert into(other, tmp_path / "export") == 6
    assert rows(other) == rows(store)


def test_the_guard_stops_an_import_before_anything_is_written(full, model_store, tmp_path):
    add(full, record("late", SECRET))
    export_store(full, tmp_path / "export")
    other = model_store(DIM)
    with pytest.raises(SecretRefused, match=r"line 4: .*\(password\)") as caught:
        into(other, tmp_path / "export")
    assert "hunter2" not in str(caught.value)
    assert len(other._slots) == 0


def test_a_redacting_guard_imports_what_is_left(model_store, tmp_path):
    store, other = model_store(DIM), model_store(DIM)
    hidden = Extra(metadata={"password": "hunter2"}, id="two")
    add(store, record("one", SECRET), record("two", "fine", extra=hidden))
    export_store(store, tmp_path / "export")
    embedded = []

    def embed(texts):
        embedded.extend(texts)
        return np.ones((len(texts), DIM), np.float32)

    into(other, tmp_path / "export", guard=Guard(secrets="redact"), embed=embed, count_tokens=len)
    redacted, kept = (record_of(row) for row in sorted(rows(other), key=lambda row: row[1], reverse=True))
    assert embedded == [redacted.content] == ["password: [redacted: password]"]
    assert redacted.tokens == len(redacted.content)
    assert (kept.tokens, kept.extra.metadata) == (7, {"password": "[redacted: password]"})


def test_tokens_counted_by_another_name_are_counted_again(full, model_store, tmp_path):
    full.tokenizer = "custom"
    export_store(full, tmp_path / "export")
    other = model_store(DIM)
    into(other, tmp_path / "export")
    assert [row[9] for row in rows(other)] == [estimate(row[1]) for row in rows(other)]


def test_a_line_written_by_hand_is_imported(model_store, tmp_path):
    store = model_store(DIM)
    assert into(store, written(tmp_path / "export", HEADER, LINE)) == 1
    assert store.history(key_of("a"))[0][1] == "text of it"


def test_an_export_replaces_a_file_whole_or_not_at_all(full, model_store, tmp_path):
    target = tmp_path / "export"
    target.write_text("before")

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_store(full, target, progress=stop)
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]
    export_store(full, target)
    assert into(model_store(DIM), target) == 5
    assert target.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [target]


def test_an_export_to_a_directory_is_refused(full, tmp_path):
    with pytest.raises(ValueError, match="no plain file"):
        export_store(full, tmp_path)


def test_progress_ends_at_its_total(full, model_store, tmp_path):
    seen = []
    export_store(full, tmp_path / "export", progress=lambda *step: seen.append(step))
    assert seen == [(5, 5)]
    seen.clear()
    into(model_store(DIM), tmp_path / "export", progress=lambda *step: seen.append(step))
    assert seen[-1][0] == seen[-1][1] == 2 * (tmp_path / "export").stat().st_size
    assert seen == sorted(seen)


def test_a_read_only_export_notices_a_change(full, tmp_path):
    full.read_only = True
    assert export_store(full, tmp_path / "export") == 5
    read = full.versions

    def changing(slot, limit, *, vectors=False):
        found = read(slot, limit, vectors=vectors)
        if vectors:
            full._slots.reverse()
        return found

    full.versions = changing
    with pytest.raises(StoreBusy, match="export again"):
        export_store(full, tmp_path / "export")
