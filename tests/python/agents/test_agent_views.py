"""Verbs of the whole store, exports, and the life of an agent's layer."""

from __future__ import annotations

import asyncio
import json

import numpy as np
import pytest

from hippocore import AccessDenied, AsyncMemoryLayer, MemoryNotFound, StoreClosed

SEEN_BY_ANN = ["ann", "ann/notes", "shared", "rules"]

# Whole-store verbs, exports


def test_verbs_about_the_whole_store_are_the_owners(owner, ann, tmp_path, embed):
    owner.export(tmp_path / "all")
    refused = {
        "stats": ann.stats,
        "verify": ann.verify,
        "backup": lambda: ann.backup(tmp_path / "copy"),
        "reembed": lambda: ann.reembed(embed),
        "release": lambda: ann.release([]),
        "import_": lambda: ann.import_(tmp_path / "all"),
    }
    for verb, call in refused.items():
        with pytest.raises(AccessDenied, match=f"'ann' may not call {verb}"):
            call()
    assert not (tmp_path / "copy").exists()
    for verb in ("checkpoint", "compact"):
        with pytest.raises(AccessDenied, match=f"may not call {verb}: it is about the whole store"):
            getattr(ann, verb)()


def test_an_export_holds_what_may_be_read_and_counts_nothing_else(owner, ann, bob, memories, tmp_path):
    owner.remember("draft", scope="bob", id="draft")
    bob.remember("final", scope="shared", id="final", supersedes="draft")
    ann.remember("Ann's", scope="ann", id="draft")
    steps = []
    written = ann.export(tmp_path / "ann", progress=lambda *step: steps.append(step))
    header, *lines = map(json.loads, (tmp_path / "ann").read_text().splitlines())
    assert written == header["versions"] == len(lines) == len(SEEN_BY_ANN) + 2
    assert steps[-1] == (written, written)
    assert {line["scope"] for line in lines} == set(SEEN_BY_ANN)
    assert {line["content"]: line["id"] for line in lines}["Ann's"] == "draft"
    assert not any("supersedes" in line or "name" in line for line in lines)


def test_an_export_of_the_owner_keeps_names_and_reads_back_the_same(owner, ann, bob, opened, tmp_path):
    for agent, scope in ((ann, "ann"), (bob, "bob")):
        agent.remember(f"of {scope}", scope=scope, id="note")
    owner.remember("the owner's", scope="rules", id="owner's note")
    owner.export(tmp_path / "first")
    other = opened("other.mem")
    assert other.import_(tmp_path / "first") == 3
    other.export(tmp_path / "second")
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    assert other.as_agent("ann").get("note").content == "of ann"
    assert other.as_agent("bob").get("note").content == "of bob"


# Views


def test_an_agent_stays_who_it_is(ann):
    with pytest.raises(AccessDenied, match="'ann' may not act as 'bob'"):
        ann.as_agent("bob")
    assert ann.as_agent("ann").remember("note", scope="ann").id in ann


def test_closing_an_agents_layer_closes_nothing_else(owner, ann, bob):
    with owner.as_agent("ann") as view:
        view.close()
        with pytest.raises(StoreClosed):
            view.count()
    assert (view.closed, ann.closed, owner.closed) == (True, False, False)
    assert ann.remember("note", scope="ann").id in owner
    owner.close()
    for layer in (owner, ann, bob):
        assert layer.closed
        for verb in (layer.count, layer.list, lambda layer=layer: layer.embeddings([])):
            with pytest.raises(StoreClosed):
                verb()
    with pytest.raises(StoreClosed):
        owner.as_agent("ann")


def test_an_agents_layer_goes_on_with_the_owners_new_embedder(owner, ann):
    note = ann.remember("a note", scope="ann").id

    class Pair:
        name, dim = "pair", 2

        def __call__(self, texts):
            return np.ones((len(texts), 2), np.float32)

    owner.reembed(Pair())
    assert ann.embeddings(note).shape == (1, 2)
    assert ann.remember("another note", scope="ann", merge=False).action == "stored"
    assert len(ann.recall("note", scope="ann")) == 2


def test_a_layer_says_whose_it_is(ann, tmp_path):
    assert repr(ann) == f"MemoryLayer({str(tmp_path / 'agent.mem')!r}, agent='ann')"


def test_a_damaged_memory_out_of_sight_is_like_one_that_does_not_exist(opened, tmp_path, same_error):
    owner = opened("damaged.mem")
    foreign = owner.remember("canary of Bob", scope="bob").id
    mine = owner.remember("canary of Ann", scope="ann").id
    owner.checkpoint()
    owner.close()
    (payload,) = (tmp_path / "damaged.mem").glob("payload-*")
    payload.write_bytes(payload.read_bytes().replace(b"canary of", b"canary 0f"))
    ann = opened("damaged.mem").as_agent("ann")
    assert same_error((ann.get, foreign), (ann.get, "nothing")) is MemoryNotFound
    with pytest.raises(Exception, match=r"damaged|checksum"):
        ann.get(mine)


def test_agents_of_an_async_layer_have_the_same_rights(tmp_path, embed, policy):
    async def session():
        options = {"embedder": embed, "embedder_name": "letters", "dim": 4, "policy": policy}
        async with await AsyncMemoryLayer.open(tmp_path / "async.mem", **options) as owner:
            async with await owner.as_agent("ann") as ann:
                note = (await ann.remember("note", scope="ann")).id
                with pytest.raises(AccessDenied, match="'bob'"):
                    await ann.recall(scope="bob")
            assert (ann.closed, owner.closed) == (True, False)
            bob = await owner.as_agent("bob")
            with pytest.raises(MemoryNotFound):
                await bob.get(note)
        with pytest.raises(StoreClosed):
            await bob.count()

    asyncio.run(session())
