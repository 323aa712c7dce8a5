"""Remembering: what is stored, merged, superseded and skipped."""

import numpy as np
import pytest

from hippocore import Guard, MemoryNotFound, SecretRefused


def test_what_was_remembered_comes_back_with_every_field(layer, clock):
    found = layer.remember(
        "Ann likes tea",
        scope="user:ann",
        kind="preference",
        importance=0.8,
        source="chat",
        tags=["drink", "ann", "drink"],
        trust="unverified",
        event_time=100.5,
        expires_at=clock.time + 60,
        metadata={"turn": 3, "nested": {"list": [1, None, True, 1.5]}},
        links=["other"],
    )
    memory = layer.get(found.id)
    assert found.action == "stored"
    assert found.reason is None
    assert (memory.content, memory.scope, memory.kind, memory.source) == (
        "Ann likes tea",
        "user:ann",
        "preference",
        "chat",
    )
    assert (memory.importance, memory.tags, memory.trust) == (0.8, ("drink", "ann"), "unverified")
    assert memory.metadata == {"turn": 3, "nested": {"list": [1, None, True, 1.5]}}
    assert memory.links == ("other",)
    assert memory.event_time.timestamp() == 100.5
    assert memory.expires_at.timestamp() == clock.time + 60
    assert memory.created_at.timestamp() == memory.valid_from.timestamp() == clock.time
    assert (memory.version, memory.use_count, memory.tokens) == (1, 0, 4)
    assert memory.last_used_at is memory.valid_until is memory.supersedes is memory.archived_at is None


@pytest.mark.parametrize("content", ["", " ", "\n\t\u3000"])
def test_empty_or_blank_content_is_refused(layer, content):
    with pytest.raises(ValueError, match="blank"):
        layer.remember(content)
    with pytest.raises(ValueError, match="item 1: content"):
        layer.remember_many([{"content": "good"}, {"content": content}])
    assert layer.count() == 0


@pytest.mark.parametrize(
    "content",
    ["a\0b", "🧠 emoji 👩‍👩‍👧", "שלום مرحبا", "tail\n", "x" * 1_000_000, "e\u0301 é", "\u202eright", "\ufeffbom"],
    ids=["nul", "emoji", "right-to-left", "newline", "megabyte", "combining", "override", "bom"],
)
def test_content_comes_back_byte_for_byte(layer, opened, content):
    found = layer.remember(content)
    assert layer.get(found.id).content.encode() == content.encode()
    layer.close()
    assert opened().recall(content, limit=1)[0].memory.content.encode() == content.encode()


def test_a_lone_surrogate_is_refused_wherever_it_stands_and_never_shown(layer):
    bad = "secret words \ud800"
    places = [{"kind": bad}, {"scope": bad}, {"source": bad}, {"tags": [bad]}, {"links": [bad]}, {"id": bad}]
    places += [{"metadata": {bad: 1}}, {"metadata": {"key": [bad]}}, {"metadata": {"key": {bad: 1}}}]
    for arguments in [{"content": bad}, *({"content": "good", **place} for place in places)]:
        with pytest.raises(ValueError, match="surrogate") as caught:
            layer.remember(**arguments)
        assert "secret words" not in str(caught.value)
    assert layer.count() == 0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Tom has 5 years of Go", "Tom has 6 years of Go"),
        ("Alice owes Bob", "Bob owes Alice"),
        ("Ann is allergic to nuts", "Ann is not allergic to nuts"),
        ("item 17 of 40", "item 18 of 40"),
    ],
)
def test_texts_that_mean_something_else_are_never_merged(layer, first, second):
    layer.remember(first, embedding=np.ones(64))
    assert layer.remember(second, embedding=np.ones(64)).action == "stored"
    assert layer.count() == 2


def test_equal_texts_become_one_memory_and_the_newer_wording_wins(layer, clock, contents):
    first = layer.remember("Ann likes tea", importance=0.4, tags=["a"], metadata={"x": 1, "y": 1}, links=["l"])
    clock.pass_by(10)
    second = layer.remember("ann  likes TEA.", importance=0.3, tags=["b"], metadata={"y": 2}, links=["m"])
    memory = layer.get(first.id)
    assert (second.id, second.action) == (first.id, "merged")
    assert (memory.content, memory.importance, memory.use_count, memory.version) == ("ann  likes TEA.", 0.4, 1, 2)
    assert (memory.tags, memory.metadata, memory.links) == (("a", "b"), {"x": 1, "y": 2}, ("l", "m"))
    assert memory.last_used_at.timestamp() == clock.time
    assert memory.created_at.timestamp() == clock.time - 10
    assert contents(layer.history(first.id)) == ["Ann likes tea", "ann  likes TEA."]
    assert layer.count() == 1


