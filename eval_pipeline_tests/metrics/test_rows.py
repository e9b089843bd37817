"""Rows carry what measures read."""

import polars as pl
import pytest

from eval_pipeline.metrics.rows import add_running_counts, add_ties, condense, flag_rows

RANKED = pl.DataFrame(
    {
        "question_id": ["q"] * 4,
        "rank": [4, 3, 2, 1],
        "unit_id": ["d", "c", "b", "a"],
        "grade": ["sufficient", None, "supporting", "sufficient"],
        "score": [1.0, 2.0, 2.0, 3.0],
    }
)
NO_SETS = pl.DataFrame(schema={"question_id": pl.String, "joint_set_id": pl.String, "unit_id": pl.String})


def test_flags_and_order():
    rows = flag_rows(RANKED)
    assert rows["unit_id"].to_list() == ["a", "b", "c", "d"]
    assert rows["is_sufficient"].to_list() == [True, False, False, True]
    assert rows["is_judged"].to_list() == [True, True, False, True]
    assert not rows["is_hidden"].any()


def test_condensing_closes_gaps_and_keeps_what_waits():
    rows = flag_rows(RANKED)
    assert condense(rows)["rank"].to_list() == [1, 2, 3]
    waiting = flag_rows(RANKED.with_columns(is_waiting=pl.col("unit_id") == "c"))
    assert condense(waiting).height == 4


def test_joint_rank_is_where_the_first_set_is_whole():
    sets = pl.DataFrame(
        {"question_id": ["q"] * 4, "joint_set_id": ["s", "s", "t", "t"], "unit_id": ["a", "c", "b", "gone"]}
    )
    rows = add_running_counts(flag_rows(RANKED), sets)
    assert set(rows["joint_rank"]) == {3}
    assert add_running_counts(flag_rows(RANKED), NO_SETS)["joint_rank"].null_count() == 4
    assert rows["n_sufficient_so_far"].to_list() == [1, 1, 1, 2]


def test_ties_share_their_flags():
    rows = add_ties(add_running_counts(flag_rows(RANKED), NO_SETS))
    assert rows["tie_size"].to_list() == [1, 2, 2, 1]
    assert rows["share_supporting"].to_list() == [0, 0.5, 0.5, 0]
    assert rows["p_no_supporting"].to_list() == pytest.approx([1, 0.5, 0, 0])
    assert rows["n_sufficient_before"].to_list() == [0, 1, 1, 1]
