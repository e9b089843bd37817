"""Where a lost question had its evidence, and where no more."""

import polars as pl

from eval_pipeline.metrics.waterfall import find_displaced, span_scores, trace_losses

SUFFICIENT = pl.DataFrame({"question_id": ["q", "q", "r"], "unit_id": ["g", "h", "g"]})
SCHEMA = {"question_id": pl.String, "stage": pl.String, "rank": pl.Int64, "unit_id": pl.String, "score": pl.Float64}


def rankings(question="q", /, **stages):
    """Lists of one question, a letter a unit; `_` in a stage's name stands for its dot."""
    rows = [
        (question, stage.replace("_", ".").replace("__", ":"), rank, unit, 10.0 / rank)
        for stage, units in stages.items()
        for rank, unit in enumerate(units, 1)
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def losses(**of):
    return pl.DataFrame(
        {"question_id": list(of), "stage_loss": list(of.values())},
        schema={"question_id": pl.String, "stage_loss": pl.String},
    )


RAW = rankings(image_exact="xgh", lexical="abcd", fused="abcdg", eligible="abcdg", final="abcdg")


def test_the_best_unit_is_followed_from_its_list_to_the_stage_that_lost_it():
    row = trace_losses(rankings=RAW, sufficient=SUFFICIENT, losses=losses(q="cut-off")).row(0, named=True)
    assert row == {
        "question_id": "q",
        "stage_loss": "cut-off",
        "unit_id": "g",
        "stage_before": "image.exact",
        "rank_before": 2,
        "stage_after": "final",
        "rank_after": 5,
        "path": "image.exact 2 > lexical – > fused 5 > eligible 5 > final 5",
    }


def test_a_unit_that_is_in_the_merged_list_no_more_has_no_rank_after():
    lists = rankings(image_exact="xgh", lexical="abcd", fused="abcd", eligible="abcd", final="abcd")
    row = trace_losses(rankings=lists, sufficient=SUFFICIENT, losses=losses(q="fusion")).row(0, named=True)
    assert (row["stage_before"], row["rank_before"], row["stage_after"], row["rank_after"]) == (
        "image.exact",
        2,
        "fused",
        None,
    )


def test_what_no_stage_held_has_no_unit():
    lists = rankings(image_exact="ab", final="ab")
    row = trace_losses(rankings=lists, sufficient=SUFFICIENT, losses=losses(q="representation")).row(0, named=True)
    assert (row["unit_id"], row["stage_before"], row["rank_after"], row["path"]) == (None, None, None, None)
    assert row["stage_after"] == "image.exact"


def test_an_index_that_missed_it():
    lists = rankings(image_exact="abg", image_ann="ab", final="ab")
    row = trace_losses(rankings=lists, sufficient=SUFFICIENT, losses=losses(q="neighbour")).row(0, named=True)
    assert (row["stage_after"], row["rank_after"]) == ("image.ann", None)
    assert row["path"] == "image.exact 3 > image.ann – > final –"


def test_nothing_lost_no_row_and_arenas_are_no_stage():
    lists = pl.concat([RAW, rankings().vstack(RAW.with_columns(stage=pl.lit("arena:siblings")))])
    assert trace_losses(rankings=lists, sufficient=SUFFICIENT, losses=losses(q=None)).is_empty()
    assert "arena" not in trace_losses(rankings=lists, sufficient=SUFFICIENT, losses=losses(q="cut-off"))["path"][0]


def test_displaced_by_merging():
    traced = trace_losses(rankings=RAW, sufficient=SUFFICIENT, losses=losses(q="cut-off"))
    found = find_displaced(rankings=RAW, traced=traced, sufficient=SUFFICIENT, k=3)
    assert found.rows() == [("q", "g", "image.exact", 2, 5)]
    assert find_displaced(rankings=RAW, traced=traced, sufficient=SUFFICIENT, k=1).is_empty()  # no list had it first


def test_a_variant_that_merges_nothing_displaces_nothing():
    lists = rankings(image_exact="abg", reranked="abc", final="abc")
    traced = trace_losses(rankings=lists, sufficient=SUFFICIENT, losses=losses(q="rerank"))
    assert find_displaced(rankings=lists, traced=traced, sufficient=SUFFICIENT, k=3).is_empty()
    assert span_scores(lists) == {}


def test_scores_that_stand_first_tell_the_scales():
    many = [rankings(f"q{n}", image_exact="ab", lexical="cd", fused="ab", final="ab") for n in range(3)]
    every = pl.concat(many).with_columns(
        score=pl.when(pl.col("stage") == "lexical").then(pl.col("score") * 3).otherwise(pl.col("score") / 40)
    )
    assert span_scores(every) == {"image.exact": (0.25, 0.25), "lexical": (30.0, 30.0)}


def test_the_merged_list_of_a_part_is_a_list_of_its_own():
    rows = [
        ("q", stage, rank, unit, 1.0 / rank)
        for stage, units in {
            "image.exact": "xyg",
            "lexical": "abc",
            "hybrid:image.exact": "xyg",
            "hybrid:fused": "xga",
            "fused": "abcg",
            "final": "abcg",
        }.items()
        for rank, unit in enumerate(units, 1)
    ]
    lists = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    traced = trace_losses(rankings=lists, sufficient=SUFFICIENT, losses=losses(q="cut-off"))
    assert traced["path"][0] == "image.exact 3 > lexical – > hybrid:fused 2 > fused 4 > final 4"
    assert find_displaced(rankings=lists, traced=traced, sufficient=SUFFICIENT, k=3)["stage"].to_list() == [
        "hybrid:fused"
    ]


def test_the_order_of_rows_changes_nothing():
    turned = trace_losses(rankings=RAW.reverse(), sufficient=SUFFICIENT.reverse(), losses=losses(q="cut-off"))
    assert turned.equals(trace_losses(rankings=RAW, sufficient=SUFFICIENT, losses=losses(q="cut-off")))
