"""Context: the recalled memories that fit a budget of tokens, as one block for a prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from hippocore.arguments import checked_choice, checked_count, checked_flag, checked_fraction
from hippocore.diversity import diverse_scores
from hippocore.handle import Handle
from hippocore.outdated import outdated_among
from hippocore.prompt import PromptLine, frame, framed, line_text, new_delimiter
from hippocore.reading import Found, hit_vectors
from hippocore.records import happened, public_id_of
from hippocore.scored import Scored, row_of
from hippocore.scoring import STRATEGIES, Strategy, pack
from hippocore.stores.protocol import LARGEST_COUNT, TRUST_NAMES, RowTuple

Touch = bool | Literal["relevant"]


class Skipped(NamedTuple):
    """A recalled memory that is not in the block, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True, repr=False)
class Context:
    """A block for a prompt: `text` ("" when nothing fits), what is in it, its `tokens`, what was left out and why.

    `confidence`, 0..1, is how surely the store holds what was asked, whatever of it fits: 0 when no memory is eligible,
    None where nothing tells, which is for anything but a text in hybrid mode. With x the deviations by which the best
    of n memories stands above their average it is 1 / (1 + exp((2 + 0.69 ln n - x) / (0.45 + 0.12 ln n))), fitted so
    that 0.5 parts the questions of a piece of conversation from as many of others, for n from 1 to 600
    (`bench/confidence.py`). Calibrated for nothing else: elsewhere it orders questions, and where to draw the line is
    to be found out.
    """

    text: str
    memories: list[Scored]
    tokens: int
    skipped: list[Skipped]
    confidence: float | None = None

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
    touch: Touch

    def __post_init__(self) -> None:
        for name in ("budget", "max_per_memory", "pool"):
            checked_count(getattr(self, name), name)
        checked_choice(self.strategy, "strategy", STRATEGIES)
        checked_fraction(self.diversity, "diversity")
        if self.touch != "relevant":
            checked_flag(self.touch, 'touch, where it is not "relevant",')


def context(handle: Handle, found: Found, limits: Limits) -> Context:
    """Pack what a recall found into a block; touches what went in, when asked to and able to."""
    pool, confidence = found
    block = _Block(handle.count_tokens, handle.guard.delimiter or new_delimiter())
    recount = None if handle.count_stored is handle.count_tokens else handle.count_tokens
    rows = list(map(row_of, pool))  # each is made when it is asked for
    outdated = outdated_among(rows)
    short, skipped = _eligible(pool, rows, outdated, limits.max_per_memory, block, recount)
    lines = [one.line for one in short]
    costs = list(map(block.cost, lines))
    chosen = _chosen(handle, [one.hit for one in short], costs, limits, block.overhead)
    fitting, text = block.fitting(chosen, lines, limits.budget)
    left = sorted(set(range(len(short))).difference(fitting))
    skipped += [Skipped(short[i].id, f"no room left for its {costs[i]} tokens") for i in left]
    hits = [short[i].hit for i in fitting]
    if limits.touch and hits and not handle.store.read_only:
        least = _least_used(pool, rows, outdated) if limits.touch == "relevant" else 0.0
        handle.store.touch([hit.key for hit in hits if hit.relevance >= least], handle.now())
    return Context(text, hits, block.tokens(text), skipped, confidence)


def _least_used(pool: Sequence[Scored], rows: Sequence[RowTuple], outdated: Set[bytes]) -> float:
    """Return the relevance halfway between the least and the most relevant of what was recalled and holds."""
    relevances = [hit.relevance for hit, row in zip(pool, rows, strict=True) if row[0] not in outdated]
    return (min(relevances) + max(relevances)) / 2


class _Candidate(NamedTuple):
    """A hit, its id, and its line in the block: the memories of what is left out are never made."""

    hit: Scored
    id: str
    line: str


class _Block:
    """The rendering of one block: one delimiter, and tokens counted as they will stand in the prompt."""

    def __init__(self, count_tokens: Callable[[str], int], delimiter: str) -> None:
        self._count = count_tokens
        self._delimiter = delimiter
        self.overhead = count_tokens("".join(frame(delimiter)))

    def line(self, row: RowTuple) -> str:
        """Return the line of a store's row."""
        _, content, _, _, kind, _, _, _, _, _, _, state = row
        return line_text(PromptLine(content, kind, happened(row), TRUST_NAMES[state[5]]), self._delimiter)

    def cost(self, line: str) -> int:
        """Return the tokens of a line."""
        return min(self._count(line), LARGEST_COUNT)

    def tokens(self, text: str) -> int:
        """Return the tokens of the whole text, 0 for none."""
        return self._count(text) if text else 0

    def fitting(self, chosen: list[int], lines: Sequence[str], budget: int) -> tuple[list[int], str]:
        """Return what fits of the chosen lines and its text: the last go first; else the first of all that fits.

        Lines that were counted one by one may cost more together, so the whole text decides.
        """
        while chosen:
            if self.tokens(text := framed([lines[i] for i in chosen], self._delimiter)) <= budget:
                return chosen, text
            chosen = chosen[:-1]
        for i, line in enumerate(lines):
            if self.tokens(text := framed([line], self._delimiter)) <= budget:
                return [i], text
        return [], ""


def _eligible(
    pool: Sequence[Scored],
    rows: Sequence[RowTuple],
    outdated: Set[bytes],
    longest: int,
    block: _Block,
    recount: Callable[[str], int] | None,
) -> tuple[list[_Candidate], list[Skipped]]:
    """Part the pool from what a newer memory of it outdates, and from what is too long.

    Tokens are counted anew where the store keeps them in another unit.
    """
    short, skipped = [], []
    for hit, row in zip(pool, rows, strict=True):
        identifier, tokens = public_id_of(row), row[9] if recount is None else recount(row[1])
        if row[0] in outdated:
            skipped.append(Skipped(identifier, "a newer memory outdates it"))
        elif tokens <= longest:
            short.append(_Candidate(hit, identifier, block.line(row)))
        else:
            skipped.append(Skipped(identifier, f"its {tokens} tokens are more than max_per_memory={longest}"))
    return short, skipped


def _chosen(handle: Handle, pool: Sequence[Scored], costs: Sequence[int], limits: Limits, overhead: int) -> list[int]:
    """Return the positions that the packer takes, in the order in which they are to stand."""
    room = min(limits.budget, LARGEST_COUNT) - overhead
    if not pool or room <= 0:
        return []
    scores = np.array([hit.score for hit in pool], np.float64)
    if limits.diversity > 0:
        scores = diverse_scores(scores, hit_vectors(handle, pool), limits.diversity)
    return [int(i) for i in pack(scores, np.array(costs, np.uint32), room, strategy=limits.strategy)]
