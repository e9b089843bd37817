import polars as pl
import pytest

from eval_pipeline.foundation.errors import InputError, LineageError
from eval_pipeline.foundation.tables.receipts import RECEIPT
from eval_pipeline.metrics.comparing import Scores, compare_all
from eval_pipeline.metrics.denominators import make_denominator
from eval_pipeline.metrics.sharing import share_questions

SNAPSHOT = {"batch_id": "batch_1", "label_snapshot_id": "labels_1", "contract_id": "ctr_1"}


def side(name, *rows, **changes):
    values = pl.DataFrame(list(rows), schema=["question_id", "value", "arena_id"], orient="row")
    return Scores(name=name, values=values, denominator=make_denominator(values, **{**SNAPSHOT, **changes}))


def the_sides(**changes):
    one = side("image", ("q1", 1.0, "a1"), ("q2", 0.0, "a2"), ("q3", 1.0, "a3"))
    other = side("text", ("q1", 0.0, "a1"), ("q3", 1.0, "other"), ("q4", 1.0, "a4"), **changes)
    return {"image": one, "text": other}


def test_whole_denominators_are_refused_and_the_shared_set_is_compared():
    sides = the_sides()
    with pytest.raises(InputError, match="the questions with a value"):
        compare_all(sides, level=0.95, resamples=100, seed=0)
    shared, restricted = share_questions(sides)
    (pair,) = compare_all(restricted, level=0.95, resamples=100, seed=0)
    assert (pair.n, pair.difference) == (1, 1.0)
    assert shared.question_ids == ("q1",)
    assert dict(shared.left_out) == {"image": 2, "text": 2}
    assert shared.other_candidates == 1


def test_the_set_is_named_by_its_questions():
    one, _ = share_questions(the_sides())
    again, _ = share_questions({"text": the_sides()["text"], "image": the_sides()["image"]})
    assert one.shared_set_id == again.shared_set_id
    assert one.shared_set_id.startswith("shared_")


def test_another_snapshot_stays_refused():
    _, restricted = share_questions(the_sides(label_snapshot_id="labels_2"))
    with pytest.raises(InputError, match=r"differ in the label snapshot \(labels_1 and labels_2\)"):
        compare_all(restricted, level=0.95, resamples=100, seed=0)


def test_nothing_shared_is_said():
    sides = {"a": side("a", ("q1", 1.0, "x")), "b": side("b", ("q1", 1.0, "y"))}
    with pytest.raises(InputError, match="a and b share no question with the same candidates"):
        share_questions(sides)
    with pytest.raises(InputError, match="needs two sides"):
        share_questions({"a": sides["a"]})


def read_sta_03(case_files):
    rows = pl.read_csv(case_files / "STA-03_nan_and_null.csv", schema_overrides={"score": pl.Float64})
    return rows.rename({"score": "value"}).with_columns(arena_id=pl.lit("arena"))


def test_sta_03_nan_is_refused_where_values_are_stored(case_files):
    broken = read_sta_03(case_files).filter(pl.col("value").is_nan())
    (nan,) = broken["value"].to_list()
    row = {name: "x" for name in RECEIPT.schema if RECEIPT.schema[name] == pl.String}
    row |= {"value": nan, "n_candidates": 3, "n_read": 1, "n_unjudged": 0, "is_censored": False}
    with pytest.raises(LineageError, match="value is not finite"):
        RECEIPT.frame([row])


def test_sta_03_a_variant_with_one_value_is_never_ranked_above_one_with_three(case_files):
    """A missing value is counted, means state their n, and means over other questions are not compared."""
    finite = read_sta_03(case_files).filter(pl.col("value").is_finite())
    sides = {
        str(name): Scores(name=str(name), values=part, denominator=make_denominator(part, **SNAPSHOT))
        for (name,), part in finite.group_by("variant")
    }
    assert sorted((name, one.denominator.n) for name, one in sides.items()) == [("image", 1), ("text", 3)]
    with pytest.raises(InputError, match=r"the number of questions \(1 and 3\)"):
        compare_all(sides, level=0.95, resamples=100, seed=0)
    shared, restricted = share_questions(sides)
    (pair,) = compare_all(restricted, level=0.95, resamples=100, seed=0)
    assert (pair.n, len(shared.question_ids), pair.p_value) == (1, 1, 1.0)
    assert pair.interval.low is None
    assert pair.detectable.difference is None
