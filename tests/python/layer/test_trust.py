"""Trust: what untrusted memories may be worth, what they may merge with and end, on every path into a store."""

from __future__ import annotations

import json

import pytest

from hippocore import Guard

TEA = "Alice likes green tea"
TRUSTS = ["untrusted", "unverified", "trusted"]


def live(layer, contents, **asked):
    return sorted(contents(layer.recall(scope="default", **asked)))


def test_only_untrusted_importance_is_capped(layer):
    for trust, importance in zip(TRUSTS, [0.3, 0.9, 0.9], strict=True):
        assert layer.get(layer.remember(TEA, importance=0.9, trust=trust).id).importance == importance
    item = {"content": "in a batch", "importance": 0.9, "trust": "untrusted"}
    assert layer.get(layer.remember_many([item])[0].id).importance == 0.3
    assert layer.get(layer.remember_many([item], merge=False)[0].id).importance == 0.3


def test_an_update_cannot_raise_untrusted_importance_above_the_cap(layer):
    untrusted = layer.remember(TEA, importance=0.1, trust="untrusted").id
    assert layer.update(untrusted, importance=1.0).importance == 0.3
    assert layer.update(untrusted, importance=1.0, content="Alice likes black tea").importance == 0.3
    trusted = layer.remember("Bob likes milk", importance=0.9).id
    assert layer.update(trusted, trust="untrusted").importance == 0.3
    assert layer.update(trusted, trust="trusted").importance == 0.3
    assert layer.update(trusted, importance=0.9).importance == 0.9


def test_feedback_raises_untrusted_importance_to_the_cap_only(layer):
    found = layer.remember(TEA, importance=0.22, trust="untrusted").id
    for expected in (0.27, 0.3, 0.3):
        layer.feedback(found, useful=True)
        assert layer.get(found).importance == pytest.approx(expected)
    layer.feedback(found, useful=False)
    assert layer.get(found).importance == pytest.approx(0.25)
    assert layer.get(found).use_count == 3
    trusted = layer.remember(TEA, importance=0.98).id
    layer.feedback(trusted, useful=True)
    assert layer.get(trusted).importance == 1.0


def test_merging_keeps_to_the_cap_of_the_guard_that_merges(opened, layer):
    found = layer.remember(TEA, importance=0.3, trust="untrusted")
    strict = opened(guard=Guard(untrusted_importance=0.1))
    assert strict.remember(TEA, importance=0.05, trust="untrusted") == (
        found.id,
        "merged",
        "the memory was there already",
    )
    assert strict.get(found.id).importance == 0.1


def test_an_import_caps_what_is_untrusted_and_keeps_the_rest(opened, tmp_path):
    generous = opened(guard=Guard(untrusted_importance=1.0))
    ids = {trust: generous.remember(TEA, importance=0.8, trust=trust).id for trust in TRUSTS}
    generous.update(ids["untrusted"], content="Alice likes black tea")
    generous.export(tmp_path / "export")
    strict = opened(tmp_path / "strict.mem")
    strict.import_(tmp_path / "export")
    assert [strict.get(ids[trust]).importance for trust in TRUSTS] == [0.3, 0.8, 0.8]
    assert [version.importance for version in strict.history(ids["untrusted"])] == [0.3, 0.3]
    assert [strict.get(ids[trust]).trust for trust in TRUSTS] == TRUSTS


@pytest.mark.parametrize("batch", [False, True])
def test_memories_merge_with_those_of_their_own_trust_only(layer, batch):
    items = [{"content": TEA, "trust": trust} for trust in TRUSTS * 2]
    found = layer.remember_many(items) if batch else [layer.remember(**item) for item in items]
    assert [one.action for one in found] == ["stored"] * 3 + ["merged"] * 3
    assert [one.id for one in found[:3]] == [one.id for one in found[3:]]
    assert [layer.get(one.id).trust for one in found[:3]] == TRUSTS


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize(
    ("new", "old"), [("untrusted", "trusted"), ("untrusted", "unverified"), ("unverified", "trusted")]
)
def test_less_trust_never_ends_what_is_trusted_more(layer, contents, new, old, batch):
    old_id = layer.remember("The bank is at 1 Main Street", trust=old).id
    item = {"content": "The bank is at 2 Side Street", "trust": new, "supersedes": old_id}
    found = layer.remember_many([item])[0] if batch else layer.remember(**item)
    assert (found.action, found.reason) == ("quarantined", "it would supersede a memory that is trusted more")
    assert live(layer, contents) == ["The bank is at 1 Main Street"]
    assert layer.get(old_id).valid_until is None
    assert contents(layer.history(found.id)) == ["The bank is at 2 Side Street"]