def test_the_very_same_text_makes_no_new_version(layer):
    first = layer.remember("Ann likes tea", importance=0.4)
    layer.remember("Ann likes tea", importance=0.9)
    memory = layer.get(first.id)
    assert (memory.version, memory.use_count, memory.importance) == (1, 1, 0.9)


def test_a_merge_never_shortens_a_life(layer, clock):
    first = layer.remember("Ann likes tea", expires_at=clock.time + 100)
    layer.remember("Ann likes tea", expires_at=clock.time + 50)
    assert layer.get(first.id).expires_at.timestamp() == clock.time + 100
    layer.remember("Ann likes tea")
    assert layer.get(first.id).expires_at is None


def test_similar_texts_with_the_same_words_merge_at_the_embedders_threshold(opened, embed):
    class Strict:
        name, dim, duplicate_threshold = "words", 64, 0.999

        def __call__(self, texts):
            return embed(texts)

    layer = opened(embedder=Strict())
    layer.remember("The cats sleep", embedding=[1.0] + [0.0] * 63)
    assert layer.remember("Cats sleep", embedding=[1.0, 0.1] + [0.0] * 62).action == "stored"
    assert layer.remember("A cat sleeps", embedding=[1.0, 0.101] + [0.0] * 62).action == "merged"
    assert layer.count() == 2


@pytest.mark.parametrize("other", [{"scope": "user:bob"}, {"kind": "fact"}, {"trust": "untrusted"}])
def test_another_scope_kind_or_trust_is_another_memory(layer, other):
    layer.remember("Ann likes tea")
    assert layer.remember("Ann likes tea", **other).action == "stored"
    assert layer.count() == 2


def test_two_equal_texts_without_merging_are_two_and_one_outlives_the_other(layer, contents):
    items = [{"content": "Ann likes tea"}, {"content": "Ann likes tea"}]
    first, second = layer.remember_many(items, merge=False)
    layer.forget(first.id)
    assert contents(layer.recall("Ann likes tea")) == ["Ann likes tea"]
    assert second.id in layer
    assert len({found.id for found in layer.remember_many(items)}) == 1


def test_a_forgotten_memory_is_no_duplicate(layer, contents):
    first = layer.remember("Ann likes tea")
    layer.forget(first.id)
    again = layer.remember("Ann likes tea")
    assert (again.action, again.id != first.id) == ("stored", True)
    assert contents(layer.recall("tea")) == ["Ann likes tea"]


def test_an_expired_memory_is_no_duplicate(layer, clock):
    layer.remember("Ann likes tea", expires_at=clock.time + 5)
    clock.pass_by(5)
    assert layer.remember("Ann likes tea").action == "stored"
    assert layer.count() == 1


def test_the_same_id_with_the_same_content_does_nothing(layer):
    layer.remember("Ann likes tea", id="turn-1", importance=0.4)
    again = layer.remember("Ann likes tea", id="turn-1", importance=0.9)
    assert (again.id, again.action) == ("turn-1", "skipped")
    assert (layer.get("turn-1").importance, layer.get("turn-1").use_count, layer.count()) == (0.4, 0, 1)


def test_the_same_id_with_another_content_is_an_error_that_shows_none(layer):
    layer.remember("Ann likes tea", id="turn-1")
    with pytest.raises(ValueError, match="turn-1") as caught:
        layer.remember("Ann likes coffee", id="turn-1")
    assert "likes" not in str(caught.value)
    with pytest.raises(ValueError, match=r"item 1: .*turn-2"):
        layer.remember_many([{"content": "a", "id": "turn-2"}, {"content": "b", "id": "turn-2"}], merge=False)
    assert layer.count() == 1


@pytest.mark.parametrize(
    "given", ["turn-1", "0123456789abcdef0123456789abcdef", "ABCDEF", "日本", "a" * 500, " ", "\0"]
)
def test_a_given_id_is_the_memorys_id_everywhere(layer, given):
    assert layer.remember("Ann likes tea", id=given).id == given
    assert layer.get(given).id == layer.recall("tea")[0].memory.id == layer.list()[0].id == given
    assert given in layer
    layer.update(given, content="Ann likes coffee")
    assert [memory.id for memory in layer.history(given)] == [given, given]
    assert layer.forget(given) == 1
    assert given not in layer
    assert layer.remember("anew", id=given).action == "stored"
    assert [memory.content for memory in layer.history(given)] == ["anew"]


def test_a_named_memory_never_merges_into_another(layer):
    layer.remember("Ann likes tea", id="a")
    assert layer.remember("Ann likes tea", id="b").action == "stored"
    assert layer.count() == 2


