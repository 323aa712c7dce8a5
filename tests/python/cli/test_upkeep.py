"""verify, compact, export and import."""

from __future__ import annotations


def test_verify_of_a_sound_store_says_so(run, answer, remembered):
    report = answer("verify")
    assert report["ok"] is True
    assert report["damaged"] == []
    assert "memories" in run("verify").stdout


def test_verify_names_damage_and_exits_with_1(run, answer, remembered, store):
    answer("compact")
    payload = max(store.glob("payload-*"), key=lambda path: path.stat().st_size)
    damaged = bytearray(payload.read_bytes())
    place = damaged.index(b"staging database")
    damaged[place] ^= 0x01
    payload.write_bytes(bytes(damaged))
    result = run("verify", code=1)
    assert result.stderr.count("\n") == 1
    assert "damaged" in result.stderr
    assert "staging" not in result.stderr


def test_compact_drops_what_was_forgotten_and_keeps_the_rest(run, answer, remembered):
    answer("forget", remembered["fact"], "--yes")
    assert answer("compact")["memories"] == 2
    assert {memory["id"] for memory in answer("list")} == {remembered["rule"], remembered["chat"]}
    assert "memories" in run("compact").stdout


def test_export_then_import_gives_the_same_bytes(run, answer, remembered, tmp_path):
    first, second, copy = tmp_path / "first.jsonl", tmp_path / "second.jsonl", tmp_path / "copy.mem"
    assert answer("export", str(first)) == {"file": str(first), "memories": 3}
    assert answer("import", str(first), "--store", str(copy)) == {"file": str(first), "memories": 3, "imported": 3}
    assert "exported 3 memories" in run("export", str(second), "--store", str(copy)).stdout
    assert first.read_bytes() == second.read_bytes()


def test_export_without_embeddings_has_none(run, remembered, tmp_path):
    full, bare = tmp_path / "full.jsonl", tmp_path / "bare.jsonl"
    run("export", str(full))
    run("export", str(bare), "--no-embeddings")
    assert bare.stat().st_size < full.stat().st_size / 2


def test_import_says_how_many(run, remembered, tmp_path):
    run("export", str(tmp_path / "all.jsonl"))
    result = run("import", str(tmp_path / "all.jsonl"), "--store", str(tmp_path / "copy.mem"))
    assert result.stdout == "imported 3 memories\n"


def test_import_of_a_file_that_is_not_there_makes_no_store(run, store, tmp_path):
    result = run("import", str(tmp_path / "none.jsonl"), code=1)
    assert "none.jsonl" in result.stderr
    assert not store.exists()


def test_import_of_something_else_is_one_line_and_makes_no_store(run, store, tmp_path):
    (tmp_path / "other.jsonl").write_text("not json\n")
    assert run("import", str(tmp_path / "other.jsonl"), code=1).stderr.count("\n") == 1
    assert run("import", str(tmp_path), code=1).stderr.count("\n") == 1
    assert not store.exists()
    run("remember", "kept", "--store", str(tmp_path / "there.mem"))
    run("import", str(tmp_path / "other.jsonl"), "--store", str(tmp_path / "there.mem"), code=1)
    assert (tmp_path / "there.mem").is_dir()


def test_export_goes_to_a_plain_file_only(run, remembered, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "an export goes to a file" in run("export", "-", code=2).stderr
    (tmp_path / "link").symlink_to("/dev/null")
    assert "it is there and no plain file" in run("export", str(tmp_path / "link"), code=1).stderr
    assert (tmp_path / "link").is_symlink()
    assert not (tmp_path / "-").exists()


def test_backup_is_a_store_of_its_own(run, answer, remembered, tmp_path):
    copy = tmp_path / "copy.mem"
    assert answer("backup", str(copy)) == {"path": str(copy), "memories": 3}
    assert len(answer("list", "--store", str(copy))) == 3
    assert run("backup", str(tmp_path / "other.mem")).stdout == f"backed up 3 memories to {tmp_path / 'other.mem'}\n"
    assert run("backup", str(copy), code=1).stderr.count("\n") == 1
