"""Exceptions, logs, warnings and reprs carry ids and never content: every error that text can cause is caused here."""

import json
import logging
import math
import traceback
import warnings

import numpy as np
import pytest

from hippocore import CorruptStore, Guard, MemoryLayer, Ranking
from hippocore.changing import UNCHANGED, Changes
from hippocore.drafts import Draft
from hippocore.embedders import CallableEmbedder, OpenAICompatible
from hippocore.errors import EmbedderError
from hippocore.extra import Extra, unpack_extra
from hippocore.guard import Screened
from hippocore.prompt import PromptLine
from hippocore.records import record_of
from hippocore.transfer_lines import read_header, read_version

CANARY = "zanzibar wombat 4711"
LONE = f"{CANARY} \ud800"
SELF_CONTAINED = [CANARY]
SELF_CONTAINED.append(SELF_CONTAINED)


def shown_by(error):
    """All that a traceback, a log or a debugger's summary shows of an exception and of those that it came from."""
    texts = ["".join(traceback.format_exception(error))]
    while error is not None:
        texts += [str(error), repr(error), repr(error.args), repr(vars(error))]
        error = error.__cause__ if error.__cause__ or error.__suppress_context__ else error.__context__
    return "\n".join(texts)


@pytest.fixture(autouse=True)
def _nothing_logged_or_warned(caplog):
    caplog.set_level(logging.DEBUG)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        yield
    assert "wombat" not in caplog.text
    assert not any("wombat" in str(one.message) for one in warned)


@pytest.fixture
def layer(opened):
    handle = opened()
    handle.remember(CANARY, id="known", tags=[CANARY], source=CANARY, metadata={CANARY: CANARY})
    return handle


WRONG_FOR_REMEMBER = {
    "blank content": {"content": " "},
    "content of bytes": {"content": CANARY.encode()},
    "content with a lone surrogate": {"content": LONE},
    "another content under an id": {"content": f"{CANARY} again", "id": "known"},
    "scope of a list": {"scope": [CANARY]},
    "scope with an empty label": {"scope": f"{CANARY}//x"},
    "scope with a lone surrogate": {"scope": LONE},
    "scope of a number in a tuple": {"scope": (CANARY, 1)},
    "kind of a list": {"kind": [CANARY]},
    "kind with a lone surrogate": {"kind": LONE},
    "importance": {"importance": CANARY},
    "importance out of range": {"importance": 2.0},
    "source": {"source": [CANARY]},
    "source with a lone surrogate": {"source": LONE},
    "tags of bytes": {"tags": CANARY.encode()},
    "tags of lists": {"tags": [[CANARY]]},
    "a tag with a lone surrogate": {"tags": [LONE]},
    "trust": {"trust": CANARY},
    "trust of a list": {"trust": [CANARY]},
    "event_time": {"event_time": CANARY},
    "expires_at": {"expires_at": CANARY},
    "metadata of text": {"metadata": CANARY},
    "metadata of a set": {"metadata": {CANARY: {CANARY}}},
    "metadata not finite": {"metadata": {CANARY: [CANARY, math.nan]}},
    "metadata too large": {"metadata": {CANARY: 2**64}},
    "metadata with a lone surrogate": {"metadata": {"a": LONE}},
    "a metadata key with a lone surrogate": {"metadata": {LONE: 1}},
    "an inner key with a lone surrogate": {"metadata": {"a": {LONE: 1}}},
    "a metadata key of bytes": {"metadata": {CANARY.encode(): 1}},
    "an inner key of bytes": {"metadata": {"a": {CANARY.encode(): 1}}},
    "metadata without an end": {"metadata": {"a": SELF_CONTAINED}},
    "links": {"links": [[CANARY]]},
    "a link with a lone surrogate": {"links": [LONE]},
    "id of a list": {"id": [CANARY]},
    "id with a lone surrogate": {"id": LONE},
    "supersedes of a list": {"supersedes": [CANARY]},
    "supersedes nothing": {"supersedes": "unknown"},
    "embedding of text": {"embedding": CANARY},
    "embedding of texts": {"embedding": [CANARY] * 64},
    "embedding of another dimension": {"embedding": np.zeros(3)},
    "embedding not finite": {"embedding": np.full(64, np.nan)},
}


@pytest.mark.parametrize("said", WRONG_FOR_REMEMBER.values(), ids=WRONG_FOR_REMEMBER)
def test_a_wrong_argument_of_remember_is_not_shown(layer, said):
    item = {"content": CANARY, **said}
    for call in (lambda: layer.remember(**item), lambda: layer.remember_many([{"content": "fine"}, item])):
        with pytest.raises((ValueError, TypeError, KeyError)) as caught:
            call()
        assert "wombat" not in shown_by(caught.value)


