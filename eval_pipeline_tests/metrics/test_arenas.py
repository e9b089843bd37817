"""Candidate sets and order-preserving restriction."""

import polars as pl

from eval_pipeline.metrics.arenas import collect_candidates, name_arenas, rank_within, stage_of

ARENAS = pl.DataFrame(
    {
        "question_id": ["q", "q", "q", "r"],
        "arena": ["siblings", "siblings", "random", "siblings"],
        "unit_id": ["s1", "s2", "r1", "g"],
        "axis": ["period", "entity", None, None],
        "rank": [1, 1, None, None],
    }
)
GOLD = pl.DataFrame({"question_id": ["q", "q", "r"], "position": [1, 2, 1], "unit_id": ["g", "h", "g"]})


def test_candidates_are_gold_and_negatives():
    found = collect_candidates(ARENAS, GOLD, arena="siblings")
    assert found["unit_id"].to_list() == ["g", "h", "s1", "s2"]
    assert found["is_gold"].to_list() == [True, True, False, False]
    # r has no negative, so it has no arena.
    assert set(found["question_id"]) == {"q"}
    random = collect_candidates(ARENAS, GOLD, arena="random").filter(~pl.col("is_gold"))
    assert random.select("unit_id", "axis", "rank").rows() == [("r1", "random", 1)]


def test_the_arena_id_covers_units_axis_and_rank_in_any_order():
    one = collect_candidates(ARENAS, GOLD, arena="siblings")
    named = name_arenas(one)
    assert named["n_candidates"].to_list() == [4]
    assert name_arenas(one.reverse()).equals(named)
    moved = one.with_columns(rank=pl.when(pl.col("unit_id") == "s1").then(2).otherwise("rank"))
    assert name_arenas(moved)["arena_id"][0] != named["arena_id"][0]


def test_a_restriction_keeps_the_order():
    rankings = pl.DataFrame(
        {
            "question_id": ["q"] * 5,
            "stage": ["final"] * 5,
            "rank": [1, 2, 3, 4, 5],
            "unit_id": ["x", "s2", "y", "g", "s1"],
            "score": [5.0, 4.0, 3.0, 2.0, 1.0],
        }
    )
    candidates = collect_candidates(ARENAS, GOLD, arena="siblings")
    found = rank_within(rankings, arena="siblings", candidates=candidates)
    assert found.select("unit_id", "rank").rows() == [("s2", 1), ("g", 2), ("s1", 3)]
    assert rank_within(rankings, arena="corpus", candidates=None).height == 5


def test_an_arena_has_its_own_stage_or_the_final_one():
    assert stage_of("siblings", {"final", "arena:siblings"}) == "arena:siblings"
    assert stage_of("random", {"final", "arena:siblings"}) == "final"
    assert stage_of("corpus", {"final"}) == "final"
