import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.ordering import order_of, rank_by_score

ROWS = st.lists(
    st.tuples(st.sampled_from("qp"), st.sampled_from("abcdef"), st.sampled_from([0.0, 0.5, 1.0])),
    unique_by=lambda row: row[:2],
    max_size=12,
)


def frame_of(rows):
    return pl.DataFrame(
        rows, schema={"question_id": pl.String, "unit_id": pl.String, "score": pl.Float64}, orient="row"
    )


def test_ties_go_by_unit_id():
    ranked = rank_by_score(frame_of([("q", "b", 0.5), ("q", "a", 0.5), ("q", "c", 0.9), ("p", "z", 0.1)]))
    assert ranked.select("question_id", "unit_id", "rank").rows() == [
        ("p", "z", 1), ("q", "c", 1), ("q", "a", 2), ("q", "b", 3),
    ]  # fmt: skip
    assert ranked.schema["rank"] == pl.Int64


@given(ROWS, st.randoms())
def test_input_order_does_not_matter_and_ranks_have_no_gaps(rows, random):
    shuffled = rows.copy()
    random.shuffle(shuffled)
    ranked = rank_by_score(frame_of(rows))
    assert ranked.equals(rank_by_score(frame_of(shuffled)))
    for _, group in ranked.group_by("question_id"):
        assert group["rank"].to_list() == list(range(1, group.height + 1))


@given(ROWS)
def test_both_orders_agree_with_plain_sorting(rows):
    one = [(unit_id, score) for question_id, unit_id, score in rows if question_id == "q"]
    expected = [unit_id for unit_id, score in sorted(one, key=lambda pair: (-pair[1], pair[0]))]
    units = np.array([unit_id for unit_id, _ in one], dtype=np.str_)
    places = order_of(np.array([score for _, score in one], dtype=np.float32), units)
    ranked = rank_by_score(frame_of(rows)).filter(pl.col("question_id") == "q")
    assert units[places].tolist() == ranked["unit_id"].to_list() == expected


def test_other_groups_can_be_named():
    frame = pl.DataFrame({"run": ["r", "r"], "unit_id": ["a", "b"], "score": [0.1, 0.2]})
    assert rank_by_score(frame, by=("run",))["unit_id"].to_list() == ["b", "a"]
