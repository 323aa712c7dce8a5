"""Embedders: what turns texts into vectors. Importing this package imports no model library."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hippocore.embedders.callable_embedder import CallableEmbedder
    from hippocore.embedders.local import LocalEmbedder
    from hippocore.embedders.minilm import MiniLM
    from hippocore.embedders.openai import OpenAICompatible
    from hippocore.embedders.protocol import DEFAULT_DUPLICATE_THRESHOLD, Embedder, ResolvedEmbedder
    from hippocore.embedders.registry import by_name, resolve

__all__ = [
    "DEFAULT_DUPLICATE_THRESHOLD",
    "CallableEmbedder",
    "Embedder",
    "LocalEmbedder",
    "MiniLM",
    "OpenAICompatible",
    "ResolvedEmbedder",
    "by_name",
    "resolve",
]

# Where each name lives, as in `hippocore` itself: a store whose vectors are handed in needs none of the embedders.
_HOME_OF: Final = {
    "CallableEmbedder": "callable_embedder",
    "LocalEmbedder": "local",
    "MiniLM": "minilm",
    "OpenAICompatible": "openai",
    "by_name": "registry",
    "resolve": "registry",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF.get(name, 'protocol')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
