"""How many units have the facets that the axes need."""

from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.ids import canonical_json
from eval_pipeline.negatives.coverage import AxisCoverage, count_coverage

AXES = ("period", "metric")


def test_units_are_counted_by_axis_and_once_in_all():
    facets = ['{"metric":"revenue","period":"2024-Q1"}', '{"metric":"revenue"}', "{}"]
    found = count_coverage(facets, AXES)
    assert found == AxisCoverage(n_units=3, missing={"period": 2, "metric": 1}, n_incomplete=2)
    assert found.is_low
    assert found.tell() == (
        "2 of 3 pages (67%) lack a declared facet and take part in no axis: period 67% missing, metric 33% missing"
    )


def test_a_missing_revision_reads_original():
    assert count_coverage(["{}"], ("revision",)).n_incomplete == 0


def test_a_fifth_without_facets_is_not_yet_low():
    facets = ["{}"] * 2 + ['{"period":"2024-Q1","metric":"revenue"}'] * 8
    assert not count_coverage(facets, AXES).is_low
    assert count_coverage(["{}", *facets], AXES).is_low


def test_everything_and_nothing_are_said():
    assert count_coverage(['{"period":"a","metric":"b"}'], AXES).tell() == "each of 1 pages has every declared facet"
    assert count_coverage([], AXES).tell() == "no pages to look at"
    assert not count_coverage([], AXES).is_low


@given(st.lists(st.dictionaries(st.sampled_from(AXES), st.text(max_size=3))))
def test_as_the_slow_count_says(units):
    found = count_coverage([canonical_json(unit) for unit in units], AXES)
    assert found.missing == {axis: sum(axis not in unit for unit in units) for axis in AXES}
    assert found.n_incomplete == sum(any(axis not in unit for axis in AXES) for unit in units)
