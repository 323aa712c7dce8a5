"""No secret reaches the disk or an embedder, by whatever argument and verb it comes."""

import json
import random

import pytest

from hippocore import Guard, SecretRefused
from tests.fabricated_keys import filled

KEY = filled("ghp_<w36>", random.Random(3))
CLEAN = "We met in Berlin."

IN_TEXTS = {
    "content": {"content": f"use {KEY} for it"},
    "source": {"source": f"mail with {KEY}"},
    "tags": {"tags": ["fine", KEY]},
    "metadata": {"metadata": {"note": KEY}},
    "nested metadata": {"metadata": {"a": [{"b": {"c": KEY}}]}},
    "a metadata key": {"metadata": {"a": {KEY: 1}}},
    "a password in metadata": {"metadata": {"login": {"password": "hunter2"}}},
}
IN_NAMES = {
    "scope": {"scope": f"user:ada/{KEY}"},
    "a scope's label": {"scope": ("user", f"agent/{KEY}")},
    "kind": {"kind": KEY},
    "id": {"id": KEY},
    "links": {"links": ["other", KEY]},
    "a type in links": {"links": [{"id": "other", "type": KEY}]},
    "supersedes": {"supersedes": KEY},
}
ALL = IN_TEXTS | IN_NAMES


def bytes_of(path):
    return b"".join(file.read_bytes() for file in path.rglob("*") if file.is_file())


class Listening:
    """An embedder that keeps what it was asked."""

    name, dim = "listening", 64

    def __init__(self, embed):
        self.heard, self.embed = [], embed

    def __call__(self, texts):
        self.heard += texts
        return self.embed(texts)


@pytest.fixture
def listening(embed):
    return Listening(embed)


def assert_nowhere(layer, listening, path):
    layer.checkpoint()
    for secret in (KEY, "hunter2"):
        assert secret.encode() not in bytes_of(path)
        assert not any(secret in text for text in listening.heard)
        assert secret not in layer.context("Where did we meet?", scope=layer_scopes(layer)).text


def layer_scopes(layer):
    return [info.scope for info in layer.scopes()] or "default"


@pytest.mark.parametrize("said", ALL.values(), ids=ALL)
def test_a_memory_with_a_secret_is_skipped_before_it_is_embedded_or_written(opened, listening, path, said):
    layer = opened(embedder=listening)
    outcome = layer.remember(**{"content": CLEAN, **said})
    assert (outcome.id, outcome.action) == (None, "skipped")
    assert "holds a secret" in outcome.reason
    assert KEY not in outcome.reason
    assert listening.heard == []
    assert_nowhere(layer, listening, path)
    assert layer.count() == 0


@pytest.mark.parametrize("said", ALL.values(), ids=ALL)
def test_an_item_with_a_secret_is_skipped_and_the_others_stay(opened, listening, path, said):
    layer = opened(embedder=listening)
    items = [{"content": "first"}, {"content": CLEAN, **said}, {"content": "last"}]
    assert [one.action for one in layer.remember_many(items)] == ["stored", "skipped", "stored"]
    assert listening.heard == ["first", "last"]
    assert_nowhere(layer, listening, path)


@pytest.mark.parametrize("said", IN_TEXTS.values(), ids=IN_TEXTS)
def test_a_secret_in_a_text_is_redacted_before_it_is_embedded_or_written(opened, listening, path, said):
    layer = opened(embedder=listening, guard=Guard(secrets="redact"))
    outcome = layer.remember(**{"content": CLEAN, **said})
    assert outcome.action == "stored"
    memory = layer.get(outcome.id)
    assert "[redacted: " in json.dumps([memory.content, memory.source, memory.tags, memory.metadata])
    assert_nowhere(layer, listening, path)


@pytest.mark.parametrize("secrets", ["refuse", "redact"])
@pytest.mark.parametrize(("name", "said"), IN_NAMES.items(), ids=IN_NAMES)
def test_a_secret_in_a_name_is_refused_and_the_reason_says_in_which(opened, listening, path, name, said, secrets):
    layer = opened(embedder=listening, guard=Guard(secrets=secrets))
    outcome = layer.remember(CLEAN, **said)
    assert outcome.action == "skipped"
    assert outcome.reason == f"holds a secret (GitHub token) in its {name.split()[-1].replace('label', 'scope')}, " + (
        "which cannot be redacted"
    )
    assert_nowhere(layer, listening, path)


@pytest.mark.parametrize("said", ALL.values(), ids=ALL)
def test_a_guard_that_raises_names_the_secret_and_shows_nothing(opened, said):
    layer = opened(guard=Guard(on_refused="raise"))
    with pytest.raises(SecretRefused) as caught:
        layer.remember(**{"content": CLEAN, **said})
    assert KEY not in repr(caught.value)
    with pytest.raises(SecretRefused, match="item 1: ") as caught:
        layer.remember_many([{"content": "first"}, {"content": CLEAN, **said}])
    assert KEY not in repr(caught.value)
    assert layer.count() == 0


UPDATES = {name: said for name, said in ALL.items() if not {"scope", "id", "supersedes"} & set(said)}


@pytest.mark.parametrize("said", UPDATES.values(), ids=UPDATES)
def test_an_update_with_a_secret_raises_before_it_is_embedded_or_written(opened, listening, path, said):
    layer = opened(embedder=listening)
    stored = layer.remember(CLEAN).id
    with pytest.raises(SecretRefused) as caught:
        layer.update(stored, **said)
    assert KEY not in repr(caught.value)
    assert listening.heard == [CLEAN]
    assert layer.get(stored).version == 1
    assert_nowhere(layer, listening, path)


@pytest.mark.parametrize("said", ALL.values(), ids=ALL)
def test_an_import_with_a_secret_writes_nothing(opened, listening, path, tmp_path, said):
    with opened(tmp_path / "other.mem", guard=Guard(secrets="allow")) as other:
        if "supersedes" in said:
            other.remember("before", id=KEY)
        other.remember(**{"content": CLEAN, **said})
        other.export(tmp_path / "export.jsonl", embeddings=False)
    layer = opened(embedder=listening)
    with pytest.raises(SecretRefused, match=r"line [23]: nothing was imported") as caught:
        layer.import_(tmp_path / "export.jsonl")
    assert KEY not in repr(caught.value)
    assert layer.count() == 0
    assert_nowhere(layer, listening, path)


def test_what_was_asked_is_written_nowhere(opened, path):
    layer = opened()
    layer.remember(CLEAN)
    question = "Where is the zanzibar wombat?"
    assert layer.recall(question)
    assert layer.context(question).text
    layer.checkpoint()
    layer.close()
    assert b"wombat" not in bytes_of(path)


def test_a_guard_that_allows_stores_everything_as_it_came(opened):
    layer = opened(guard=Guard(secrets="allow"))
    stored = layer.remember(CLEAN, scope=KEY, tags=[KEY], id=KEY)
    assert layer.get(stored.id).tags == (KEY,)
