from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.labels.exchange.rows import FORMULA_MARKS, quote_formula, unquote_formula


@settings(deadline=None)
@given(st.text())
def test_no_cell_starts_like_a_formula_and_each_comes_back(text):
    quoted = quote_formula(text)
    assert not quoted.startswith(FORMULA_MARKS)
    if not text.startswith(tuple(f"'{mark}" for mark in FORMULA_MARKS)):
        assert unquote_formula(quoted) == text


def test_the_picture_is_named_by_the_unit(out_row):
    assert out_row(unit_id="unit_0").picture_name == "unit_0.webp"
