"""Embedders: what turns texts into vectors. Importing this package imports no model library."""

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
