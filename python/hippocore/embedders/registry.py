"""From what a caller passed as `embedder=`, or a store remembers by name, to an embedder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hippocore.embedders.callable_embedder import CallableEmbedder
from hippocore.embedders.local import LOCAL_NAME, LocalEmbedder
from hippocore.embedders.minilm import MINILM_NAME, MiniLM
from hippocore.embedders.openai import NAME_PREFIX, OpenAICompatible
from hippocore.embedders.protocol import DEFAULT_DUPLICATE_THRESHOLD, Embedder, ResolvedEmbedder
from hippocore.errors import DimensionMismatch, EmbedderError

EmbedderSpec = str | Embedder | Callable[[list[str]], Any] | None

_BY_WORD: dict[str, Callable[[], ResolvedEmbedder]] = {"local": LocalEmbedder, "minilm": MiniLM}
_BY_NAME: dict[str, Callable[[], ResolvedEmbedder]] = {LOCAL_NAME: LocalEmbedder, MINILM_NAME: MiniLM}
_CHECKED = (LocalEmbedder, MiniLM, OpenAICompatible, CallableEmbedder)


def resolve(spec: EmbedderSpec, *, embedder_name: str | None = None, dim: int | None = None) -> ResolvedEmbedder | None:
    """Return the embedder for "local", "minilm", an Embedder, a callable with a name, or None for None.

    `dim` is the dimension that the vectors must have. Foreign embedders come back wrapped, so that what they
    return is checked. Raises EmbedderError when a built-in one is not installed, DimensionMismatch when the
    embedder has another dim, ValueError for an unknown word, for a callable without `embedder_name` and for
    a name given to what has its own, TypeError for anything else.
    """
    if spec is None:
        return None
    if not isinstance(spec, str) and not hasattr(spec, "name"):
        return CallableEmbedder(_function(spec), embedder_name, dim=dim)
    embedder = _by_word(spec) if isinstance(spec, str) else _checked(spec)
    if embedder_name is not None and embedder_name != embedder.name:
        raise ValueError(f"embedder_name={embedder_name!r} was given to the embedder {embedder.name!r}")
    if dim is not None and embedder.dim != dim:
        raise DimensionMismatch(f"embedder {embedder.name!r} makes {embedder.dim} dimensions, dim={dim} was given")
    return embedder


def by_name(name: str) -> ResolvedEmbedder:
    """Return the built-in embedder that a store remembers by this name.

    Raises EmbedderError with the remedy: what to install, or which `embedder=` to pass where a URL, a folder
    or a function is needed that a name does not hold.
    """
    if name in _BY_NAME:
        return _BY_NAME[name]()
    if name.startswith(NAME_PREFIX):
        how = f"embedder=OpenAICompatible(url, {name[len(NAME_PREFIX) :]!r})"
    elif name.startswith("onnx/"):
        how = "embedder=MiniLM(folder)"
    else:
        how = f"the function or object that made it: embedder=..., embedder_name={name!r}"
    raise EmbedderError(f"the store was made with the embedder {name!r}, which cannot be found by name: pass {how}")


def _by_word(word: str) -> ResolvedEmbedder:
    if word not in _BY_WORD:
        raise ValueError(f"embedder={word!r} is unknown: say 'local' or 'minilm', or pass an Embedder or a callable")
    return _BY_WORD[word]()


def _function(spec: Any) -> Callable[[list[str]], Any]:
    if not callable(spec):
        raise TypeError(f"embedder must be a word, an Embedder, a callable or None, not {type(spec).__name__}")
    function: Callable[[list[str]], Any] = spec
    return function


def _checked(spec: Any) -> ResolvedEmbedder:
    if isinstance(spec, _CHECKED):
        return spec
    threshold = getattr(spec, "duplicate_threshold", DEFAULT_DUPLICATE_THRESHOLD)
    return CallableEmbedder(_function(spec), spec.name, dim=getattr(spec, "dim", None), duplicate_threshold=threshold)
