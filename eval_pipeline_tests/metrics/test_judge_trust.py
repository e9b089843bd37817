"""A judge against people's labels."""

import polars as pl
import pytest

from eval_pipeline.labels.agreement import BOUNDARY
from eval_pipeline.metrics.judge_trust import measure_trust

PAIRS = ["question_id", "unit_id"]


def people(rows: list[tuple[str, str, str]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=[*PAIRS, "grade"], orient="row")


def judge(rows: list[tuple[str, str, str]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=[*PAIRS, "outcome"], orient="row")


NEVER_TWICE = pl.DataFrame(schema={"first": pl.String, "second": pl.String})


def test_worked_example() -> None:
    person = people(
        [
            ("q1", "a", "sufficient"),
            ("q1", "b", "supporting"),
            ("q1", "c", "irrelevant"),
            ("q2", "a", "sufficient"),
            ("q2", "b", "irrelevant"),
            ("q2", "c", "irrelevant"),
        ]
    )
    model = judge(
        [
            ("q1", "a", "sufficient"),
            ("q1", "b", "sufficient"),
            ("q1", "c", "irrelevant"),
            ("q2", "a", "abstain"),
            ("q2", "b", "irrelevant"),
        ]
    )
    twice = pl.DataFrame({"first": ["sufficient", "irrelevant"], "second": ["supporting", "irrelevant"]})
    trust = measure_trust(person=person, model=model, repeated=twice)
    assert (trust.all.n_pairs, trust.n_abstained, trust.n_without) == (4, 1, 1)
    assert trust.all.raw.value == 3 / 4
    # people: 1 sufficient, 1 supporting, 2 irrelevant; judge: 2, 0, 2 of 4; chance (2 + 0 + 4) / 16
    assert trust.all.kappa.value == pytest.approx((3 / 4 - 6 / 16) / (1 - 6 / 16))
    assert (trust.boundary.n_pairs, trust.boundary.raw.value) == (2, 1 / 2)
    assert trust.flips.value == 1 / 2
    assert (trust.kappa_low.value, trust.kappa_low.reason) == (None, "too_few_clusters")


def test_nothing_to_compare_has_a_reason_and_no_number() -> None:
    trust = measure_trust(
        person=people([("q1", "a", "sufficient")]), model=judge([]).cast(pl.String), repeated=NEVER_TWICE
    )
    assert trust.all.raw.value is None
    assert trust.all.raw.reason == "no_audited_pairs"
    assert trust.kappa_low.reason == "no_audited_pairs"
    assert (trust.n_without, trust.flips.reason) == (1, "none_asked_twice")


def test_intervals_hold_the_figure_and_need_fifty_questions() -> None:
    grades = ["sufficient", "supporting", "irrelevant"]
    rows = [
        (f"q{number:02d}", unit, grades[(number + place) % 3])
        for number in range(60)
        for place, unit in enumerate("ab")
    ]
    said = [(q, unit, grades[0] if number % 5 == 0 else grade) for number, (q, unit, grade) in enumerate(rows)]
    trust = measure_trust(person=people(rows), model=judge(said), repeated=NEVER_TWICE)
    for low, figure, high in (
        (trust.all.low, trust.all.raw, trust.all.high),
        (trust.kappa_low, trust.all.kappa, trust.kappa_high),
        (trust.boundary.low, trust.boundary.raw, trust.boundary.high),
    ):
        assert low.value < figure.value < high.value
    on_boundary = sum(grade in BOUNDARY for _, _, grade in rows)
    assert trust.boundary.n_pairs == on_boundary
    again = measure_trust(person=people(rows[::-1]), model=judge(said[::-1]), repeated=NEVER_TWICE)
    assert again == trust


def test_a_judge_that_is_always_right_has_a_constant_and_no_interval() -> None:
    rows = [
        (f"q{number:02d}", unit, grade)
        for number in range(60)
        for unit, grade in (("a", "sufficient"), ("b", "irrelevant"))
    ]
    trust = measure_trust(person=people(rows), model=judge(rows), repeated=NEVER_TWICE)
    assert (trust.all.kappa.value, trust.kappa_low.reason) == (1.0, "constant")
