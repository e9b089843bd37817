"""The largest gap of a column, in words."""

import pytest

from eval_pipeline.metrics.diagnosis import Gap, diagnose


def figures(*values, denominators=("d",) * 4):
    names = ("sufficient@1", "sufficient@5", "supporting_only@5", "neither@5")
    return {name: Gap(estimate=v, denominator_id=d) for name, v, d in zip(names, values, denominators, strict=True)}


@pytest.mark.parametrize(
    ("values", "largest"),
    [((0.2, 0.7, 0.2, 0.1), "ordering"), ((0.4, 0.5, 0.3, 0.2), "evidence"), ((0.4, 0.5, 0.1, 0.4), "reach")],
)
def test_the_largest_gap_is_named(values, largest):
    found = diagnose(figures(*values))
    assert found.largest == largest
    assert largest in found.sentence
    assert values[0] + sum(found.gaps.values()) == pytest.approx(1)
    assert found.ceiling == values[1]


def test_nothing_missing_is_said():
    assert diagnose(figures(1.0, 1.0, 0.0, 0.0)).largest is None


def test_other_questions_or_missing_values_give_no_diagnosis():
    assert "not means over the same questions" in diagnose(figures(0.1, 0.2, 0.3, 0.5, denominators="dddx")).sentence
    assert "sufficient@5 has no value" in diagnose(figures(0.1, None, 0.3, 0.5)).sentence
    assert diagnose({}).gaps == {}
