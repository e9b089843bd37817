import polars as pl

from eval_pipeline.labels.pooling import pool_candidates

GOLD = pl.DataFrame({"question_id": ["q"], "unit_id": ["g"], "position": [1]})
NEGATIVES = pl.DataFrame(
    {"question_id": ["q"] * 3, "unit_id": ["n", "n", "m"], "axis": ["period", "entity", "period"], "rank": [1, 2, 2]}
)
RANKINGS = pl.DataFrame(
    {
        "question_id": ["q"] * 4,
        "variant_name": ["text", "text", "image", "image"],
        "rank": [1, 3, 2, 1],
        "unit_id": ["n", "late", "g", "g"],
    }
)


def test_one_row_per_pair_and_source_with_its_best_rank() -> None:
    output = pool_candidates(gold=GOLD, negatives=NEGATIVES, rankings=RANKINGS, depth=2)
    assert output.tables["labels.candidate"].rows() == [
        ("q", "g", "gold", None),
        ("q", "g", "variant:image", 1),
        ("q", "m", "negative:period", 2),
        ("q", "n", "negative:entity", 2),
        ("q", "n", "negative:period", 1),
        ("q", "n", "variant:text", 1),
    ]
    assert output.summary == {"questions": 1, "pairs": 3}


def test_random_negatives_may_be_pooled_as_well() -> None:
    random = pl.DataFrame({"question_id": ["q"], "unit_id": ["r"], "rank": [4]})
    output = pool_candidates(gold=GOLD, negatives=NEGATIVES[:0], rankings=RANKINGS[:0], depth=2, random=random)
    assert output.tables["labels.candidate"].rows() == [("q", "g", "gold", None), ("q", "r", "random", 4)]
