"""hippocore: the memory core that an agent process embeds.

Open a store with `MemoryLayer`, write with `remember`, and before each model call ask `context` for the few memories
that this turn needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hippocore.asynchronous import AsyncMemoryLayer
    from hippocore.context import Context, Skipped
    from hippocore.embedders.protocol import Embedder
    from hippocore.errors import (
        AccessDenied,
        ChatError,
        CorruptStore,
        DimensionMismatch,
        EmbedderError,
        EmbedderMismatch,
        EmbedderMissing,
        FileDenied,
        FileMissing,
        ForkedHandle,
        HippocoreError,
        HippocoreWarning,
        ImportFormatError,
        InvalidVector,
        MemoryNotFound,
        MissingExtra,
        ReadOnlyStore,
        SecretRefused,
        StoreBusy,
        StoreClosed,
        StoreFailure,
        StoreFull,
        StoreNotFound,
        StoreVersionError,
    )
    from hippocore.guard import Guard
    from hippocore.layer import MemoryLayer
    from hippocore.lifecycle.compression import Compression
    from hippocore.lifecycle.correction_policy import Corrections
    from hippocore.lifecycle.gate import WriteGate
    from hippocore.lifecycle.relabelled import Hindsight
    from hippocore.lifecycle.turn_counts import TurnCounts
    from hippocore.lifecycle.worker import Worker, WorkerCounts
    from hippocore.links import Link
    from hippocore.policy import Policy
    from hippocore.ranking import Ranking
    from hippocore.retention import Decay, Retention
    from hippocore.scopes import ALL
    from hippocore.scored import Scored
    from hippocore.stores.protocol import Store
    from hippocore.types import Damage, Gone, Maintenance, Memory, Remembered, ScopeInfo, StoreStats, Verification

__version__ = "0.1.0"

__all__ = [
    "ALL",
    "AccessDenied",
    "AsyncMemoryLayer",
    "ChatError",
    "Compression",
    "Context",
    "Corrections",
    "CorruptStore",
    "Damage",
    "Decay",
    "DimensionMismatch",
    "Embedder",
    "EmbedderError",
    "EmbedderMismatch",
    "EmbedderMissing",
    "FileDenied",
    "FileMissing",
    "ForkedHandle",
    "Gone",
    "Guard",
    "Hindsight",
    "HippocoreError",
    "HippocoreWarning",
    "ImportFormatError",
    "InvalidVector",
    "Link",
    "Maintenance",
    "Memory",
    "MemoryLayer",
    "MemoryNotFound",
    "MissingExtra",
    "Policy",
    "Ranking",
    "ReadOnlyStore",
    "Remembered",
    "Retention",
    "ScopeInfo",
    "Scored",
    "SecretRefused",
    "Skipped",
    "Store",
    "StoreBusy",
    "StoreClosed",
    "StoreFailure",
    "StoreFull",
    "StoreNotFound",
    "StoreStats",
    "StoreVersionError",
    "TurnCounts",
    "Verification",
    "Worker",
    "WorkerCounts",
    "WriteGate",
]

# Where each name lives. It is imported when it is first asked for, so that `hippocore --help` loads neither numpy nor
# the core, and nobody pays for asyncio who does not await.
_HOMES: Final = {
    "asynchronous": ("AsyncMemoryLayer",),
    "context": ("Context", "Skipped"),
    "embedders.protocol": ("Embedder",),
    "guard": ("Guard",),
    "layer": ("MemoryLayer",),
    "lifecycle.compression": ("Compression",),
    "lifecycle.gate": ("WriteGate",),
    "lifecycle.relabelled": ("Hindsight",),
    "lifecycle.turn_counts": ("TurnCounts",),
    "lifecycle.worker": ("Worker", "WorkerCounts"),
    "lifecycle.correction_policy": ("Corrections",),
    "links": ("Link",),
    "policy": ("Policy",),
    "ranking": ("Ranking",),
    "retention": ("Decay", "Retention"),
    "scopes": ("ALL",),
    "scored": ("Scored",),
    "stores.protocol": ("Store",),
    "types": ("Damage", "Gone", "Maintenance", "Memory", "Remembered", "ScopeInfo", "StoreStats", "Verification"),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}
_MODULES: Final = (
    "chat",
    "embedders",
    "rerankers",
    "scoring",
    "telemetry",
)  # also reached as attributes: hippocore.scoring.rank


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"hippocore.{name}")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"hippocore.{_HOME_OF.get(name, 'errors')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