def test_generated_ids_are_hexadecimal_and_sort_by_age(layer, clock):
    found = [layer.remember(f"note {number}", merge=False).id for number in range(3) if clock.pass_by(1)]
    clock.pass_by(1)
    found += [one.id for one in layer.remember_many([{"content": f"more {n}"} for n in range(50)], merge=False)]
    assert found == sorted(found)
    assert all(len(identifier) == 32 and int(identifier, 16) >= 0 for identifier in found)


def test_the_same_batch_one_by_one_or_in_one_call_is_the_same(opened, tmp_path):
    texts = ["Ann likes tea", "ann likes tea.", "Bob owes Ann 5", "Bob owes Ann 6", "ANN LIKES TEA", "Bob owes Ann 5"]
    items = [{"content": text, "importance": 0.1 * n, "tags": [f"t{n}"]} for n, text in enumerate(texts, 1)]
    singly, together = opened(tmp_path / "singly"), opened(tmp_path / "together")
    one_by_one = [singly.remember(**item).action for item in items]
    assert [found.action for found in together.remember_many(items)] == one_by_one

    def seen(layer):
        hits = layer.recall("what does Ann like", limit=10)
        return sorted((h.memory.content, h.memory.tags, h.memory.use_count, h.memory.version, h.score) for h in hits)

    assert seen(singly) == seen(together)
    named = [{"content": text, "id": f"id {n}"} for n, text in enumerate(texts)]
    first, second = opened(tmp_path / "first"), opened(tmp_path / "second")
    for item in named:
        first.remember(**item)
    second.remember_many(named)
    ranked = [[(hit.memory, hit.score) for hit in layer.recall("tea", limit=10)] for layer in (first, second)]
    assert ranked[0] == ranked[1]


def test_a_thousand_items_are_one_commit(layer):
    before = layer.stats().sequence
    found = layer.remember_many([{"content": f"note {number}"} for number in range(1000)], merge=False)
    assert (len({one.id for one in found}), layer.count()) == (1000, 1000)
    assert layer.stats().sequence == before + 1


def test_no_items_are_no_commit(layer):
    before = layer.stats().sequence
    assert layer.remember_many([]) == []
    assert layer.stats().sequence == before


def test_a_wrong_item_is_named_and_nothing_is_written(layer):
    good = {"content": "good"}
    for item, error, words in [
        ({"content": "x", "importance": 2}, ValueError, "item 1: importance"),
        ({"content": "x", "color": 1}, TypeError, "item 1: .*color"),
        ({"scope": "x"}, TypeError, "item 1: .*content"),
        ({"content": "x", "merge": False}, TypeError, "item 1: .*merge"),
        ({"content": "x", "embedding": [1.0, 2.0]}, ValueError, "item 1: .*dimension 2"),
        ({"content": "x", "embedding": [float("nan")] * 64}, ValueError, "item 1: .*NaN"),
        ({"content": "x", "supersedes": "nobody"}, MemoryNotFound, "item 1: .*nobody"),
        ("text", TypeError, "item 1"),
    ]:
        with pytest.raises(error, match=words):
            layer.remember_many([good, item])
    with pytest.raises(TypeError, match="items"):
        layer.remember_many(good)
    assert layer.count() == 0


