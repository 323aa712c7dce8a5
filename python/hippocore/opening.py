"""Opening: from what a caller says about a store and its embedder to a handle."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from hippocore.arguments import (
    checked_choice,
    checked_count,
    checked_flag,
    checked_fraction,
    checked_number,
    checked_path,
    checked_text,
    refuse_async,
)
from hippocore.deferred import Deferred
from hippocore.errors import EmbedderMismatch, StoreNotFound
from hippocore.guard import Guard
from hippocore.handle import GIVEN, Handle
from hippocore.policy import Policy
from hippocore.ranking import Ranking
from hippocore.retention import Retention
from hippocore.stores.native import SYNC_MODES, open_native, peek_native
from hippocore.tokens import check_unit, counter, stored_counter

if TYPE_CHECKING:
    from hippocore import patient_llm, patient_reranker
    from hippocore.embedders import registry
    from hippocore.embedders.protocol import ResolvedEmbedder
    from hippocore.lifecycle import correction_policy
    from hippocore.stores.protocol import Store
else:
    patient_llm = Deferred("hippocore.patient_llm")
    patient_reranker = Deferred("hippocore.patient_reranker")
    registry = Deferred("hippocore.embedders.registry")
    correction_policy = Deferred("hippocore.lifecycle.correction_policy")

# How a path is opened unless it is said otherwise.
_OF_A_PATH: Final = {"create": True, "sync": "normal", "read_only": False, "busy_timeout": 5.0, "threads": 1}
_LARGEST_DIMENSION: Final = 65_536
_MOST_THREADS: Final = 256
_LONGEST_WAIT: Final = 86_400


def open_handle(
    store: str | os.PathLike[str] | Store,
    *,
    create: bool,
    embedder: registry.EmbedderSpec,
    embedder_name: str | None,
    dim: int | None,
    ranking: Ranking,
    guard: Guard,
    retention: Retention,
    policy: Policy | None,
    reranker: patient_reranker.Reranker | None,
    rerank_timeout: float,
    llm: patient_llm.Llm | None,
    llm_seconds: float,
    corrections: correction_policy.Corrections | None,
    link_similar: float | None,
    tokens: str | Callable[[str], int],
    sync: str,
    read_only: bool,
    busy_timeout: float,
    threads: int,
    clock: Callable[[], float],
) -> Handle:
    """Open a store and everything a handle works with; nothing is written when any argument is wrong."""
    _check_choices(ranking, guard, retention, policy, clock)
    asked_reranker = _checked_reranker(reranker, rerank_timeout)
    asked_llm = _checked_llm(llm, llm_seconds)
    if corrections is not None and not isinstance(corrections, correction_policy.Corrections):
        raise TypeError(
            f"corrections must be a Corrections, not {type(corrections).__name__}: say corrections=Corrections()"
        )
    least = None if link_similar is None else checked_fraction(link_similar, "link_similar")
    tokenizer, count_tokens = counter(tokens)
    options = {
        "create": checked_flag(create, "create"),
        "tokenizer": tokenizer,
        "sync": checked_choice(sync, "sync", SYNC_MODES),
        "read_only": checked_flag(read_only, "read_only"),
        "busy_timeout": _checked_timeout(busy_timeout),
        "threads": _checked_threads(threads),
    }
    opened, found = _open(store, embedder, embedder_name, _checked_dimension(dim), options)
    weights = ranking.compiled(opened.new_weights)
    stored = stored_counter(opened.tokenizer, count_tokens)
    chosen = (guard, ranking, weights, count_tokens, clock, policy)
    asked = (asked_reranker, asked_llm, stored, corrections, least, retention)
    return Handle(opened, found, *chosen, None, *asked)


def _open(
    store: str | os.PathLike[str] | Store,
    spec: registry.EmbedderSpec,
    name: str | None,
    dim: int | None,
    options: dict[str, Any],
) -> tuple[Store, ResolvedEmbedder | None]:
    if not isinstance(store, (str, os.PathLike)):
        if not hasattr(store, "find_duplicate"):
            raise TypeError(f"store must be the path of a directory or a Store, not {type(store).__name__}")
        _check_left_to_the_store(options)
        return store, _matching_embedder(spec, name, dim, (store.dim, store.embedder), store.path)
    path = _checked_path(store)
    remembered = peek_native(path)
    if remembered is None:
        if options["read_only"] or not options["create"]:
            raise StoreNotFound(
                f"there is no store at {path!r}: check the path, or remember something there first: opening "
                "to write makes a store, unless with create=False"
            )
        wanted = "local" if spec == "auto" else spec
        embedder = None if wanted is None else registry.resolve(wanted, embedder_name=name, dim=dim)
        made_by = _identity_of_new(embedder, name, dim)
    else:
        check_unit(remembered[2], options["tokenizer"])
        embedder = _matching_embedder(spec, name, dim, remembered[:2], path)
        made_by = remembered[:2]
    return open_native(path, dim=made_by[0], embedder=made_by[1], **options), embedder


def _check_left_to_the_store(options: Mapping[str, Any]) -> None:
    said = [f"{name}=" for name, usual in _OF_A_PATH.items() if options[name] != usual]
    if said:
        told = ", ".join(said)
        raise ValueError(f"{told} cannot change a Store that is open: say so where it is opened, or give a path")


def _identity_of_new(embedder: ResolvedEmbedder | None, name: str | None, dim: int | None) -> tuple[int, str]:
    if embedder is not None:
        return embedder.dim, embedder.name
    if dim is None:
        raise ValueError("a new store with embedder=None needs dim=, the dimension of the vectors that will come")
    return dim, GIVEN if name is None else checked_text(name, "embedder_name")


def _matching_embedder(
    spec: registry.EmbedderSpec, name: str | None, dim: int | None, made_by: tuple[int, str], path: str
) -> ResolvedEmbedder | None:
    """Return the embedder for a store that is there; "auto" is the one it remembers. Raises EmbedderMismatch."""
    if spec is None or (spec == "auto" and made_by[1] == GIVEN):
        _check_match((made_by[0] if dim is None else dim, name or made_by[1]), made_by, path)
        return None
    if spec == "auto":
        _check_match((made_by[0] if dim is None else dim, name or made_by[1]), made_by, path)
        embedder: ResolvedEmbedder | None = registry.by_name(made_by[1])
    else:
        embedder = registry.resolve(spec, embedder_name=name, dim=dim)
    if embedder is not None:
        _check_match((embedder.dim, embedder.name), made_by, path)
    return embedder


def _check_match(wanted: tuple[int, str], made_by: tuple[int, str], path: str) -> None:
    if wanted != made_by:
        raise EmbedderMismatch(
            f"store {path!r} was made with the embedder {made_by[1]!r} ({made_by[0]} dimensions), not {wanted[1]!r} "
            f"({wanted[0]}): open it with the one that made it, then reembed() it to change"
        )


def _check_choices(
    ranking: Ranking, guard: Guard, retention: Retention, policy: Policy | None, clock: Callable[[], float]
) -> None:
    if not isinstance(ranking, Ranking):
        raise TypeError(f"ranking must be a Ranking, not {type(ranking).__name__}")
    if not isinstance(guard, Guard):
        raise TypeError(f"guard must be a Guard, not {type(guard).__name__}")
    if not isinstance(retention, Retention):
        said = 'say retention=Retention(ttl={"episode": "30d"})'
        raise TypeError(f"retention must be a Retention, not {type(retention).__name__}: {said}")
    if policy is not None and not isinstance(policy, Policy):
        raise TypeError(f"policy must be a Policy, not {type(policy).__name__}")
    if not callable(clock):
        raise TypeError(f"clock must be a callable that returns seconds since 1970, not {type(clock).__name__}")
    refuse_async(clock, "clock")


def _checked_reranker(
    reranker: patient_reranker.Reranker | None, rerank_timeout: float
) -> patient_reranker.PatientReranker | None:
    seconds = _checked_wait(rerank_timeout, "rerank_timeout")
    if reranker is None:
        return None
    _check_callable(reranker, "reranker", "(query, texts) -> scores")
    return patient_reranker.PatientReranker(reranker, seconds)


def _checked_llm(llm: patient_llm.Llm | None, llm_seconds: float) -> patient_llm.PatientLlm | None:
    seconds = _checked_wait(llm_seconds, "llm_seconds")
    if llm is None:
        return None
    _check_callable(llm, "llm", "str -> str")
    return patient_llm.PatientLlm(llm, seconds)


def _check_callable(given: object, name: str, takes: str) -> None:
    if not callable(given):
        raise TypeError(f"{name} must be a callable {takes}, not {type(given).__name__}")
    refuse_async(given, name)


def _checked_wait(value: float, name: str) -> float:
    seconds = checked_number(value, name)
    if not 0 < seconds <= _LONGEST_WAIT:
        raise ValueError(f"{name} must be more than 0 and at most {_LONGEST_WAIT} seconds, not {seconds!r}")
    return seconds


def _checked_path(store: str | os.PathLike[str]) -> str:
    path = checked_path(store, "store")
    if not path:
        raise ValueError("store must be the path of a directory, and is empty")
    if path.startswith(("postgresql://", "postgres://")):
        raise ValueError("this release has no PostgreSQL store: give the path of a store directory")
    return path


def _checked_dimension(dim: int | None) -> int | None:
    if dim is None:
        return None
    if not 1 <= checked_count(dim, "dim") <= _LARGEST_DIMENSION:
        raise ValueError(f"dim must lie between 1 and {_LARGEST_DIMENSION}, not {dim}")
    return dim


def _checked_threads(threads: int) -> int:
    count = checked_count(threads, "threads")
    if not 1 <= count <= _MOST_THREADS:
        raise ValueError(f"threads must lie between 1 and {_MOST_THREADS}, not {count}")
    return count


def _checked_timeout(busy_timeout: float) -> float:
    timeout = checked_number(busy_timeout, "busy_timeout")
    if not 0 <= timeout < float("inf"):
        raise ValueError(f"busy_timeout must be 0 or more seconds, not {busy_timeout!r}")
    return timeout
