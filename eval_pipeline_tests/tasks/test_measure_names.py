"""A measure's name is its whole definition: it prints and parses back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.tasks.measure_names import EXTRACTION_MEASURES, RANKING_MEASURES, MeasureName, parse_measure_name


@given(st.sampled_from(RANKING_MEASURES), st.integers(1, 999_999))
def test_parse_of_print_is_identity(kind, cut):
    name = MeasureName(kind=kind, cut=cut)
    assert parse_measure_name(str(name)) == name


@pytest.mark.parametrize("kind", EXTRACTION_MEASURES)
def test_extraction_measures_have_no_cut_off(kind):
    assert str(parse_measure_name(kind)) == kind
    with pytest.raises(UnknownName, match="without a cut-off"):
        parse_measure_name(f"{kind}@5")


@pytest.mark.parametrize("text", ["", "top", "top@", "top@-1", "top@05", "Top@5", "top@5 ", "nDCG@10", "map"])
def test_anything_else_is_refused(text):
    with pytest.raises(UnknownName, match="is no measure"):
        parse_measure_name(text)
