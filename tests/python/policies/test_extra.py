"""Tags, metadata, links and given ids as bytes and back."""

import math

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocore.extra import Extra, pack_extra, unpack_extra
from hippocore.links import Link

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
NAMES = WORDS.filter(bool)
LINKS = st.builds(Link, NAMES) | st.builds(Link, NAMES, NAMES, st.floats(0, 1))
EXTRAS = st.builds(
    Extra,
    tags=st.lists(WORDS, max_size=3).map(tuple),
    metadata=st.dictionaries(WORDS, JSON, max_size=3),
    links=st.lists(LINKS, max_size=3).map(tuple),
    supersedes=st.none() | WORDS,
    id=st.none() | WORDS,
)


@given(EXTRAS)
def test_what_is_packed_comes_back_equal(extra):
    assert unpack_extra(pack_extra(*extra)) == extra


@given(EXTRAS)
def test_equal_values_have_equal_bytes_whatever_the_order_of_their_keys(extra):
    turned = extra._replace(metadata=dict(reversed(extra.metadata.items())))
    assert pack_extra(*turned) == pack_extra(*extra)


def test_what_is_empty_is_left_out():
    assert msgpack.unpackb(pack_extra()) == {}
    assert msgpack.unpackb(pack_extra(tags=["a"], id="x")) == {"tags": ["a"], "id": "x"}
    assert unpack_extra(b"") == unpack_extra(pack_extra()) == Extra(metadata={})


def test_values_that_came_back_are_not_shared():
    unpack_extra(pack_extra()).metadata["a"] = 1
    assert unpack_extra(pack_extra()).metadata == {}


def nested(levels):
    value = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("value", [math.nan, math.inf, 2**64, -(2**63) - 1, "\ud800", nested(100)])
def test_metadata_that_cannot_be_kept_is_refused_without_being_shown(value):
    with pytest.raises(ValueError, match="metadata") as caught:
        pack_extra(metadata={"key": value})
    assert "ud800" not in str(caught.value)


@pytest.mark.parametrize("value", [{1, 2}, b"bytes", {1: 2}, object()])
def test_metadata_that_is_no_json_is_refused(value):
    with pytest.raises(TypeError, match="only JSON values"):
        pack_extra(metadata={"key": value})


@pytest.mark.parametrize("data", [b"\xc1", b"\x91", b"\x01", b"\xff" * 10])
def test_damaged_bytes_are_named_as_such(data):
    with pytest.raises(ValueError, match="cannot be read"):
        unpack_extra(data)
