"""Scopes: whose memory it is, label by label."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocore import ALL
from hippocore.scopes import scope_text, scope_texts

LABELS = [
    "a_b",
    "a%b",
    "a*b",
    "a:b",
    "a\nb",
    "a ",
    " a",
    "a",
    "A",
    "日本語",
    "ß",
    "ss",
    "a\0b",
    "a\0",
    "a/b",
    "a\\b",
    "\\",
    "a\\",
]
LABEL = st.text(st.sampled_from("ab/\\:\n \0é") | st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)


def test_a_subtree_is_read_label_by_label(layer, contents):
    for scope in ("user:1", "user:12", "user:1/agent:a", ("user:1/agent:a",), "user"):
        layer.remember(f"in {scope!r}", scope=scope)
    assert sorted(contents(layer.recall("in", scope="user:1", subtree=True))) == ["in 'user:1'", "in 'user:1/agent:a'"]
    assert contents(layer.recall("in", scope="user:1")) == ["in 'user:1'"]
    assert layer.count(scope="user:1", subtree=True) == 2


def labels_of(text):
    """The labels of a scope's text, read as the module's first lines say."""
    labels, i = [""], 0
    while i < len(text):
        if text[i] == "/":
            labels.append("")
        else:
            i += text[i] == "\\" and text[i + 1 : i + 2] in ("/", "\\")
            labels[-1] += text[i]
        i += 1
    return tuple(labels)


def test_every_label_is_kept_apart_and_compared_exactly(layer):
    for label in LABELS:
        layer.remember("the same text", scope=(label,))
    assert layer.count() == len(LABELS)
    for label in LABELS:
        found = layer.recall("text", scope=(label,))
        assert len(found) == 1
        assert labels_of(found[0].memory.scope) == (label,)


def test_a_tuple_is_one_scope_and_a_list_is_several(layer):
    scopes = [("a", "b:c"), ("a", "b", "c"), ("a/b",), "a/b", "a", "b"]
    for scope in scopes:
        layer.remember("the same text", scope=scope)
    assert layer.count() == 6
    assert len(layer.recall("text", scope=["a", "b"])) == 2
    assert len(layer.recall("text", scope=["a", "a", ("a",)])) == 1
    assert len(layer.recall("text", scope=[])) == 0
    assert len(layer.recall("text", scope=ALL)) == 6
    assert layer.count(scope=[]) == 0
    with pytest.raises(TypeError, match="list"):
        layer.remember("note", scope=["a", "b"])
    with pytest.raises(TypeError):
        layer.remember("note", scope=ALL)


@pytest.mark.parametrize("scope", ["", "/", "a/", "/a", "a//b", (), ("",), ("a", ""), ("a", 5), 5, None, {"a"}])
def test_what_is_no_path_of_labels_is_refused(layer, scope):
    for use in (lambda: layer.remember("note", scope=scope), lambda: layer.recall("note", scope=scope)):
        with pytest.raises((TypeError, ValueError), match="scope"):
            use()
    assert layer.count() == 0


@settings(deadline=None)
@given(st.lists(LABEL, min_size=1, max_size=4).map(tuple))
def test_the_text_of_a_scope_leads_back_to_its_labels(labels):
    text = scope_text(labels)
    assert labels_of(text) == labels
    assert scope_text(text) == text


@settings(deadline=None)
@given(st.lists(LABEL, min_size=1, max_size=3).map(tuple), st.lists(LABEL, min_size=1, max_size=4).map(tuple))
def test_a_scope_lies_below_another_exactly_when_its_text_starts_so(above, below):
    starts = scope_text(below).startswith(scope_text(above) + "/")
    assert starts == (len(below) > len(above) and below[: len(above)] == above)


def test_plain_texts_stay_as_they_were_given():
    for text in ("user:alice/agent:coder", "C:\\dir", "a b\n", "日本/語"):
        assert scope_text(text) == text
    assert scope_text(("a/b", "c\\")) == "a\\/b/c\\\\"
    assert scope_texts(ALL) is None


def test_scopes_are_listed_with_what_lives_in_them(layer, clock):
    layer.remember_many([{"content": f"note {n}", "scope": "b"} for n in range(3)], merge=False)
    gone = layer.remember("note", scope="gone").id
    old = layer.remember("old", scope="a").id
    layer.remember("new", scope="a", supersedes=old)
    layer.remember("brief", scope="c", expires_at=clock.time + 1)
    layer.forget(gone)
    clock.pass_by(2)
    assert [tuple(info) for info in layer.scopes()] == [("a", 1), ("b", 3)]
