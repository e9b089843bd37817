"""Parts of a figure: appearance negatives apart, and the same questions in two arenas."""

import json

import polars as pl
import pytest

from eval_pipeline.foundation.tables.metrics import METRIC
from eval_pipeline.metrics.parts import APPEARANCE, NOT_OF_PARTS, SHARED, main_measure, separate
from eval_pipeline.tasks.contracts import Resampling

SINGLY = Resampling(unit="question", level=0.95, resamples=200, seed=7)
READ = {
    "siblings": {"q1": 1.0, "q2": 0.0, "q3": 0.0, "apart": 1.0, "child": 0.0, "short": None},
    "random": {"q1": 1.0, "q2": 1.0, "q3": 1.0, "apart": 1.0, "naive": 0.0},
    "corpus": {"q1": 0.0, "q2": 0.0, "q3": 1.0, "apart": 0.0, "child": 1.0},
}


def some_values(variant="image", measure="sufficient@1", read=READ):
    rows = [
        {
            "variant": variant,
            "arena": arena,
            "measure": measure,
            "question_id": question,
            "value": value,
            "reason": "scored" if value is not None else "pool_too_small",
            "n_candidates": None if arena == "corpus" else 7,
            "n_unjudged": int(question == "q1"),
            "is_censored": question == "q2",
            "is_apart": question == "apart",
        }
        for arena, values in read.items()
        for question, value in values.items()
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def some_figures(values):
    rows = []
    for (variant, arena, measure), part in values.group_by("variant", "arena", "measure", maintain_order=True):
        row = dict.fromkeys(METRIC.schema) | {
            "metric_id": f"met_{variant}_{arena}_{measure}",
            "arena": arena,
            "slice": "all",
            "slice_value": "all",
            "measure": measure,
            "estimate": part["value"].mean(),
            "reason": "scored",
            "n_questions": part.height,
            "n_scored": part["value"].count(),
            "n_candidates_min": 60 if arena == "corpus" else 7,
            "n_candidates_max": 60 if arena == "corpus" else 7,
            "policy_counts": '{"no_relevant":3}',
            "denominator_id": f"den_{arena}",
            "chance": 0.5,
            "is_late": False,
        }
        rows.append(row | {"variant": variant, "is_control": str(variant).startswith("control-")})
    schema = {**METRIC.schema, "variant": pl.String, "is_control": pl.Boolean}
    return pl.DataFrame(rows, schema=schema)


def laid(values, *, resampling=SINGLY):
    found = separate(some_figures(values), values, main="sufficient", resampling=resampling)
    return {(row["variant"], row["arena"], row["slice"]): row for row in found.iter_rows(named=True)}


def test_questions_with_appearance_negatives_are_no_part_of_the_headline_column():
    rows = laid(some_values())
    ours, apart = rows["image", "siblings", "all"], rows["image", APPEARANCE, "all"]
    assert (ours["estimate"], ours["n_scored"], ours["n_questions"]) == (0.25, 4, 5)
    assert (apart["estimate"], apart["n_scored"], apart["n_questions"]) == (1.0, 1, 1)
    assert ours["metric_id"] == apart["metric_id"] == "met_image_siblings_sufficient@1"
    assert len({ours["denominator_id"], apart["denominator_id"], "den_siblings"}) == 3
    counts = json.loads(ours["policy_counts"])
    assert counts == {
        "no_relevant of the whole figure": 3,
        "unjudged": 1,
        "unretrieved": 1,
        "without value: pool_too_small": 1,
    }


def test_the_same_questions_under_the_same_measure_in_every_arena():
    rows = laid(some_values())
    shared = {arena: rows["image", arena, SHARED] for arena in ("random", "siblings", "corpus")}
    assert {arena: row["n_scored"] for arena, row in shared.items()} == {"random": 3, "siblings": 3, "corpus": 3}
    assert [shared[arena]["estimate"] for arena in shared] == pytest.approx([1.0, 1 / 3, 1 / 3])
    assert shared["siblings"]["interval"] == "wilson"
    assert shared["corpus"]["n_candidates_max"] == 60


def test_without_appearance_negatives_the_stored_figure_stays_as_it_is():
    values = some_values().filter(~pl.col("is_apart"))
    rows = laid(values)
    assert ("image", APPEARANCE, "all") not in rows
    assert rows["image", "siblings", "all"]["denominator_id"] == "den_siblings"


def test_chance_of_a_part_is_what_random_orders_score_on_the_same_questions():
    control = some_values("control-random", read={arena: dict.fromkeys(read, 0.125) for arena, read in READ.items()})
    control = control.with_columns(reason=pl.lit("scored"))
    rows = laid(pl.concat([some_values(), control.filter(pl.col("question_id") != "short")]))
    assert rows["image", "siblings", SHARED]["chance"] == 0.125
    assert rows["image", APPEARANCE, "all"]["chance"] == 0.125


def test_clustered_contracts_get_no_interval_for_a_part():
    rows = laid(some_values(), resampling=Resampling(unit="document", level=0.95, resamples=200, seed=7))
    assert (rows["image", "siblings", SHARED]["low"], rows["image", "siblings", SHARED]["interval"]) == (
        None,
        NOT_OF_PARTS,
    )


def test_no_naive_arena_shares_nothing():
    rows = laid(some_values(read={"siblings": READ["siblings"]}))
    assert not [key for key in rows if key[2] == SHARED]


def test_the_under_specified_slice_counts_acceptable_pages():
    assert main_measure(["neither@5", "acceptable@1"]) == "acceptable"
    assert main_measure(["top@1", "sufficient@1"]) == "sufficient"
