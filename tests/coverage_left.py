"""The branches of cpp/format and cpp/storage that no test takes, by file and text of their line, and why."""

from __future__ import annotations

LEFT: dict[tuple[str, str], str] = {}
