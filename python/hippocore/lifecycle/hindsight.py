"""Hindsight: once it is known how a session ended, what it wrote gets its importance anew.

An importance is a guess when it is given: nobody knows yet what will matter. Later that is known better: how the
session ended, how often the memory was used, whether other sources said the same. By these, or with a model by its
rating, each gets another importance (`hippocore.lifecycle.hindsight_worth`); credit and blame of `learn` are in the one
that it has already, and stay.

What hindsight added is kept beside a memory, in its metadata, so that the next call takes it back first: the importance
is always a function of what it would be without hindsight and of what is known now, whatever was called before and how
often. All is one commit of new versions with the same content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from hippocore.guard import Guard
from hippocore.handle import Handle
from hippocore.lifecycle.folding import public_ids
from hippocore.lifecycle.gathering import in_time, require_writable, scopes_to_change
from hippocore.lifecycle.hindsight_model import ratings
from hippocore.lifecycle.hindsight_worth import CEILING, MOST, Evidence, bounded, worth
from hippocore.lifecycle.learning import PROTECTED
from hippocore.lifecycle.relabelled import Hindsight, Relabelled
from hippocore.lifecycle.routes import shared_beside
from hippocore.lifecycle.turns import asking
from hippocore.lifecycle.wording import SHOWN
from hippocore.records import Record, record_of, version_of
from hippocore.scopes import Scopes, scope_texts
from hippocore.stores.protocol import ARCHIVED, QUARANTINED, SUPERSEDED, State

VERB: Final = "hindsight"
SHIFT: Final = "hindsight_shift"
"""The key in a memory's metadata of how much of its importance hindsight added, -0.2..0.2."""
_DIGITS: Final = 4  # of a shift
_SAME: Final = 2e-4  # what rounding can make of a shift that did not change
_OUT: Final = SUPERSEDED | ARCHIVED | QUARANTINED


class _Written(NamedTuple):
    """A memory that the session wrote, as it was when it was looked at, and how many other sources said the same."""

    record: Record
    confirmations: int

    @property
    def evidence(self) -> Evidence:
        return Evidence(self.record.state.use_count, self.confirmations)


class _Label(NamedTuple):
    """What of a memory's importance hindsight adds, the importance with it, and why."""

    shift: float
    importance: float
    reason: str


def hindsight(handle: Handle, session: str, success: bool, scope: Scopes, *, subtree: bool, dry_run: bool) -> Hindsight:
    """Relabel what a session wrote; a dry run writes nothing and asks no model."""
    if not dry_run:
        require_writable(handle, VERB)
        handle.store.write([], None)  # what is queued: uses that count
    written = sorted(_written_by(handle, session, _places(handle, scope, subtree=subtree)), key=_in_time)
    if dry_run:
        labels = [_label(one, success, None, handle.guard) for one in written]
    else:
        rated = _rated(handle, written, success)  # before the lock
        with handle.writing() as now:
            written = [fresh for one in written if (fresh := _as_it_is(handle, one, now)) is not None]
            labels = [_label(one, success, rated.get(one.record.key), handle.guard) for one in written]
            _write(handle, written, labels, now)
    return _result(handle, written, labels, dry_run=dry_run)


def _places(handle: Handle, scope: Scopes, *, subtree: bool) -> list[str]:
    """Return the scopes to look at: those that were asked for, and where turns of these share preferences and rules."""
    beside = map(shared_beside, scope_texts(scope) or ())
    shared = [name for name in beside if handle.may_read(name) and handle.may_write(name)]
    return list(dict.fromkeys([*scopes_to_change(handle, scope, subtree=subtree), *shared]))


def _written_by(handle: Handle, session: str, places: list[str]) -> Iterator[_Written]:
    """Give the live memories of which a version has this source; others may have said the same before or after."""
    store, now = handle.store, handle.now()
    keys = dict.fromkeys(store.select_ids(store.new_filter(now=now, scopes=places, source=session)))
    columns = store.columns(store.new_filter(now=now, scopes=places))
    again = np.flatnonzero(columns["valid_from"] > columns["created_at"])  # several versions
    for key in dict.fromkeys([*keys, *map(bytes, columns["keys"][again])]):
        history = store.history(key)
        sources = {history[i][5] for i in range(len(history))}
        if session in sources:
            yield _Written(record_of(history[len(history) - 1]), len(sources - {session, ""}))