WRONG_FOR_UPDATE = {
    name: said for name, said in WRONG_FOR_REMEMBER.items() if not {"scope", "id", "supersedes"} & set(said)
}


@pytest.mark.parametrize("said", WRONG_FOR_UPDATE.values(), ids=WRONG_FOR_UPDATE)
def test_a_wrong_argument_of_update_is_not_shown(layer, said):
    with pytest.raises((ValueError, TypeError)) as caught:
        layer.update("known", **said)
    assert "wombat" not in shown_by(caught.value)


@pytest.mark.parametrize(
    "said",
    [
        {"query": LONE},
        {"query": CANARY.encode()},
        {"query": CANARY, "embedding": np.zeros(64)},
        {"query": CANARY, "mode": CANARY},
        {"query": CANARY, "limit": -1},
        {"query": CANARY, "limit": CANARY},
        {"query": CANARY, "scope": ()},
        {"query": CANARY, "kinds": 1},
        {"query": CANARY, "tags": [LONE]},
        {"query": CANARY, "tags_match": CANARY},
        {"query": CANARY, "since": CANARY},
        {"query": CANARY, "min_relevance": CANARY},
        {"query": CANARY, "min_trust": CANARY},
        {"query": CANARY, "metadata": {CANARY: {"$gt": CANARY}}},
        {"query": CANARY, "metadata": {CANARY: {CANARY}}},
        {"query": CANARY, "ranking": CANARY},
        {"embedding": CANARY},
    ],
)
def test_a_wrong_argument_of_recall_and_context_is_not_shown(layer, said):
    for verb in (layer.recall, layer.context):
        with pytest.raises((ValueError, TypeError)) as caught:
            verb(**{key: value for key, value in said.items() if verb == layer.recall or key != "limit"}, **wrong(said))
        assert "wombat" not in shown_by(caught.value)


def wrong(said):
    """What makes a call of context wrong as well where only recall knows the argument."""
    return {"metadata": CANARY} if "limit" in said else {}


@pytest.mark.parametrize(
    "call",
    [
        lambda layer: layer.context(CANARY, budget=-1),
        lambda layer: layer.context(CANARY, strategy=CANARY),
        lambda layer: layer.context(CANARY, diversity=CANARY),
        lambda layer: layer.get("unknown"),
        lambda layer: layer.history("unknown"),
        lambda layer: layer.update("unknown", content=CANARY),
        lambda layer: layer.forget(["known", "unknown"]),
        lambda layer: layer.feedback("unknown", useful=True),
        lambda layer: layer.feedback("known", useful=CANARY),
        lambda layer: layer.list(order=CANARY),
        lambda layer: layer.list(after="unknown"),
        lambda layer: layer.forget_where(scope=[CANARY, 1]),
        lambda layer: layer.remember_many(CANARY),
        lambda layer: layer.remember_many([CANARY]),
        lambda layer: layer.remember_many([{"content": CANARY, "colour": 1}]),
        lambda layer: Ranking(recency_of=CANARY),
        lambda layer: Guard(secrets=CANARY),
        lambda layer: Guard(delimiter=CANARY),
    ],
)
def test_an_error_of_the_other_verbs_shows_no_content(layer, call):
    with pytest.raises((ValueError, TypeError, KeyError)) as caught:
        call(layer)
    assert "wombat" not in shown_by(caught.value)


def test_a_closed_and_a_read_only_handle_show_no_content(layer, opened, path):
    layer.close()
    reader = opened(read_only=True)
    for handle in (layer, reader):
        with pytest.raises(Exception, match=r"closed|read") as caught:
            handle.remember(CANARY)
        assert "wombat" not in shown_by(caught.value)


def fails(texts):
    raise RuntimeError(f"cannot embed {texts}", texts)


def fails_while_failing(texts):
    try:
        fails(texts)
    except RuntimeError as error:
        raise ValueError(texts[0]) from error


@pytest.mark.parametrize("function", [fails, fails_while_failing, lambda texts: texts, lambda texts: [texts, [texts]]])
def test_an_embedder_that_fails_with_the_text_is_not_repeated(opened, function):
    layer = opened(embedder=function, embedder_name="failing", dim=64)
    for call in (
        lambda: layer.remember(CANARY),
        lambda: layer.remember_many([{"content": CANARY}]),
        lambda: layer.recall(CANARY),
        lambda: layer.context(CANARY),
    ):
        with pytest.raises(EmbedderError) as caught:
            call()
        assert "wombat" not in shown_by(caught.value)
    assert layer.count() == 0


