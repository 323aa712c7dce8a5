"""Two agents and the owner on one store: what an agent cannot read makes no difference to it.

The oracle is a second store that holds only what the agent may read, as if nothing else had ever been written, and a
few lines that say who may see what. Every verb that an agent calls is called on both; results, exceptions with their
words, and what the call did to the memories in its sight must be equal. What it cannot read must stay as it was.
"""

import tempfile
from collections import Counter
from copy import deepcopy
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from model_store import ModelStore

from hippocore import ALL, AccessDenied, Guard, Link, MemoryLayer, Policy
from hippocore.identifiers import key_of, name_key

RIGHTS = {
    "ann": {"read": ["ann", "shared", "rules"], "write": ["ann", "shared", "inbox"]},
    "bob": {"read": ["bob", "shared", "inbox"], "write": ["bob", "shared"]},
}
SCOPES = ["ann", "ann/diary", "annex", "bob", "shared", "shared/b", "rules", "inbox"]
TEXTS = st.sampled_from(["tea", "Tea.", "milk"])
NAMES = ["note", "plan"]
SOME_SCOPES = st.one_of(st.just(ALL), st.sampled_from(SCOPES), st.lists(st.sampled_from(SCOPES), max_size=2))
PLACES = st.fixed_dictionaries({"scope": SOME_SCOPES, "subtree": st.booleans()})
CHANGES = st.sampled_from([{"content": "coffee"}, {"importance": 0.9}, {"tags": ["t"]}, {"importance": 0.5}, {}])
VERBS = st.sampled_from([*["remember"] * 5, *["change"] * 3, "forget_where", "time_passes", "search", "walk", "upkeep"])


def embed(texts):
    return np.array([[text.lower().count("t") + 0.5, text.lower().count("m")] for text in texts], np.float32)


def covered(scope, roots):
    """The oracle of rights: label by label."""
    labels = scope.split("/")
    return any(labels[: len(root.split("/"))] == root.split("/") for root in roots)


def sees(agent, slot):
    return covered(slot.scope, RIGHTS[agent]["read"])


def plain(slot):
    return (*slot.row(), slot.text_key, slot.merge_key, tuple(slot.facets), tuple(slot.vector.tolist()))


