"""hippocore: the memory core that an agent process embeds.

Open a store with `MemoryLayer`, write with `remember`, and before each model call ask `context` for the few memories
that this turn needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hippocore.context import Context, Skipped
from hippocore.errors import (
    AccessDenied,
    CorruptStore,
    DimensionMismatch,
    EmbedderError,
    EmbedderMismatch,
    EmbedderMissing,
    ForkedHandle,
    HippocoreError,
    ImportFormatError,
    InvalidVector,
    MemoryNotFound,
    ReadOnlyStore,
    SecretRefused,
    StoreBusy,
    StoreClosed,
    StoreFull,
    StoreNotFound,
    StoreVersionError,
)
from hippocore.guard import Guard
from hippocore.layer import MemoryLayer
from hippocore.ranking import Ranking
from hippocore.scopes import ALL
from hippocore.scored import Scored
from hippocore.types import Damage, Memory, Remembered, ScopeInfo, StoreStats, Verification

if TYPE_CHECKING:
    from hippocore.asynchronous import AsyncMemoryLayer

__version__ = "0.1.0"

__all__ = [
    "ALL",
    "AccessDenied",
    "AsyncMemoryLayer",
    "Context",
    "CorruptStore",
    "Damage",
    "DimensionMismatch",
    "EmbedderError",
    "EmbedderMismatch",
    "EmbedderMissing",
    "ForkedHandle",
    "Guard",
    "HippocoreError",
    "ImportFormatError",
    "InvalidVector",
    "Memory",
    "MemoryLayer",
    "MemoryNotFound",
    "Ranking",
    "ReadOnlyStore",
    "Remembered",
    "ScopeInfo",
    "Scored",
    "SecretRefused",
    "Skipped",
    "StoreBusy",
    "StoreClosed",
    "StoreFull",
    "StoreNotFound",
    "StoreStats",
    "StoreVersionError",
    "Verification",
]


def __getattr__(name: str) -> Any:
    if name == "AsyncMemoryLayer":  # asyncio alone would take longer to import than the rest
        from hippocore.asynchronous import AsyncMemoryLayer

        return AsyncMemoryLayer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
