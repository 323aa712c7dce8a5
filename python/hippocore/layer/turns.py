"""The verbs of a MemoryLayer that are about turns: take one in, call hooks, learn from what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hippocore.arguments import checked_flag, checked_text
from hippocore.deferred import Deferred
from hippocore.layer.reading import ReadingVerbs
from hippocore.layer.writing import WritingVerbs
from hippocore.scopes import Scope, Scopes
from hippocore.times import Moment

if TYPE_CHECKING:
    from hippocore import types
    from hippocore.lifecycle import dialogue, learning, relabelled, turn_counts, turns
    from hippocore.lifecycle import hindsight as relabelling
    from hippocore.lifecycle import hooks as turn_hooks
else:
    types = Deferred("hippocore.types")
    turn_hooks = Deferred("hippocore.lifecycle.hooks")
    learning = Deferred("hippocore.lifecycle.learning")
    relabelled = Deferred("hippocore.lifecycle.relabelled")
    relabelling = Deferred("hippocore.lifecycle.hindsight")
    dialogue = Deferred("hippocore.lifecycle.dialogue")
    turn_counts = Deferred("hippocore.lifecycle.turn_counts")
    turns = Deferred("hippocore.lifecycle.turns")


class TurnVerbs(WritingVerbs, ReadingVerbs):
    """What takes in turns and what comes of them."""

    @property
    def _turns(self) -> turns.Turns:
        """What the session keeps about its turns; raises StoreClosed."""
        self._session.handle()
        return turns.turns_of(self._session)

    def observe_turn(
        self,
        user_message: str,
        reply: str = "",
        tool_calls: Iterable[Mapping[str, Any]] = (),
        *,
        scope: Scope = "default",
        session: str | None = None,
        reward: float | None = None,
        event_time: Moment | None = None,
        user: str = "User",
        routes: Mapping[str, Scope] | None = None,
    ) -> list[types.Remembered]:
        """Remember what a turn states: extract, gate, guard, merge and store it in one commit, then call the hooks.

        Returns what became of each statement that was found, in order; [] where the turn holds nothing to keep, as most
        do. With `llm=` it is asked what the turn states, and waited for; secrets that the guard finds are not shown to
        it. Without one, or where it gives no answer, rules for English decide. Where its answer is not what was asked
        for, nothing is remembered.

        tool_calls: mappings with the tool's "name" and "result". scope: the agent's own. routes: which scopes kinds go
        to instead; by default preferences and procedures of "user:alice/agent:coder" go to "user:alice/shared", beside
        the agent, and everything stays in a scope that does not end in "agent:…". session: the memories' source, and
        whose hooks these are. reward: how well the turn went, for the gate and the hooks. user: the name that "I" is
        kept under, as in "User: I prefer tabs".

        What the user said is "trusted"; replies and results of tools are "unverified", since they may repeat what
        strangers wrote. Skipped is what gate or guard let not through, and the reason says which.
        """
        kept, handle = self._turns, self._handle
        turn = dialogue.Turn(user_message, reply, dialogue.checked_tool_calls(tool_calls), user)
        taken = turns.Taken(turn, scope, session, reward, event_time, routes)
        return turns.observe(self, handle, kept, taken)

    def end_session(self, session: str, success: bool | None = None) -> None:
        """Call the hooks of "on_session_end", after those of the session's turns. Nothing else ends by it.

        success: how it ended, for the hooks; None where nobody knows.
        """
        kept = self._turns
        known = None if success is None else checked_flag(success, "success")
        event = turn_hooks.SessionEnded(checked_text(session, "session"), known)
        kept.hooks.fire(turn_hooks.ON_SESSION_END, event)

    @property
    def hooks(self) -> turn_hooks.Hooks:
        """The functions that are called after each turn, at the end of a session, or at events of your own."""
        return self._turns.hooks

    def drain(self, timeout: float | None = None) -> bool:
        """Wait until the hooks of all events so far have ended, at most so many seconds; returns whether they have."""
        return self.hooks.drain(timeout)

    def turn_counts(self) -> turn_counts.TurnCounts:
        """Return how many turns this handle took in, and how many of them led to a write."""
        return self._turns.tally.counts

    def learn(self, judged: learning.Judged, success: bool) -> list[str]:
        """Credit the memories that were in the context of a turn that succeeded, or blame those of one that failed.

        judged: the Context, or a list of what `recall` or `observe_turn` gave, or of ids. Each gets the `feedback` of
        0.05 importance; one of importance 0.9 or more loses none. Returns the ids of those that took it: what was
        forgotten meanwhile, or may not be changed by this agent, is passed over.
        """
        self._session.handle()
        return learning.learn(self, judged, success)

    def hindsight(
        self,
        session: str,
        success: bool,
        *,
        scope: Scopes = "default",
        subtree: bool = False,
        dry_run: bool = False,
    ) -> relabelled.Hindsight:
        """Give what a session wrote its importance anew, now that it is known how the session ended.

        After a success what was used since, or confirmed by other sources, is worth more; after a failure what was
        neither is worth less. With an llm, one question shows it the last 40 and how it ended, and its ratings count;
        where its answer is not what was asked for, and for the others, the rule decides. Credit and blame that `learn`
        gave stay in it.

        session: the source of what was written. scope: as `observe_turn` was told; what turns of it share is looked at
        too. An importance moves by 0.2 at most, none of 0.9 or more is changed, and none becomes so. Calling it again
        does not add up: what it added ("hindsight_shift" in the metadata) is taken back first, so that another outcome,
        or later uses, take the place of the former. Returns what changed, from what to what, and why; dry_run=True
        writes nothing, and says what the rule would do. To have it done at each `end_session(session, success=...)`:
        `mem.hooks.add("on_session_end", lambda ended: mem.hindsight(ended.session, ended.success))`, which fails,
        and is counted so, for one that ended without saying how.
        """
        checked_text(session, "session")
        known, below = checked_flag(success, "success"), checked_flag(subtree, "subtree")
        dry_run = checked_flag(dry_run, "dry_run")
        return relabelling.hindsight(self._handle, session, known, scope, subtree=below, dry_run=dry_run)