class Agents(RuleBasedStateMachine):
    """Everybody's verbs in any order, with ids from everybody's pool."""

    def __init__(self):
        super().__init__()
        self.now = 1_750_000_000.0
        self.folder = tempfile.TemporaryDirectory()
        self.made = count()  # keys, the same in both stores
        self.step = 0
        self.patches = [patch(f"hippocore.{where}.new_keys", self.new_keys) for where in ("plan", "writing")]
        for one in self.patches:
            one.start()
        self.slots = []
        self.store = self.store_of(self.slots)
        self.owner = self.layer_on(self.store)
        self.agents = {name: self.owner.as_agent(name) for name in RIGHTS}
        self.odd_ids = ["nobody", key_of("note").hex(), *(name_key(agent, "note").hex() for agent in RIGHTS)]

    def teardown(self):
        for one in self.patches:
            one.stop()
        self.folder.cleanup()

    # Stores, and what happens in them

    def new_keys(self, how_many, _):
        return [(self.step << 64 | next(self.made)).to_bytes(16, "big") for _ in range(how_many)]

    def store_of(self, slots):
        store = ModelStore(2, "letters")
        store._shared.slots = slots
        return store

    def layer_on(self, store):
        options = {
            "embedder": embed,
            "embedder_name": "letters",
            "dim": 2,
            "guard": Guard(delimiter="fixed"),
            "link_similar": 0.99,
        }
        return MemoryLayer(store, clock=lambda: self.now, policy=Policy(RIGHTS), **options)

    def world_of(self, agent):
        """The store in which nothing was ever written but what the agent may read."""
        return self.store_of([deepcopy(slot) for slot in self.store._slots if sees(agent, slot)])

    def outcome(self, call, layer):
        self.made = count()
        try:
            return "done", call(layer)
        except AssertionError:
            raise
        except Exception as error:
            return "failed", type(error), str(error)

    def does(self, agent, call):
        """Do it on the store and in the agent's world; the same came of it, and the rest of the store is as it was."""
        self.step += 1
        world = self.world_of(agent)
        hidden = Counter(plain(slot) for slot in self.store._slots if not sees(agent, slot))
        real = self.outcome(call, self.agents[agent])
        twin = self.outcome(call, self.layer_on(world).as_agent(agent))
        assert real == twin
        in_sight = [[plain(slot) for slot in one._slots if sees(agent, slot)] for one in (self.store, world)]
        assert in_sight[0] == in_sight[1]
        unseen = Counter(plain(slot) for slot in self.store._slots if not sees(agent, slot))
        dropped = Counter(plain(slot) for slot in world._slots if not sees(agent, slot))
        assert not hidden - unseen
        assert all(place[3] in RIGHTS[agent]["write"] for place in unseen - hidden)
        assert (unseen - hidden).keys() <= dropped.keys()
        assert {self.said(slot) for slot in dropped} <= {self.said(slot) for slot in unseen}
        return real

    @staticmethod
    def said(row):
        return row[1], row[3]

    def someone_does(self, who, call):
        if who != "owner":
            return self.does(who, call)
        self.step += 1
        return self.outcome(call, self.owner)

    @property
    def ids(self):
        """Names, and everybody's memories by their digits."""
        return [*NAMES, *dict.fromkeys(slot.id.hex() for slot in self.store._slots[-6:])]

    def an_id(self, draw):
        return draw(st.sampled_from([*self.ids * 2, *self.odd_ids]), label="id")

    @initialize()
    def something_everywhere(self):
        for scope in ("ann", "annex", "bob", "shared", "rules", "inbox"):
            self.someone_does("owner", lambda layer, scope=scope: layer.remember("tea", scope=scope))
        out_of_sight = self.store._slots[1].id.hex()
        self.someone_does("owner", lambda layer: layer.remember("milk", scope="shared", supersedes=out_of_sight))
        self.does("bob", lambda layer: layer.remember("milk", scope="bob", id="note"))
        self.does("ann", lambda layer: layer.remember("tea", scope="inbox", id="plan"))

    def must_be_denied(self, who, outcome, denied):
        if who != "owner":
            assert (outcome[0] == "failed" and outcome[1] is AccessDenied) == denied, outcome

    # Verbs: one rule draws among them, so that most of what happens is writing.

    @rule(data=st.data(), who=st.sampled_from(["ann", "bob", "ann", "bob", "owner"]), verb=VERBS)
    def anything(self, data, who, verb):
        getattr(self, verb)(data.draw, who)

    def remember(self, draw, who):
        writable = RIGHTS[who]["write"] if who != "owner" else []
        scope = draw(st.sampled_from([*writable * 6, *SCOPES]), label="scope")
        item = {"content": draw(TEXTS), "scope": scope}
        item["expires_at"] = draw(st.sampled_from([None, None, None, self.now + 3]), label="expiry")
        item["supersedes"] = draw(st.sampled_from([None, None, self.an_id(draw)]), label="supersedes")
        item["id"] = draw(st.sampled_from(["note", "plan", None, self.an_id(draw)]), label="given id")
        item["links"] = draw(
            st.sampled_from([(), (), [self.an_id(draw), Link(self.an_id(draw), "t", 0.5)]]), label="links"
        )
        merge, several = (
            draw(st.booleans(), label="merge"),
            draw(st.sampled_from([False, False, True]), label="several"),
        )

        def call(layer):
            if not several:
                return layer.remember(**item, merge=merge)
            return layer.remember_many([{"content": "milk", "scope": scope}, item], merge=merge)

        outcome = self.someone_does(who, call)
        if who != "owner" and not covered(scope, writable):
            self.must_be_denied(who, outcome, True)

    def change(self, draw, who):
        ids, flag = [self.an_id(draw), self.an_id(draw)], draw(st.booleans(), label="flag")
        given = draw(st.sampled_from([ids, ids[0]]), label="ids")
        changes = draw(CHANGES, label="changes")
        calls = {
            "update": lambda layer: layer.update(ids[0], **changes),
            "feedback": lambda layer: layer.feedback(given, flag),
            "forget": lambda layer: layer.forget(given, purge=flag),
        }
        self.someone_does(who, calls[draw(st.sampled_from(sorted(calls)), label="change")])

    def forget_where(self, draw, who):
        places, tags = draw(PLACES), draw(st.sampled_from([None, ["t"]]), label="tags")
        outcome = self.someone_does(who, lambda layer: layer.forget_where(**places, tags=tags))
        if who != "owner":
            allowed = [self.may_name(places["scope"], RIGHTS[who][right]) for right in ("read", "write")]
            self.must_be_denied(who, outcome, not all(allowed))

    def time_passes(self, draw, who):
        self.now += draw(st.sampled_from([1, 5]), label="seconds")

    @staticmethod
    def may_name(scopes, roots):
        named = scopes if isinstance(scopes, list) else [] if scopes is ALL else [scopes]
        return all(covered(scope, roots) for scope in named)

    def search(self, draw, who):
        places, touch = draw(PLACES), draw(st.booleans(), label="touch")
        past = draw(st.sampled_from([None, 0, 2, 9]), label="past")
        as_of = None if past is None else self.now - past
        steps = draw(st.sampled_from([0, 1, 2]), label="steps")

        def call(layer):
            found = layer.context(
                "tea", budget=90, touch=touch, diversity=0.5, **places, mode="dense", expand_links=steps
            )
            return found.text, found.memories, found.tokens, found.skipped

        recalled = self.someone_does(
            who, lambda layer: layer.recall("tea", **places, as_of=as_of, limit=3, mode="dense")
        )
        many = self.someone_does(
            who, lambda layer: layer.recall_many(["tea", "milk"], **places, as_of=as_of, limit=3, mode="dense")
        )
        walked = self.someone_does(
            who, lambda layer: layer.recall("tea", **places, as_of=as_of, limit=9, mode="dense", expand_links=steps)
        )
        assert many[0] != "done" or many[1][0] == recalled[1]
        for outcome in (recalled, many, walked, self.someone_does(who, call)):
            if who != "owner":
                self.must_be_denied(who, outcome, not self.may_name(places["scope"], RIGHTS[who]["read"]))

    def walk(self, draw, who):
        places, order = draw(PLACES), draw(st.sampled_from(["newest", "oldest"]), label="order")
        after, others = draw(st.sampled_from([None, self.an_id(draw)]), label="after"), [self.an_id(draw)] * 2
        self.someone_does(who, lambda layer: layer.list(**places, order=order, after=after))
        self.someone_does(who, lambda layer: layer.count(**places))
        self.someone_does(who, lambda layer: layer.embeddings([*others, "note"]).tolist())

    def upkeep(self, draw, who):
        verb = draw(st.sampled_from(["stats", "verify", "compact", "export"]), label="upkeep")
        target = Path(self.folder.name) / "export"

        def export(layer):
            steps = []
            lines = layer.export(target, progress=lambda *step: steps.append(step))
            return lines, target.read_bytes(), steps

        outcome = self.someone_does(who, export if verb == "export" else lambda layer: getattr(layer, verb)())
        self.must_be_denied(who, outcome, verb != "export")
        assert verb != "export" or outcome[0] == "done"

    @invariant()
    def what_is_out_of_sight_makes_no_difference(self):
        for agent in RIGHTS:
            assert self.does(agent, self.looks_everywhere)[0] == "done"

    def looks_everywhere(self, layer):
        seen = [layer.scopes(), layer.list(), layer.count(), *layer.recall_many(["milk"], scope=ALL, mode="dense")]
        for one in self.ids:
            tried = SimpleNamespace(done=[one in layer])
            for verb in (layer.get, layer.history):  # also of what has expired
                tried.done.append(self.outcome(lambda _, verb=verb, one=one: verb(one), layer))
            seen.append(tried)
        for memory in seen[1]:
            assert layer.get(memory.id) == memory
            assert memory.supersedes is None or layer.history(memory.supersedes)
        return seen


TestAgents = Agents.TestCase
TestAgents.settings = settings(
    max_examples=30,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
