import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.corpus.normalising import fold_entity, fold_text


def test_fold_text_keeps_what_differs() -> None:
    kept = ["007", "7", "1e5", "100000", "true", "NA", "null", "NaN", "01", "1", "Société", "Societe"]
    assert len({fold_text(value) for value in kept}) == len(kept)


def test_fold_text_joins_what_only_looks_different() -> None:
    same = [
        "Operating Income",
        "  operating\u00a0income ",
        "OPERATING  INCOME",
        "Operating\u200b Income",
        "operating\nincome",
    ]
    assert {fold_text(value) for value in same} == {"operating income"}
    assert fold_text("Socie\u0301te\u0301") == fold_text("SOCIÉTÉ") == "société"
    assert fold_text("ﬁscal – Straße") == "fiscal - strasse"


@pytest.mark.parametrize(
    "name",
    [
        *("Acme", "ACME, Inc.", "acme incorporated", "Acme Co., Ltd.", "The Acme Company", "Acme S.p.A."),
        *("Acme & Co. KG", "Acme and Company", "ACME G.m.b.H.", "Acme P.L.C.", "Acme S. A.", "Acme S.\u00e0 r.l."),
        *("Acme A/S", "Acme AB (publ)", "Acme GmbH &amp; Co. KG", "Ａｃｍｅ Corp"),
    ],
)
def test_fold_entity_leaves_out_legal_suffixes(name: str) -> None:
    assert fold_entity(name) == "acme"


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        *[("SE", "se"), ("AMAZON.COM, INC.", "amazon com"), ("AT&T Inc.", "at & t"), ("McDonald\u2019s", "mcdonalds")],
        *[("../../escape", "escape"), ("—", ""), ("Coca-Cola Co", "coca-cola"), ("0070", "0070"), ("NA", "na")],
        *[("The", "the"), ("Société Générale S.A.", "société générale"), ("7-Eleven", "7-eleven")],
    ],
)
def test_fold_entity_gives(name: str, folded: str) -> None:
    assert fold_entity(name) == folded


@pytest.mark.parametrize(
    "names",
    [
        ("AT&T", "AT & T", "AT and T", "AT&amp;T Inc."),
        ("Johnson & Johnson", "JOHNSON AND JOHNSON", "Johnson&Johnson"),
        ("J.P. Morgan & Co.", "J. P. Morgan and Company", "JP Morgan"),
        ("Socie\u0301te\u0301 Ge\u0301ne\u0301rale SA", "Soci\u00e9t\u00e9 G\u00e9n\u00e9rale S.A."),
    ],
)
def test_fold_entity_joins_spellings_of_one_name(names: tuple[str, ...]) -> None:
    assert len({fold_entity(name) for name in names}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\u0939\u093f\u0928\u094d\u0926\u0940", "\u0939\u093f\u0928\u094d\u0926\u0942"),  # one vowel sign of another
        ("Soci\u00e9t\u00e9", "Societe"),
        ("Acme Holdings Inc.", "Acme Inc."),
        ("Acme Inc. and Subsidiaries", "Acme Inc."),
        ("Alphabet Class A", "Alphabet Class C"),
        ("M\u00fcller & S\u00f6hne", "M\u00fcller und S\u00f6hne"),  # for declared synonyms
    ],
)
def test_fold_entity_keeps_names_apart_that_may_be_two(one: str, other: str) -> None:
    assert fold_entity(one) != fold_entity(other)


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold_text(fold_text(text)) == fold_text(text)
    assert fold_entity(fold_entity(text)) == fold_entity(text)


@given(st.text(max_size=40))
def test_composed_and_decomposed_forms_fold_alike(text: str) -> None:
    assert fold_text(unicodedata.normalize("NFD", text)) == fold_text(unicodedata.normalize("NFC", text))