def test_a_release_lets_it_supersede_what_it_named(layer, clock, contents):
    old = layer.remember("The bank is at 1 Main Street").id
    clock.pass_by(10)
    new = layer.remember("The bank is at 2 Side Street", trust="untrusted", supersedes=old).id
    clock.pass_by(10)
    layer.release(new)
    clock.pass_by(10)
    assert live(layer, contents) == ["The bank is at 2 Side Street"]
    assert live(layer, contents, as_of=clock.time - 15) == ["The bank is at 1 Main Street"]
    assert live(layer, contents, as_of=clock.time - 5) == ["The bank is at 2 Side Street"]
    assert layer.get(old).valid_until == layer.get(new).valid_from
    assert contents(layer.history(new))[0] == "The bank is at 1 Main Street"


@pytest.mark.parametrize("trust", TRUSTS)
def test_equal_or_more_trust_supersedes_at_once(layer, contents, trust):
    old = layer.remember("The bank is at 1 Main Street", trust="untrusted").id
    assert layer.remember("The bank is at 2 Side Street", trust=trust, supersedes=old).action == "superseded"
    assert live(layer, contents) == ["The bank is at 2 Side Street"]


def test_without_a_quarantine_superseding_what_is_trusted_more_is_refused(opened, contents):
    layer = opened(guard=Guard(quarantine="never"))
    old = layer.remember("The bank is at 1 Main Street").id
    with pytest.raises(ValueError, match="trusted more") as caught:
        layer.remember("The bank is at 2 Side Street", trust="untrusted", supersedes=old)
    assert "Street" not in str(caught.value)
    assert live(layer, contents) == ["The bank is at 1 Main Street"]
    assert layer.count() == 1


def test_a_given_id_protects_its_content_from_others(layer):
    layer.remember(TEA, id="tea")
    assert layer.remember(TEA, id="tea", trust="untrusted").action == "skipped"
    with pytest.raises(ValueError, match="another content"):
        layer.remember("Alice likes gin", id="tea", trust="untrusted")
    assert (layer.get("tea").content, layer.get("tea").trust) == (TEA, "trusted")


@pytest.mark.parametrize("trust", TRUSTS)
def test_a_change_of_content_leaves_the_trust(layer, trust):
    found = layer.remember(TEA, trust=trust).id
    assert layer.update(found, content="Alice likes black tea").trust == trust


@pytest.mark.parametrize(("least", "kept"), [(None, 3), ("untrusted", 3), ("unverified", 2), ("trusted", 1)])
def test_min_trust_keeps_less_trusted_ones_out_of_recall_and_context(layer, least, kept):
    layer.remember_many([{"content": TEA, "trust": trust} for trust in TRUSTS])
    wanted = TRUSTS[-kept:]
    assert sorted(hit.memory.trust for hit in layer.recall("tea", min_trust=least)) == sorted(wanted)
    found = layer.context("tea", min_trust=least)
    assert sorted(hit.memory.trust for hit in found.memories) == sorted(wanted)
    shown = [line.partition("] ")[0].rpartition(", ")[2] for line in found.text.splitlines()[2:-1]]
    assert sorted(shown) == sorted(wanted)


def test_an_export_says_the_trust_and_nothing_raises_it(layer, opened, tmp_path):
    layer.remember(TEA, trust="untrusted")
    layer.export(tmp_path / "export")
    assert [json.loads(line)["trust"] for line in (tmp_path / "export").read_text().splitlines()[1:]] == ["untrusted"]
    other = opened(tmp_path / "other.mem")
    other.import_(tmp_path / "export")
    assert [memory.trust for memory in other.list()] == ["untrusted"]
