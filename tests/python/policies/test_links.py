"""Links: an id with a type and a weight, wherever it comes from and wherever it is kept."""

import copy
import pickle
from dataclasses import asdict, replace

import msgpack
import pytest

import hippocore
from hippocore.extra import pack_extra, unpack_extra
from hippocore.facets import facets_of, link_facet
from hippocore.identifiers import key_of
from hippocore.links import Link, checked_links
from hippocore.records import memory_of
from hippocore.transfer import export_store
from tests.python.policies.transfers import add, into, record, rows

CAUSES = Link("a", type="causes", weight=0.5)


def said(links):
    return [(str(link), link.type, link.weight) for link in links]


def test_a_link_is_its_id_and_says_its_type_and_weight():
    assert hippocore.Link is Link
    assert said([CAUSES, Link("b")]) == [("a", "causes", 0.5), ("b", "related", 1.0)]
    assert CAUSES == "a"
    assert "a" == CAUSES  # noqa: SIM300  (the other order is what is tested)
    assert {"a": 1}[CAUSES] == 1
    assert not CAUSES != "a"  # noqa: SIM202  (a string has a comparison of its own)
    assert CAUSES != 5
    assert repr(CAUSES) == "Link('a', type='causes', weight=0.5)"
    assert f"{CAUSES}" == "a"
    with pytest.raises(AttributeError):
        CAUSES.weight = 1.0


def test_links_to_one_id_differ_by_type_and_weight():
    assert Link("a", "causes", 0.5) == CAUSES
    assert len({CAUSES, Link("a", "causes", 0.5), Link("a", "causes"), Link("a", weight=0.5)}) == 3


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_link_survives_pickling(protocol):
    assert said([pickle.loads(pickle.dumps(CAUSES, protocol))]) == said([CAUSES])


def test_a_link_survives_copying_and_dataclasses(model_store):
    assert said([copy.copy(CAUSES), copy.deepcopy(CAUSES)]) == said([CAUSES, CAUSES])
    store = model_store(3)
    add(store, record("x", "text", extra=unpack_extra(pack_extra(links=[CAUSES], id="x"))))
    memory = memory_of(rows(store)[0])
    assert said(asdict(memory)["links"]) == said(replace(memory, content="other").links) == said([CAUSES])


def test_links_are_said_as_ids_links_and_mappings():
    given = ["a", Link("b", "causes"), {"id": "c"}, {"id": "d", "type": "near", "weight": 1}]
    expected = [("a", "related", 1.0), ("b", "causes", 1.0), ("c", "related", 1.0), ("d", "near", 1.0)]
    assert said(checked_links(given)) == expected
    assert [said(checked_links(alone)) for alone in given] == [[one] for one in expected]
    assert said(checked_links(link for link in given)) == expected


def test_the_stronger_of_equal_links_stays_in_its_place():
    links = checked_links([Link("a", weight=0.2), "b", Link("a", "causes", 0.1), Link("a", weight=0.7), "b"])
    assert said(links) == [("a", "related", 0.7), ("b", "related", 1.0), ("a", "causes", 0.1)]


@pytest.mark.parametrize(
    ("links", "error", "told"),
    [
        (5, TypeError, "list of ids, Links or mappings, not int"),
        (b"a", TypeError, "list of ids, Links or mappings, not bytes"),
        ([5], TypeError, "an id, a Link or a mapping with id, type and weight, not int"),
        ([["a", "causes", 1.0]], TypeError, "a mapping with id, type and weight, not list"),
        ([""], ValueError, "each of links must not be empty"),
        ([{"type": "causes"}], ValueError, "must have an id"),
        ([{"id": "a", "strength": 1}], ValueError, "and nothing else"),
        ([{"id": "a", 5: 1}], ValueError, "and nothing else"),
        ([{"id": 5}], TypeError, "a link's id must be a string, not int"),
        ([{"id": "a", "type": ""}], ValueError, "a link's type must not be empty"),
        ([{"id": "a", "type": None}], TypeError, "a link's type must be a string"),
        ([{"id": "a", "weight": 1.5}], ValueError, "a link's weight must lie between 0 and 1"),
        ([{"id": "a", "weight": float("nan")}], ValueError, "a link's weight must lie between 0 and 1"),
        ([{"id": "a", "weight": True}], TypeError, "a link's weight must be a number"),
    ],
)
def test_a_wrong_link_is_told_what_it_must_be(links, error, told):
    with pytest.raises(error, match=told):
        checked_links(links)


def test_a_plain_link_is_kept_as_before_and_others_as_lists():
    assert pack_extra(links=checked_links(["a"])) == pack_extra(links=["a"]) == msgpack.packb({"links": ["a"]})
    assert pack_extra(links=[CAUSES]) == msgpack.packb({"links": [["a", "causes", 0.5]]})
    assert pack_extra(links=[Link("a", weight=-0.0)]) == pack_extra(links=[Link("a", weight=0)])
    assert said(unpack_extra(pack_extra(links=[CAUSES, "b"])).links) == said([CAUSES, Link("b")])


@pytest.mark.parametrize(
    "kept",
    [
        "", None, 5, b"a", {}, {"id": "a"}, [], ["a"], ["a", "causes"], ["a", "causes", 1], ["a", "causes", True],
        ["a", "causes", 1.5], ["a", "causes", float("nan")], ["a", "", 0.5], ["", "causes", 0.5], ["a", None, 0.5],
        [["a"], "causes", 0.5], ["a", "causes", 0.5, 1], ["a", "related", 1.0], [b"a", "causes", 0.5],
    ],
)  # fmt: skip
def test_what_no_release_keeps_as_a_link_is_refused(kept):
    with pytest.raises(ValueError, match="cannot be read"):
        unpack_extra(msgpack.packb({"links": [kept]}))


def test_a_linked_memory_has_a_facet_for_each_key_it_links_to():
    literal = key_of("a").hex()
    assert facets_of((), {}, [CAUSES, Link("a"), literal, "b"]) == [b"l" + key_of("a"), b"l" + key_of("b")]
    assert link_facet(literal) == link_facet("a")
    assert facets_of(["t"], {}, ()) == [b"tt"]


def test_typed_links_are_exported_and_imported_with_the_same_bytes(model_store, tmp_path):
    store, other = model_store(3), model_store(3)
    links = (Link("plain"), CAUSES, Link("b", weight=0.25))
    add(store, record("x", "text", extra=unpack_extra(pack_extra(links=links, id="x"))))
    export_store(store, tmp_path / "one")
    line = b'"links":["plain",{"id":"a","type":"causes","weight":0.5},{"id":"b","type":"related","weight":0.25}]'
    assert line in (tmp_path / "one").read_bytes()
    assert into(other, tmp_path / "one") == 1
    assert rows(other) == rows(store)
    export_store(other, tmp_path / "two")
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()
    assert [slot.facets for slot in other._slots] == [[link_facet("plain"), link_facet("a"), link_facet("b")]]
