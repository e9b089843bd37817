import polars as pl
import pytest

from eval_pipeline.labels.effective import effective_pools

POOLS = pl.DataFrame({"pool_id": ["p"] * 6, "negative_unit_id": ["a", "b", "c", "d", "e", "a"]})


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
    output = effective_pools(well_posedness=posed(("q", "p", promoted)), pools=POOLS, min_negatives=4)
    row = output.tables["labels.effective_pool"].row(0, named=True)
    assert (row["n_effective"], row["status"]) == (n_effective, status)
    assert output.summary[status] == 1


def test_an_empty_pool_has_no_hard_negatives_and_no_gold_has_no_row() -> None:
    rows = posed(("q1", "empty", "[]"), ("q2", "", "[]"), ("q3", "p", "[]"), ("q3", "p", "[]"))
    output = effective_pools(well_posedness=rows, pools=POOLS, min_negatives=4)
    found = output.tables["labels.effective_pool"]
    assert found.select("question_id", "status").rows() == [("q1", "no_hard_negatives"), ("q3", "enough")]


def test_with_no_minimum_an_empty_pool_is_still_named() -> None:
    output = effective_pools(well_posedness=posed(("q", "empty", "[]")), pools=POOLS, min_negatives=0)
    assert output.tables["labels.effective_pool"]["status"].to_list() == ["no_hard_negatives"]
