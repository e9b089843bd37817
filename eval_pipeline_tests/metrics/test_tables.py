"""Two columns and the corpus, each with its own questions; no difference between them anywhere."""

import json

import polars as pl

from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.metrics.tables import NO_DIFFERENCE, lay_table


def metric(variant, arena, measure, estimate, *, n_questions=500, n_scored=500, size=7, counts=None, den="d"):
    return {
        "metric_id": f"met_{variant}_{arena}_{measure}",
        "evaluation_id": "evl_1",
        "variant_id": f"var_{variant}",
        "retrieval_run_id": "run_1",
        "arena": arena,
        "slice": "all",
        "slice_value": "all",
        "measure": measure,
        "estimate": estimate,
        "reason": "scored",
        "low": None,
        "high": None,
        "interval": "constant",
        "n_questions": n_questions,
        "n_scored": n_scored,
        "n_candidates_min": size,
        "n_candidates_max": size,
        "policy_counts": json.dumps(counts or {}),
        "denominator_id": den,
        "chance": 1 / size,
        "member_list_id": "lst_1",
        "is_late": False,
        "variant": variant,
    }


def the_table():
    removed = {"without value: answerable": 305, "unjudged": 3}
    kept = {"n_scored": 195, "counts": removed, "den": "e"}
    rows = [
        metric("image", "random", "top@1", 0.98),
        metric("image", "random", "top@5", 1.0),
        metric("image", "siblings", "sufficient@1", 0.2, **kept),
        metric("image", "siblings", "sufficient@5", 0.8, **kept),
        metric("image", "siblings", "supporting_only@5", 0.1, **kept),
        metric("image", "siblings", "neither@5", 0.1, **kept),
        metric("image", "siblings", "top@1", 0.2, **kept),
        metric("control-template", "siblings", "sufficient@1", 0.15, **kept),
        metric("image", "corpus", "sufficient@5", 0.5, size=1000, **kept),
    ]
    columns = {**TABLES["metrics.metric"].schema, "variant": pl.String}
    return lay_table(pl.DataFrame(rows, schema=columns), variant="image")


def test_each_column_has_its_rows_questions_arena_and_what_was_removed():
    table = the_table()
    naive, main, corpus = table.columns
    assert [cell.measure for cell in naive.figures] == ["top@1", "top@5"]
    assert [cell.measure for cell in main.figures] == ["sufficient@1", "sufficient@5", "supporting_only@5", "neither@5"]
    assert (naive.n_questions, naive.n_scored, naive.removed) == (500, 500, {})
    assert (main.n_questions, main.n_scored, main.removed) == (500, 195, {"answerable": 305})
    assert (corpus.size_min, corpus.size_max) == (1000, 1000)
    assert naive.denominator_id != main.denominator_id


def test_no_difference_between_columns_is_shown():
    table = the_table()
    assert table.note == NO_DIFFERENCE
    assert set(table.diagnoses) == {"siblings", "corpus"}
    assert table.diagnoses["siblings"].largest == "ordering"
    assert table.diagnoses["corpus"].largest is None


def test_floor_and_chance_stand_beside_and_five_of_seven_is_no_headline():
    main, corpus = the_table().columns[1:]
    assert (main.figures[0].floor, main.figures[0].chance) == (0.15, 1 / 7)
    assert [cell.is_headline for cell in main.figures] == [True, False, False, False]
    assert corpus.figures[0].is_headline