def test_a_reembedding_that_fails_with_the_texts_does_not_repeat_them(layer):
    with pytest.raises(EmbedderError) as caught:
        layer.reembed(CallableEmbedder(fails, "failing", dim=8))
    assert "wombat" not in shown_by(caught.value)


EXPORT_HEADER = {"format": "hippocore export", "version": 1, "dim": 64, "embedder": "words", "tokenizer": "estimate"}


@pytest.mark.parametrize(
    "line",
    [
        CANARY.encode(),
        CANARY.encode() + b"\xff",
        json.dumps(CANARY).encode(),
        json.dumps({CANARY: 1}).encode(),
        b'{"%s": 1, "%s": 2}' % (CANARY.encode(), CANARY.encode()),
        b'{"%s": NaN}' % CANARY.encode(),
        b"[" * 100_000 + CANARY.encode(),
        json.dumps({"content": CANARY, "scope": [CANARY]}).encode(),
        *(
            json.dumps({"id": "a", "content": CANARY, name: value}).encode()
            for name, value in [
                ("version", CANARY), ("trust", CANARY), ("flags", [CANARY]), ("tags", CANARY), ("metadata", CANARY),
                ("embedding", CANARY), ("kind", [CANARY]), ("importance", CANARY), ("created_at", CANARY),
            ]
        ),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_imported_is_not_shown(line, opened, tmp_path):
    for read in (read_header, lambda one: read_version(one, 64)):
        with pytest.raises(ValueError, match=r"\w") as caught:
            read(line)
        assert "wombat" not in shown_by(caught.value)
    header = json.dumps({**EXPORT_HEADER, "embeddings": False, "versions": 1}).encode()
    (tmp_path / "export.jsonl").write_bytes(header + b"\n" + line + b"\n")
    with pytest.raises(ValueError, match="line 2") as caught:
        opened().import_(tmp_path / "export.jsonl")
    assert "wombat" not in shown_by(caught.value)


def test_an_import_over_another_content_is_not_shown(layer, opened, tmp_path):
    with opened(tmp_path / "other.mem") as other:
        other.remember(f"{CANARY} again", id="known")
        other.export(tmp_path / "export.jsonl")
    with pytest.raises(ValueError, match="'known' already") as caught:
        layer.import_(tmp_path / "export.jsonl")
    assert "wombat" not in shown_by(caught.value)


@pytest.mark.parametrize("data", [b"\xc1", b"\xa5\xff" + CANARY.encode(), b"\xa1a" + CANARY.encode(), b"\x91\xa1a"])
def test_tags_that_cannot_be_read_are_not_shown(data):
    with pytest.raises(ValueError, match="cannot be read") as caught:
        unpack_extra(data)
    assert "wombat" not in shown_by(caught.value)


def test_a_damaged_content_is_not_shown(layer, path, opened):
    layer.checkpoint()
    layer.close()
    for file in path.rglob("*"):
        if file.is_file() and (place := file.read_bytes().find(CANARY.encode())) >= 0:
            with file.open("r+b") as open_file:
                open_file.seek(place)
                open_file.write(b"Z")
    with pytest.raises(CorruptStore) as caught, opened() as damaged:
        damaged.get("known")
    assert "wombat" not in shown_by(caught.value)


def test_no_repr_shows_content(layer):
    hit = layer.recall(CANARY)[0]
    packed = layer.context(CANARY)
    record = record_of(layer._handle.store.get([hit.key])[0])
    changes = Changes(CANARY, *[UNCHANGED] * 8, CANARY, CANARY)
    for value in (
        layer, hit, hit.memory, packed, packed.skipped, record, record.extra, Extra(tags=(CANARY,)), changes,
        Draft(CANARY, source=CANARY), Screened(CANARY, None, False), PromptLine(CANARY, "fact", hit.memory.created_at),
        layer.remember(CANARY), layer.stats(), layer.verify(), layer._handle, layer.list(), layer.history("known"),
        CallableEmbedder(fails, "failing"), OpenAICompatible("http://localhost/v1", "m", api_key=CANARY),
    ):  # fmt: skip
        assert "wombat" not in f"{value!r} {value}"


def test_a_count_of_tokens_that_is_none_shows_no_content(path, embed):
    with (
        MemoryLayer(path, embedder=embed, embedder_name="words", tokens=lambda text: text) as layer,
        pytest.raises(ValueError, match="token counter") as caught,
    ):
        layer.remember(CANARY)
    assert "wombat" not in shown_by(caught.value)
