"""Context: the recalled memories that fit a budget of tokens, as one block for a prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from hippocore.arguments import checked_choice, checked_count, checked_flag, checked_fraction
from hippocore.diversity import diverse_scores
from hippocore.errors import MemoryNotFound
from hippocore.handle import Handle
from hippocore.prompt import PromptLine, frame, line_text, new_delimiter, render
from hippocore.scored import Scored
from hippocore.scoring import pack
from hippocore.stores.protocol import Vectors

Strategy = Literal["score", "density", "best"]
_STRATEGIES: Final = ("score", "density", "best")
_LARGEST_BUDGET: Final = (1 << 32) - 1


class Skipped(NamedTuple):
    """A recalled memory that is not in the block, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True, repr=False)
class Context:
    """A block for a prompt: `text` ("" when nothing fits), what is in it, its `tokens`, what was left out and why."""

    text: str
    memories: list[Scored]
    tokens: int
    skipped: list[Skipped]

    def __repr__(self) -> str:
        return f"Context(memories={len(self.memories)}, tokens={self.tokens}, skipped={len(self.skipped)})"


@dataclass(frozen=True, slots=True)
class Limits:
    """How a block is packed: tokens in all and for each memory, which to prefer, and how much alike they may be."""

    budget: int
    max_per_memory: int
    pool: int
    strategy: Strategy
    diversity: float
    touch: bool

    def __post_init__(self) -> None:
        for name in ("budget", "max_per_memory", "pool"):
            checked_count(getattr(self, name), name)
        checked_choice(self.strategy, "strategy", _STRATEGIES)
        checked_fraction(self.diversity, "diversity")
        checked_flag(self.touch, "touch")


def context(handle: Handle, pool: Sequence[Scored], limits: Limits) -> Context:
    """Pack a ranked pool into a block; touches what went in, when asked to and able to."""
    block = _Block(handle.count_tokens, handle.guard.delimiter or new_delimiter())
    short, skipped = _without_long_ones(pool, limits.max_per_memory)
    costs = np.array([block.cost(hit) for hit in short], np.uint32)
    chosen = _chosen(handle, short, costs, limits, block.overhead)
    fitting, text = block.fitting([short[i] for i in chosen], short, limits.budget)
    inside = {id(hit) for hit in fitting}
    left = [(hit, cost) for hit, cost in zip(short, costs, strict=True) if id(hit) not in inside]
    skipped += [Skipped(hit.memory.id, f"no room left for its {cost} tokens") for hit, cost in left]
    if limits.touch and fitting and not handle.store.read_only:
        handle.store.touch([hit.key for hit in fitting], handle.now())
    return Context(text, fitting, block.tokens(text), skipped)


class _Block:
    """The rendering of one block: one delimiter, and tokens counted as they will stand in the prompt."""

    def __init__(self, count_tokens: Callable[[str], int], delimiter: str) -> None:
        self._count = count_tokens
        self._delimiter = delimiter
        self.overhead = count_tokens("".join(frame(delimiter)))

    def cost(self, hit: Scored) -> int:
        """Return the tokens of a memory's line."""
        return min(self._count(line_text(_line(hit), self._delimiter)), _LARGEST_BUDGET)

    def tokens(self, text: str) -> int:
        """Return the tokens of the whole text, 0 for none."""
        return self._count(text) if text else 0

    def fitting(self, chosen: list[Scored], pool: Sequence[Scored], budget: int) -> tuple[list[Scored], str]:
        """Return what fits of the chosen ones and its text: the last go first; else the first of the pool that fits.

        Lines that were counted one by one may cost more together, so the whole text decides.
        """
        while chosen:
            if self.tokens(text := self._text(chosen)) <= budget:
                return chosen, text
            chosen = chosen[:-1]
        for hit in pool:
            if self.tokens(text := self._text([hit])) <= budget:
                return [hit], text
        return [], ""

    def _text(self, hits: Sequence[Scored]) -> str:
        return render([_line(hit) for hit in hits], delimiter=self._delimiter)


def _line(hit: Scored) -> PromptLine:
    memory = hit.memory
    return PromptLine(memory.content, memory.kind, memory.event_time or memory.created_at, memory.trust)


def _without_long_ones(pool: Sequence[Scored], longest: int) -> tuple[list[Scored], list[Skipped]]:
    short = [hit for hit in pool if hit.memory.tokens <= longest]
    long = [hit.memory for hit in pool if hit.memory.tokens > longest]
    return short, [Skipped(one.id, f"its {one.tokens} tokens are more than max_per_memory={longest}") for one in long]


def _chosen(
    handle: Handle, pool: Sequence[Scored], costs: npt.NDArray[np.uint32], limits: Limits, overhead: int
) -> list[int]:
    """Return the positions that the packer takes, in the order in which they are to stand."""
    room = min(limits.budget, _LARGEST_BUDGET) - overhead
    if not pool or room <= 0:
        return []
    scores = np.array([hit.score for hit in pool], np.float64)
    if limits.diversity > 0:
        scores = diverse_scores(scores, _pool_vectors(handle, pool), limits.diversity)
    return [int(i) for i in pack(scores, costs, room, strategy=limits.strategy)]


def _pool_vectors(handle: Handle, pool: Sequence[Scored]) -> Vectors:
    vectors = np.zeros((len(pool), handle.store.dim), np.float32)
    for i, hit in enumerate(pool):
        try:
            vectors[i] = handle.store.get_vectors([hit.key])[0]
        except MemoryNotFound:  # forgotten since the recall; like nothing else
            continue
    return vectors
