import hashlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.ids import (
    BUCKETS,
    bucket_of,
    canonical_json,
    content_id,
    hash_bytes,
    hash_file,
    hash_text,
    hash_unit,
    set_id,
    text_id,
)

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        ({"b": 1, "a": [True, None]}, '{"a":[true,null],"b":1}'),
        ((1.0, 0.1, -0.0, 1e300), "[1,0.1,0,1e+300]"),
        ("é", '"é"'),
        ("e\u0301", '"é"'),
        ({"e\u0301": "x"}, '{"é":"x"}'),
        ("\u2028", '"\u2028"'),
    ],
)
def test_canonical_spelling(value, spelled):
    assert canonical_json(value) == spelled


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": [float("-inf")]}])
def test_what_is_not_finite_has_no_spelling(value):
    with pytest.raises(ValueError, match="no canonical spelling"):
        canonical_json(value)


@given(st.dictionaries(st.text(), VALUES, max_size=4))
def test_order_of_keys_does_not_matter(value):
    assert canonical_json(dict(reversed(value.items()))) == canonical_json(value)


@given(VALUES)
def test_spelling_is_stable_under_normalising(value):
    assert unicodedata.is_normalized("NFC", canonical_json(value))


def test_id_is_prefix_and_hash_of_both():
    digest = hashlib.sha256(b'unit\n{"a":1}').hexdigest()
    assert content_id("unit", {"a": 1}) == f"unit_{digest[:20]}"
    assert content_id("page", {"a": 1})[5:] != content_id("unit", {"a": 1})[5:]


@given(st.lists(st.text(max_size=5)), st.randoms())
def test_id_of_a_set_ignores_order_and_repetition(members, random):
    shuffled = members * 2
    random.shuffle(shuffled)
    assert set_id("s", shuffled) == set_id("s", members)
    assert set_id("s", [*members, "one more than 5"]) != set_id("s", members)


def test_hashes_are_sha256(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"abc")
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert hash_file(path) == hash_bytes(b"abc") == hash_text("abc") == expected
    assert hash_text("e\u0301") != hash_text("é"), "text is hashed as it stands"
    assert len(hash_text("\ud800")) == 64, "a lone surrogate out of a damaged file is no reason to stop"


@given(st.text())
def test_bucket_is_one_of_the_sixteen(identity):
    assert bucket_of(identity) in BUCKETS


def test_buckets_are_fixed_and_fill_evenly():
    assert len(BUCKETS) == 16
    # SHA-256 opens with ca978112, 3e23e816, 2e7d2c03
    assert [bucket_of(name) for name in ("a", "b", "c")] == ["02", "06", "03"]
    counts = [sum(bucket_of(str(number)) == bucket for number in range(3200)) for bucket in BUCKETS]
    assert min(counts) > 150
    assert max(counts) < 250


@given(st.integers(), st.lists(st.text(max_size=4), max_size=3))
def test_hash_number_lies_in_the_half_open_unit(seed, parts):
    assert 0 <= hash_unit(seed, *parts) < 1


def test_hash_number_depends_on_seed_and_on_where_parts_end():
    assert hash_unit(1, "a", "b") == hash_unit(1, "a", "b")
    assert len({hash_unit(1, "ab"), hash_unit(1, "a", "b"), hash_unit(2, "ab")}) == 3
    mean = sum(hash_unit(0, str(number)) for number in range(4000)) / 4000
    assert mean == pytest.approx(0.5, abs=0.02)


def test_id_of_a_text_hashes_prefix_and_text_as_they_stand():
    expected = hashlib.sha256("pool\ne\u0301".encode()).hexdigest()[:20]
    assert text_id("pool", "e\u0301") == f"pool_{expected}"
    assert text_id("pool", "\u00e9") != text_id("pool", "e\u0301")
    assert text_id("a", "x") != text_id("b", "x")
