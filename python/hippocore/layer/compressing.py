"""The verbs of a MemoryLayer that make one memory of many."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hippocore.deferred import Deferred
from hippocore.scopes import Scopes
from hippocore.session import Opened

if TYPE_CHECKING:
    from hippocore.lifecycle import compression
    from hippocore.lifecycle import consolidate as consolidating
    from hippocore.lifecycle import reflect as reflecting
    from hippocore.lifecycle import summarize as summarizing
else:
    compression = Deferred("hippocore.lifecycle.compression")
    consolidating = Deferred("hippocore.lifecycle.consolidate")
    reflecting = Deferred("hippocore.lifecycle.reflect")
    summarizing = Deferred("hippocore.lifecycle.summarize")


class CompressingVerbs(Opened):
    """What makes one memory of many, and puts these aside: `list(archived=True)` shows them, recall does not.

    Each is one commit of what is made and what is put aside, so that a crash leaves whole ones only, and the next call
    goes on. What is made links to its members (type "member") and says in its metadata what made it ("made_by"), at
    which "level", and "of" how many, from when until when, of which sources. It has their largest importance, the least
    trust, all their tags, and the metadata that they agree in. Where the guard refuses what they would become, or would
    keep it in quarantine, and where one of them changed meanwhile, they stay as they are. Forgetting or correcting a
    member later changes nothing in what was made of it: change that too.
    """

    def consolidate(
        self,
        *,
        scope: Scopes = "default",
        subtree: bool = False,
        similarity: float = 0.80,
        at_least: int = 3,
        kinds: Iterable[str] = ("episode",),
        dry_run: bool = False,
    ) -> compression.Compression:
        """Turn each cluster of memories into one "fact" and archive them; returns the ids and why.

        A cluster is `at_least` memories of one scope, one trust and these kinds, and at most 256, with a cosine of
        `similarity` between any two. The fact has the words of the most central one; where they differ in numbers or
        in a negation, of the most central of those that agree with the newest. With an llm it has one sentence of the
        model's, provided that the names and numbers in it stand in the memories. Where a live fact of the scope says
        the same, the cluster is merged into it, and so it is into a fact of the same trust that was consolidated before
        and is as similar: the newer words win, and it does not matter how often this is called.

        dry_run=True writes nothing, asks no model, and says what would be done. A scope of 20,000 takes seconds
        (`python bench/compression.py`); of a larger one each 20,000 are compared, as they were written. Others read and
        write meanwhile.
        """
        return consolidating.consolidate(
            self._handle,
            scope,
            subtree=subtree,
            similarity=similarity,
            at_least=at_least,
            kinds=kinds,
            dry_run=dry_run,
        )

    def summarize(
        self,
        *,
        scope: Scopes = "default",
        subtree: bool = False,
        budget_tokens: int = 8_000,
        keep_recent: int = 20,
        summary_tokens: int | None = None,
        protect_importance: float = 0.9,
        kinds: Iterable[str] = ("episode",),
        dry_run: bool = False,
    ) -> compression.Compression:
        """Fold the oldest memories of a scope into "summary" memories until the rest is within a budget of tokens.

        Each summary has at most `summary_tokens` (a tenth of the budget, 16 to 200) and is of about ten times as many
        that happened in a row, at least three memories of one trust; it ends with its source where it can. The newest
        `keep_recent` stay, and so does what is as important as `protect_importance`. Where the summaries in turn exceed
        the budget, the oldest become one of the next level: `recall(metadata={"level": 2})` asks for these alone.

        A summary has the most central sentences, in order of time. With an llm it has the model's text, provided that
        it is no longer and the names and numbers in it stand in the memories. dry_run=True writes nothing, asks no
        model, and says what would be done on the levels that there are.
        """
        limits = summarizing.Limits(budget_tokens, keep_recent, summary_tokens, protect_importance, kinds)
        return summarizing.summarize(self._handle, scope, limits, subtree=subtree, dry_run=dry_run)

    def reflect(
        self,
        *,
        scope: Scopes = "default",
        subtree: bool = False,
        recent: int = 100,
        min_importance: float = 0.5,
        similarity: float = 0.60,
        at_least: int = 3,
        limit: int = 3,
        dry_run: bool = False,
    ) -> compression.Compression:
        """Write at most `limit` "insight" memories of what a scope's recent important memories say together.

        Looked at are the newest `recent` of `min_importance` or more that no insight links to yet. With an llm: the
        model asks questions about them and answers each by what is recalled for it, naming the notes; an answer that
        names fewer than two, or has names or numbers that do not stand in these, is not kept. Without one: an insight
        is what the most central of `at_least` memories with a cosine of `similarity` between any two states, in its own
        words, the largest subjects first. Questions and greetings are no evidence. The evidence stays as it is, and the
        insight links to it (type "evidence").

        dry_run=True writes nothing, asks no model, and shows the subjects without one.
        """
        limits = reflecting.Limits(recent, min_importance, similarity, at_least, limit)
        return reflecting.reflect(self._handle, scope, limits, subtree=subtree, dry_run=dry_run)
