"""What an import refuses: named by line and field, never shown, and nothing is written."""

import base64

import numpy as np
import pytest

from hippocore.errors import ImportFormatError
from hippocore.transfer import export_store
from tests.python.policies.transfers import DIM, HEADER, LINE, into, written


@pytest.mark.parametrize("before", [{}, {"flags": ["superseded"], "valid_until": 8}, {"valid_until": 9}])
def test_versions_of_a_memory_that_do_not_meet_are_refused(model_store, tmp_path, before):
    ended = {**LINE, "flags": ["superseded"], "valid_until": 9}
    following = {**LINE, "version": 2, "valid_from": 9}
    header = {**HEADER, "versions": 2}
    assert into(model_store(DIM), written(tmp_path / "export", header, ended, following)) == 2
    with pytest.raises(ImportFormatError, match="line 3: field 'valid_from'"):
        into(model_store(DIM), written(tmp_path / "export", header, {**LINE, **before}, following))


def assert_line_refused(store, folder, line, reason):
    """Its number and the reason are said, its text is not, and nothing was written."""
    path = written(folder / "export", {**HEADER, "versions": 2}, LINE, line)
    with pytest.raises(ImportFormatError, match=f"export, line 3: {reason}") as caught:
        into(store, path)
    assert "text of it" not in str(caught.value)
    assert len(store._slots) == 0


def encoded(*numbers):
    return base64.b64encode(np.array(numbers, "<f4").tobytes()).decode()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", ""), ("id", 5), ("version", 0), ("version", 1.0), ("version", True), ("version", 2**32),
        ("content", " "), ("content", None), ("content", "\ud800"), ("scope", ""), ("scope", "a//b"),
        ("scope", ["a"]), ("kind", ""), ("created_at", "now"), ("created_at", 2**63), ("created_at", 2**62),
        ("valid_from", 1.5), ("last_used", None),
        ("use_count", -1), ("importance", 2), ("importance", "high"), ("confidence", -0.1), ("stability", -1),
        ("stability", 1e39), ("trust", "some"), ("trust", ["trusted"]), ("tokens", -1), ("source", ""),
        ("flags", ["forgotten"]), ("flags", "superseded"), ("flags", [["superseded"]]), ("tags", "a"), ("tags", [1]),
        ("metadata", []), ("metadata", {"a": 2**64}), ("links", {}), ("supersedes", 1), ("valid_until", False),
        ("links", [{"id": "a", "weight": 2}]), ("expires_at", "3d"), ("embedding", "!"),
        ("embedding", "!" + encoded(1, 2, 3)),
        ("embedding", "AAA="), ("embedding", encoded(1, 2)),
        ("embedding", encoded(1, 2, np.nan)), ("embedding", [1, 2, 3]),
    ],
)  # fmt: skip
def test_a_bad_field_is_named_with_its_line_and_never_shown(model_store, tmp_path, field, value):
    assert_line_refused(model_store(DIM), tmp_path, {**LINE, "id": "b", field: value}, f"field '{field}'")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "no JSON"),
        (b"text of it", "no JSON"),
        (b'"text of it"', "no JSON object"),
        (b"\xff\xfe", "no JSON in UTF-8"),
        (b"[" * 100_000, "no JSON"),
        (b'{"importance": NaN}', "no JSON"),
        (b'{"id": "b", "id": "c"}', "names a field twice"),
        ({**LINE, "id": "b", "text of it": 1}, "a field that is none of"),
        ({key: value for key, value in LINE.items() if key != "scope"}, "field 'scope' is missing"),
        (LINE, "not sorted by id and version, or one is there twice"),
        ({**LINE, "id": "A"}, "not sorted"),
        ({**LINE, "version": 2}, "field 'valid_from'"),
    ],
)
def test_a_bad_line_is_named_and_never_shown(model_store, tmp_path, line, reason):
    assert_line_refused(model_store(DIM), tmp_path, line, f".*{reason}")


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (b"", "no JSON"),
        (b"PK\x03\x04", "no JSON"),
        ({"format": "csv"}, "no export of hippocore"),
        ({**HEADER, "version": 2}, "another release"),
        ({**HEADER, "dim": 0}, "'dim'"),
        ({**HEADER, "embeddings": 1}, "'embeddings'"),
        ({key: value for key, value in HEADER.items() if key != "dim"}, "'dim' is missing"),
    ],
)
def test_what_is_no_export_is_refused(model_store, tmp_path, header, reason):
    with pytest.raises(ImportFormatError, match=f"export, line 1: .*{reason}"):
        into(model_store(DIM), written(tmp_path / "export", header, LINE))


def test_a_file_cut_between_lines_is_refused(full, model_store, tmp_path):
    export_store(full, tmp_path / "export")
    lines = (tmp_path / "export").read_bytes().splitlines()
    with pytest.raises(ImportFormatError, match="promises 5 versions, 3 follow"):
        into(model_store(DIM), written(tmp_path / "export", *lines[:4]))


def test_a_file_cut_anywhere_is_refused_and_nothing_is_written(full, model_store, tmp_path):
    export_store(full, tmp_path / "export")
    data = (tmp_path / "export").read_bytes()
    for length in [*range(0, len(data) - 1, 37), len(data) - 2]:
        (tmp_path / "cut").write_bytes(data[:length])
        store = model_store(DIM)
        with pytest.raises(ImportFormatError):
            into(store, tmp_path / "cut")
        assert len(store._slots) == 0
