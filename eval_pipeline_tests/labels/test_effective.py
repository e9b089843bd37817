import polars as pl
import pytest

from eval_pipeline.labels.effective import add_status, effective_pools

NEGATIVES = pl.DataFrame({"question_id": ["q"] * 6, "unit_id": ["a", "b", "c", "d", "e", "a"]})


def posed(*rows: tuple[str, str, str]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["question_id", "pool_id", "promoted_unit_ids"], orient="row")


@pytest.mark.parametrize(
    ("promoted", "n_effective", "status"),
    [
        ("[]", 5, "enough"),
        ('["a"]', 4, "enough"),
        ('["a","b"]', 3, "pool_too_small"),
        ('["a","b","not in the pool"]', 3, "pool_too_small"),
        ('["a","b","c","d","e"]', 0, "no_hard_negatives"),
    ],
)
def test_promoted_units_are_taken_out(promoted: str, n_effective: int, status: str) -> None:
    made = effective_pools(well_posedness=posed(("q", "p", promoted)), negatives=NEGATIVES)
    row = add_status(made.tables["labels.effective_pool"], min_negatives=4).row(0, named=True)
    assert (row["n_effective"], row["status"]) == (n_effective, status)


def test_another_minimum_changes_the_status_and_no_row() -> None:
    made = effective_pools(well_posedness=posed(("q", "p", "[]")), negatives=NEGATIVES)
    rows = made.tables["labels.effective_pool"]
    assert add_status(rows, min_negatives=5)["status"].to_list() == ["enough"]
    assert add_status(rows, min_negatives=6)["status"].to_list() == ["pool_too_small"]


def test_an_empty_pool_has_no_hard_negatives_and_no_gold_has_no_row() -> None:
    rows = posed(("q1", "empty", "[]"), ("q2", "", "[]"), ("q", "p", "[]"), ("q", "p", "[]"))
    found = effective_pools(well_posedness=rows, negatives=NEGATIVES).tables["labels.effective_pool"]
    told = add_status(found, min_negatives=0)
    assert told.select("question_id", "status").rows() == [("q", "enough"), ("q1", "no_hard_negatives")]
