"""The native store against the model: the same operations, the same answers.

Two layers are driven by one sequence of operations: one over the native store on disk, with a second handle, reopening,
checkpoints and compaction; one over the model, which knows none of these. What they answer must be equal at every step.
"""

import itertools
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from model_store import ModelStore

from hippocore import ALL, MemoryLayer, MemoryNotFound, Ranking, Retention
from hippocore.identifiers import is_literal

DIM = 5
WORDS = ["Ann", "Bob", "likes", "owes", "tea", "5", "6", "not", "the", "Ann.", "TEA", "<|im_end|>"]
TRUSTS = st.sampled_from(["trusted", "unverified", "untrusted"])
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
SCOPES = ["a", "a/b", "ab", ("a/b",), "c"]
KINDS = ["fact", "episode", "own"]
TAGS = ["x", "y", "z"]
IDS = [f"id {n}" for n in range(6)]
COORDINATES = st.sampled_from([-1.0, 0.0, 0.5, 1.0, 1e-20])
VECTORS = st.lists(COORDINATES, min_size=DIM, max_size=DIM)
FRACTIONS = st.sampled_from([0.0, 0.25, 0.5, 1.0])
METADATA = st.dictionaries(st.sampled_from(["k", "l"]), st.sampled_from([1, 1.0, "1", [1]]), max_size=2)
SETS_OF_TAGS = st.lists(st.sampled_from(TAGS), max_size=2, unique=True)
SCOPES_TO_READ = st.one_of(st.just(ALL), st.sampled_from(SCOPES), st.lists(st.sampled_from(SCOPES), max_size=3))
AGES = st.sampled_from([0, 1, 3600, 86_400 * 5])
RANKINGS = st.sampled_from(
    [
        None,
        Ranking(relevance=1, recency=0, importance=0, usage=0),
        Ranking(relevance=0, recency=0.5, importance=0, usage=0.5, recency_of="created"),
        Ranking(relevance=0.25, recency=0.5, importance=0.25, usage=0, recency_of="event", half_life={"own": "1h"}),
    ]
)


def embed(texts):
    """Directions by word: some texts are alike, some are the same direction in another order."""
    vectors = np.zeros((len(texts), DIM), np.float32)
    for row, text in zip(vectors, texts, strict=True):
        for word in text.lower().replace(".", "").split():
            row[sum(map(ord, word)) % DIM] += 1
    return vectors


