"""What the store is handed in for the lexical leg: the terms of each version's content, by whatever verb it came."""

import pytest

from hippocore import Guard
from hippocore.lexical_terms import document_terms

WORDS, OTHERS = "Ada: the staging database moved", "Ada: the staging database moved again"


class Written(list):
    """Watches a layer's store: (content, terms) of each version that is written."""

    def __init__(self, layer):
        store = layer._session.handle().store
        write = store.write

        def watched(versions, *rest):
            self.extend((version[12], version[15]) for version in versions)
            return write(versions, *rest)

        store.write = watched


@pytest.fixture
def written(layer):
    return Written(layer)


def with_terms(*contents):
    return [(content, document_terms(content)) for content in contents]


@pytest.mark.parametrize("merge", [True, False])
def test_remember_writes_the_terms_of_the_content(layer, written, merge):
    layer.remember(WORDS, merge=merge)
    layer.remember_many([{"content": OTHERS}, {"content": "?!"}], merge=merge)
    assert written == with_terms(WORDS, OTHERS, "?!")
    assert all(terms for _, terms in written[:2])


def test_the_terms_are_those_of_what_the_guard_let_through(opened):
    layer = opened(guard=Guard(secrets="redact"))
    written = Written(layer)
    layer.remember("the password: hunter2correcthorse was changed")
    [(content, terms)] = written
    assert "hunter2" not in content
    assert terms == document_terms(content)


def test_a_merge_and_a_new_version_write_the_terms_of_the_new_wording(layer, written):
    identifier = layer.remember(WORDS).id
    layer.remember(f"{WORDS}!", tags=["new"])
    layer.update(identifier, content=OTHERS)
    layer.update(identifier, tags=["old"])
    assert written == with_terms(WORDS, f"{WORDS}!", OTHERS, OTHERS)


def test_an_import_makes_the_terms_from_the_contents(layer, tmp_path, opened):
    layer.remember_many([{"content": WORDS}, {"content": OTHERS}], merge=False)
    layer.export(tmp_path / "all.jsonl")
    other = opened(tmp_path / "other.mem")
    written = Written(other)
    other.import_(tmp_path / "all.jsonl")
    assert sorted(written) == sorted(with_terms(WORDS, OTHERS))