def test_given_and_made_embeddings_mix_and_progress_is_told(layer, embed):
    told = []
    items = [{"content": f"note {n}", **({"embedding": np.eye(64)[n]} if n % 3 == 0 else {})} for n in range(600 // 10)]
    found = layer.remember_many(items, merge=False, progress=lambda done, total: told.append((done, total)))
    vectors = layer.embeddings([one.id for one in found])
    for n, item in enumerate(items):
        wanted = item.get("embedding", embed([item["content"]])[0])
        np.testing.assert_array_equal(vectors[n], np.float32(wanted))
    assert told[-1] == (60, 60)


def test_superseding_ends_the_old_memory_where_the_new_one_begins(layer, clock, contents):
    old = layer.remember("Ann lives in Rome", kind="fact")
    clock.pass_by(100)
    new = layer.remember("Ann lives in Oslo", kind="fact", supersedes=old.id)
    assert new.action == "superseded"
    assert new.id != old.id
    assert layer.get(new.id).supersedes == old.id
    assert layer.get(old.id).valid_until == layer.get(new.id).valid_from
    assert contents(layer.recall("Ann")) == contents(layer.list()) == ["Ann lives in Oslo"]
    assert contents(layer.history(new.id)) == ["Ann lives in Rome", "Ann lives in Oslo"]
    assert contents(layer.history(old.id)) == ["Ann lives in Rome"]
    assert contents(layer.recall("Ann", as_of=clock.time - 1)) == ["Ann lives in Rome"]
    assert layer.count() == 1


def test_what_is_not_there_or_has_ended_cannot_be_superseded(layer):
    with pytest.raises(MemoryNotFound, match="nobody"):
        layer.remember("new", supersedes="nobody")
    old = layer.remember("old one")
    layer.remember("new one", supersedes=old.id)
    with pytest.raises(ValueError, match="superseded"):
        layer.remember("newer one", supersedes=old.id)
    with pytest.raises(ValueError, match="itself"):
        layer.remember("self", id="self", supersedes="self")
    assert layer.count() == 1


def test_superseding_works_inside_one_batch(layer, contents):
    items = [
        {"content": "Ann lives in Rome", "id": "a"},
        {"content": "Ann lives in Oslo", "id": "b", "supersedes": "a"},
    ]
    assert [found.action for found in layer.remember_many(items)] == ["stored", "superseded"]
    assert contents(layer.list()) == ["Ann lives in Oslo"]
    assert contents(layer.history("b")) == ["Ann lives in Rome", "Ann lives in Oslo"]
    assert [found.action for found in layer.remember_many(items)] == ["skipped", "skipped"]


def test_history_follows_a_chain_of_superseded_memories(layer, contents, clock):
    previous = None
    for number in range(4):
        clock.pass_by(1)
        previous = layer.remember(f"state {number}", supersedes=previous).id
    assert contents(layer.history(previous)) == [f"state {number}" for number in range(4)]


SECRET = "password: hunter2hunter2"


def test_a_secret_is_skipped_and_the_others_of_its_batch_are_stored(layer):
    found = layer.remember_many([{"content": "fine"}, {"content": SECRET}, {"content": "fine too"}])
    assert [one.action for one in found] == ["stored", "skipped", "stored"]
    assert found[1].id is None
    assert "hunter2" not in found[1].reason
    assert layer.remember(SECRET).action == "skipped"
    assert layer.remember("fine", metadata={"password": "hunter2hunter2"}).action == "skipped"
    assert layer.count() == 2


def test_a_secret_raises_where_the_guard_was_asked_to(opened):
    layer = opened(guard=Guard(on_refused="raise"))
    for write in (lambda: layer.remember(SECRET), lambda: layer.remember_many([{"content": SECRET}])):
        with pytest.raises(SecretRefused) as caught:
            write()
        assert "hunter2" not in str(caught.value)
    assert layer.count() == 0


def test_a_redacted_secret_is_stored_without_itself(opened):
    layer = opened(guard=Guard(secrets="redact"))
    memory = layer.get(layer.remember(SECRET, tags=["password=hunter2hunter2"]).id)
    assert "hunter2" not in memory.content + "".join(memory.tags)


def test_the_guard_caps_untrusted_importance_and_skips_the_unimportant(opened):
    layer = opened(guard=Guard(min_importance=0.2))
    assert layer.remember("chatter", importance=0.1).action == "skipped"
    found = layer.remember("says who", importance=0.9, trust="untrusted")
    assert layer.get(found.id).importance == 0.3
    assert layer.update(found.id, importance=0.9).importance == 0.3


def test_none_is_no_tags_and_no_links(layer):
    layer.remember("Ada deploys", id="a", tags=None, links=None)
    layer.remember_many([{"content": "Bob deploys", "id": "b", "tags": None, "links": None}])
    assert [(layer.get(name).tags, layer.get(name).links) for name in "ab"] == [((), ())] * 2


@pytest.mark.parametrize("number", [np.int64, np.int32, np.uint8, np.float32, np.float64, int, float])
def test_a_moment_is_a_number_of_any_kind(layer, number):
    layer.remember("Ada deploys", id="a", event_time=number(64), expires_at=number(100) + np.int64(2_000_000_000))
    assert layer.get("a").event_time.timestamp() == 64


def test_a_moment_is_neither_true_nor_text(layer):
    for wrong in (True, np.True_, "64", b"64", 1j, [64], np.array([64, 65]), np.datetime64(64, "s")):
        with pytest.raises(TypeError, match="event_time must be an aware datetime or seconds since 1970"):
            layer.remember("Ada deploys", event_time=wrong)


def test_only_what_was_measured_is_why(layer):
    layer.remember("Ada deploys")
    (found,) = layer.recall("umbrella", mode="lexical")
    assert "similarity" not in found.why
    assert "words" not in found.why
    (found,) = layer.recall()
    assert found.why.endswith("x 0.10")
    (found,) = layer.recall("Ada deploys", mode="dense")
    assert found.why.endswith("; similarity 1.00")