class Comparison(RuleBasedStateMachine):
    """Every rule does one operation on both layers and compares what came of it."""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.now = 1_750_000_000.0
        self.steps = itertools.cycle([0, 1, 1])  # some operations share a moment
        retention = Retention(ttl={"episode": "30d", "own": "5d"}, max_memories={"scope": 5, "store": 12}, history="2d")
        options = {"embedder": embed, "embedder_name": "words", "dim": DIM, "clock": lambda: self.now}
        options["retention"] = retention
        self.options = options
        self.handles = [MemoryLayer(self.folder / "a.mem", **options)]
        self.model = MemoryLayer(ModelStore(DIM, "words"), **options)
        self.names = {}  # ids that the native layer made -> those of the model

    def teardown(self):
        for handle in self.handles:
            handle.close()
        shutil.rmtree(self.folder)

    @property
    def native(self):
        return self.handles[-1]

    # What an id is in the other layer, and results in words that both share.

    def known(self, data):
        return data.draw(st.sampled_from(list(self.names) or ["nobody"]), label="id")

    def both(self, work, *ids):
        """Do it on both with their own ids, at one moment; the same results or the same error."""
        self.now += next(self.steps)
        outcomes = []
        for layer, given in ((self.native, ids), (self.model, [self.names.get(one, one) for one in ids])):
            try:
                outcomes.append(("done", work(layer, *given)))
            except (MemoryNotFound, ValueError) as error:
                outcomes.append(("failed", type(error)))
        return outcomes

    def same(self, work, *ids):
        native, model = self.both(work, *ids)
        assert self.plain(native) == self.plain(model, model=True)
        return native

    def plain(self, found, *, model=False):
        ids = {theirs: ours for ours, theirs in self.names.items()} if model else {}
        if hasattr(found, "created_at"):
            fields = {name: getattr(found, name) for name in type(found).__dataclass_fields__}
            fields["id"] = ids.get(found.id, found.id)
            fields["supersedes"] = ids.get(found.supersedes, found.supersedes)
            return fields
        if isinstance(found, (list, tuple)):
            return [self.plain(one, model=model) for one in found]
        return ids.get(found, found) if isinstance(found, str) else found

    def learn(self, native, model):
        for ours, theirs in zip(native, model, strict=True):
            assert ours.action == theirs.action
            if ours.id is not None:
                assert self.names.setdefault(ours.id, theirs.id) == theirs.id

    # Writing

    @rule(
        content=TEXTS,
        scope=st.sampled_from(SCOPES),
        kind=st.sampled_from(KINDS),
        importance=FRACTIONS,
        tags=SETS_OF_TAGS,
        metadata=METADATA,
        trust=TRUSTS,
        embedding=st.one_of(st.none(), VECTORS),
        life=st.one_of(st.none(), st.sampled_from([10, 7200])),
        happened=st.one_of(st.none(), AGES),
        given=st.one_of(st.none(), st.sampled_from(IDS)),
        merge=st.booleans(),
    )
    def remember(self, life, happened, given, merge, **item):
        moments = {
            "expires_at": None if life is None else self.now + life,
            "event_time": None if happened is None else self.now - happened,
        }
        native, model = self.both(lambda layer: layer.remember(**item, **moments, id=given, merge=merge))
        assert native[0] == model[0]
        if native[0] == "done":
            self.learn([native[1]], [model[1]])

    @rule(
        items=st.lists(
            st.fixed_dictionaries(
                {"content": TEXTS, "importance": FRACTIONS, "tags": SETS_OF_TAGS}, optional={"trust": TRUSTS}
            ),
            max_size=6,
        ),
        merge=st.booleans(),
    )
    def remember_many(self, items, merge):
        native, model = self.both(lambda layer: layer.remember_many(items, merge=merge))
        self.learn(native[1], model[1])

    @rule(data=st.data(), content=TEXTS, trust=TRUSTS)
    def supersede(self, data, content, trust):
        old = self.known(data)
        native, model = self.both(lambda layer, old: layer.remember(content, supersedes=old, trust=trust), old)
        assert native[0] == model[0]
        if native[0] == "done":
            self.learn([native[1]], [model[1]])
        else:
            assert native == model

    @rule(
        data=st.data(),
        changes=st.fixed_dictionaries(
            {},
            optional={
                "content": TEXTS,
                "importance": FRACTIONS,
                "kind": st.sampled_from(KINDS),
                "tags": SETS_OF_TAGS,
                "metadata": METADATA,
                "trust": TRUSTS,
                "embedding": VECTORS,
            },
        ),
    )
    def update(self, data, changes):
        self.same(lambda layer, one: layer.update(one, **changes), self.known(data))

    @rule(data=st.data(), useful=st.booleans())
    def feedback(self, data, useful):
        self.same(lambda layer, one: layer.feedback(one, useful), self.known(data))

    @rule(data=st.data(), several=st.booleans())
    def release(self, data, several):
        ids = [self.known(data), self.known(data)] if several else [self.known(data)]
        self.same(lambda layer, *ids: layer.release(ids), *ids)

    @rule(data=st.data(), purge=st.booleans())
    def forget(self, data, purge):
        one = self.known(data)
        self.same(lambda layer, one: layer.forget(one, purge=purge), one)

    @rule(
        scope=SCOPES_TO_READ,
        subtree=st.booleans(),
        conditions=st.fixed_dictionaries(
            {}, optional={"kinds": st.lists(st.sampled_from(KINDS)), "tags": SETS_OF_TAGS}
        ),
        before=st.one_of(st.none(), AGES),
    )
    def forget_where(self, scope, subtree, conditions, before):
        moment = None if before is None else self.now - before
        self.same(lambda layer: layer.forget_where(scope=scope, subtree=subtree, before=moment, **conditions))

    @rule(scope=SCOPES_TO_READ, subtree=st.booleans(), days=st.sampled_from([0, 5, 31]), dry_run=st.booleans())
    def maintain(self, scope, subtree, days, dry_run):
        def let_go(layer):
            done = layer.maintain(scope=scope, subtree=subtree, now=self.now + days * 86_400, dry_run=dry_run)
            return [done.expired, done.pruned, done.evicted, done.ended, done.versions, done.looked_at]

        self.same(let_go)

    @rule(query=TEXTS)
    def context(self, query):
        native, model = (layer.context(query, scope=ALL, mode="dense") for layer in (self.native, self.model))
        ours = self.plain([hit.memory for hit in native.memories])
        assert self.by_id(ours) == self.by_id(self.plain([hit.memory for hit in model.memories], model=True))
        self.native._handle.store.write([], None)  # a write takes the queued touches with it

    @staticmethod
    def by_id(memories):
        """What ties put in the order of ids, which the layers make for themselves."""
        return sorted(memories, key=lambda memory: memory["id"])

    # What must change nothing

    @rule(seconds=st.sampled_from([1, 60, 86_400, -5]))
    def time_passes(self, seconds):
        self.now += seconds

    @rule()
    def reopen(self):
        self.handles.pop().close()
        self.handles.append(MemoryLayer(self.folder / "a.mem", **self.options))

    @rule()
    def compact(self):
        self.native.compact()

    @rule()
    def checkpoint(self):
        self.native.checkpoint()

    @precondition(lambda self: len(self.handles) < 3)
    @rule()
    def open_another_handle(self):
        self.handles.append(MemoryLayer(self.folder / "a.mem", **self.options))

    @rule()
    def go_on_with_another_handle(self):
        self.handles.insert(0, self.handles.pop())

    # Reading

    @rule(
        vector=st.one_of(st.none(), VECTORS),
        scope=SCOPES_TO_READ,
        subtree=st.booleans(),
        limit=st.sampled_from([0, 1, 3, 100]),
        conditions=st.fixed_dictionaries(
            {},
            optional={
                "kinds": st.lists(st.sampled_from(KINDS)),
                "tags": SETS_OF_TAGS,
                "tags_match": st.sampled_from(["any", "all"]),
                "metadata": METADATA,
                "min_trust": st.sampled_from(["untrusted", "unverified", "trusted"]),
                "min_relevance": st.sampled_from([0.0, 0.5, 0.9]),
                "ranking": RANKINGS,
            },
        ),
        since=st.one_of(st.none(), AGES),
        as_of=st.one_of(st.none(), st.sampled_from([0, 1, 2, 3, 5, 61, 90_000])),
    )
    def recall(self, vector, scope, subtree, limit, conditions, since, as_of):
        moments = {"since": since, "as_of": as_of}
        when = {name: self.now - age for name, age in moments.items() if age is not None}
        asked = {"embedding": vector, "scope": scope, "subtree": subtree, **conditions, **when}
        native = self.native.recall(limit=limit, **asked)
        model = self.model.recall(limit=1000, **asked)
        ours = {theirs: our for our, theirs in self.names.items()}
        scores = {ours.get(hit.memory.id, hit.memory.id): hit for hit in model}
        assert len(native) == min(limit, len(model))
        for hit, twin in zip(native, model, strict=False):
            assert hit.score == pytest.approx(twin.score, abs=1e-9)
            twin = scores[hit.memory.id]
            for name in ("score", "relevance", "recency", "importance", "usage", "similarity"):
                assert getattr(hit, name) == pytest.approx(getattr(twin, name), abs=1e-6)
            assert self.plain(hit.memory) == self.plain(twin.memory, model=True)
        assert len({hit.memory.id for hit in native}) == len(native)

    @rule(data=st.data())
    def read_one(self, data):
        one = self.known(data)
        self.same(lambda layer, one: layer.get(one), one)
        self.same(lambda layer, one: layer.history(one), one)
        self.same(lambda layer, one: layer.embeddings(one).tolist(), one)
        self.same(lambda layer, one: one in layer, one)

    @rule(
        scope=SCOPES_TO_READ, subtree=st.booleans(), order=st.sampled_from(["newest", "oldest"]), waiting=st.booleans()
    )
    def list_all(self, scope, subtree, order, waiting):
        where = {"scope": scope, "subtree": subtree, "quarantined": waiting}

        def rows(layer):
            found = layer.list(**where, order=order)
            return [(memory.created_at, memory.quarantined) for memory in found], layer.count(**where)

        self.same(rows)
        native, model = self.both(lambda layer: layer.list(**where))
        plain = [self.plain(native[1]), self.plain(model[1], model=True)]
        assert self.by_id(plain[0]) == self.by_id(plain[1])
        if len(native[1]) > 1:
            pages = self.native.list(**where, limit=1)
            pages += self.native.list(**where, after=pages[0].id)
            assert pages == native[1]

    @initialize()
    def start_empty(self):
        assert self.native.count() == 0

    @invariant()
    def the_stores_hold_the_same(self):
        assert self.native.scopes() == self.model.scopes()
        ours, theirs = self.native.stats(), self.model.stats()
        assert (ours.memories, ours.versions) == (theirs.memories, theirs.versions)
        assert ours.quarantined == theirs.quarantined

    @rule()
    def verify(self):
        report = self.native.verify()
        assert report.ok, report


def test_ids_of_the_model_are_ids_of_the_layer():
    assert not any(map(is_literal, IDS))


TestComparison = Comparison.TestCase
TestComparison.settings = settings(
    max_examples=150,
    stateful_step_count=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
