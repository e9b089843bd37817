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
    ["Acme", "ACME, Inc.", "acme incorporated", "Acme Co., Ltd.", "The Acme Company", "Acme S.p.A.", "Acme & Co. KG"],
)
def test_fold_entity_leaves_out_legal_suffixes(name: str) -> None:
    assert fold_entity(name) == "acme"


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        *[("SE", "se"), ("AMAZON.COM, INC.", "amazon com"), ("AT&T Inc.", "at&t"), ("McDonald\u2019s", "mcdonalds")],
        *[("../../escape", "escape"), ("—", ""), ("Coca-Cola Co", "coca-cola"), ("0070", "0070"), ("NA", "na")],
        *[("The", "the"), ("Société Générale S.A.", "société générale"), ("7-Eleven", "7-eleven")],
    ],
)
def test_fold_entity_gives(name: str, folded: str) -> None:
    assert fold_entity(name) == folded


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold_text(fold_text(text)) == fold_text(text)
    assert fold_entity(fold_entity(text)) == fold_entity(text)


@given(st.text(max_size=40))
def test_composed_and_decomposed_forms_fold_alike(text: str) -> None:
    assert fold_text(unicodedata.normalize("NFD", text)) == fold_text(unicodedata.normalize("NFC", text))
