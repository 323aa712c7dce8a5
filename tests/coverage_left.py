"""The branches of cpp/format and cpp/storage that no test takes, by file and text of their line, and why."""

from __future__ import annotations

LEFT: dict[tuple[str, str], str] = {
    (
        "cpp/storage/store.cpp",
        'if (root == nullptr) throw Error(ErrorCode::kStoreClosed, path() + " is closed");',
    ): "snapshot: another thread closes the handle between the check above it and this line; the tests with "
    "threads may come by, and none can be made to",
}