def _in_time(written: _Written) -> tuple[int, int]:
    return in_time(written.record)


def _rated(handle: Handle, written: Sequence[_Written], success: bool) -> Mapping[bytes, float]:
    """Return a model's ratings by key, of the last 40 that it can change; none without a model or a usable answer."""
    ask = asking(handle)
    shown = [one for one in written if one.record.state.importance < PROTECTED][-SHOWN:]
    given = None if ask is None or not shown else ratings(ask, [(one.record, one.evidence) for one in shown], success)
    return {} if given is None else {one.record.key: rating for one, rating in zip(shown, given, strict=True)}


def _as_it_is(handle: Handle, written: _Written, now: int) -> _Written | None:
    """Return it with the state that it has now; None where it is gone, takes no part or says something else now."""
    key, version = written.record.key, written.record.version
    if not handle.store.contains(key):
        return None
    record = record_of(handle.store.get([key])[0])
    same = record.version == version and not record.state.flags & _OUT and not record.expired(now)
    return written._replace(record=record) if same else None


def _label(written: _Written, success: bool, rating: float | None, guard: Guard) -> _Label:
    state, before = written.record.state, _shift_of(written.record)
    if state.importance >= PROTECTED:
        return _Label(before, state.importance, "a hard rule stays")
    without = _without(state, before, guard)
    wanted = worth(without, written.evidence, success) if rating is None else bounded(without, rating)
    if wanted > without:
        wanted = max(without, guard.capped(wanted, state.trust))
    shift = round(wanted - without, _DIGITS)
    if abs(shift - before) < _SAME:
        return _Label(before, state.importance, "as it was")
    why = str(written.evidence) if rating is None else f"a model rated it {rating:.2f}"
    end = "succeeded" if success else "failed"
    return _Label(shift, min(1.0, max(0.0, without + shift)), f"{why}, and the session {end}")


def _without(state: State, shift: float, guard: Guard) -> float:
    """Return the importance without hindsight, as far as a shift, which anybody may have written, can be believed."""
    most = max(state.importance, min(CEILING, guard.capped(1.0, state.trust)))
    return min(max(0.0, state.importance - shift), most)


def _shift_of(record: Record) -> float:
    """Return what hindsight added; nothing where the key holds what it does not write."""
    kept = record.extra.metadata.get(SHIFT)
    return kept if isinstance(kept, float) and abs(kept) <= MOST else 0.0


def _write(handle: Handle, written: Sequence[_Written], labels: Sequence[_Label], now: int) -> None:
    pairs = zip(written, labels, strict=True)
    changed = [_changed(handle, one.record, label, now) for one, label in pairs if label.shift != _shift_of(one.record)]
    if changed:
        handle.store.write(
            [version_of(record) for record in changed], handle.store.get_vectors([record.key for record in changed])
        )


def _changed(handle: Handle, before: Record, label: _Label, now: int) -> Record:
    """Return the version with another importance; it begins with the confidence that time has left."""
    began = max(now, before.valid_from)
    decay, unconfirmed = handle.retention.decay_of(before.kind), (began - before.valid_from) / 1e6
    left = decay.confidence_after(before.state.confidence, unconfirmed)
    metadata = {**before.extra.metadata, SHIFT: label.shift}
    return replace(
        before,
        extra=before.extra._replace(metadata=metadata),
        state=before.state._replace(importance=label.importance, confidence=left),
        version=before.next_version,
        valid_from=began,
    )


def _result(handle: Handle, written: Sequence[_Written], labels: Sequence[_Label], *, dry_run: bool) -> Hindsight:
    records = [one.record for one in written]
    relabelled, left = list[Relabelled](), list[str]()
    for identifier, record, label in zip(public_ids(handle, records), records, labels, strict=True):
        if label.shift == _shift_of(record):
            left.append(identifier)
        else:
            relabelled.append(Relabelled(identifier, record.state.importance, label.importance, label.reason))
    return Hindsight(tuple(relabelled), tuple(left), dry_run)
