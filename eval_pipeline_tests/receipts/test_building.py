"""Receipts of a small evaluation that can be checked by eye."""

import json
from dataclasses import dataclass

import polars as pl
import pytest

from eval_pipeline.foundation.errors import InputError, MeasureUndefined
from eval_pipeline.receipts.building import build_receipts
from eval_pipeline.tasks.contracts import parse_contract

CONTRACT = {
    "task": "small",
    "relation": "evidence",
    "query_form": "question text",
    "answer_unit": "page",
    "questions": {"slice": "main"},
    "judgment": {"grades": ["sufficient", "supporting", "irrelevant"], "judge": "text"},
    "measures": ["top@1", "sufficient@1", "sufficient@3", "supporting_only@1", "neither@3", "ap@3", "judged@3"],
    "arenas": ["random", "siblings", "corpus"],
    "depth": 10,
    "limit": 5,
    "policies": {
        "unjudged": "irrelevant",
        "no_relevant": "exclude",
        "missing_question": "zero",
        "unretrieved": "below",
        "answerable_distractor": "drop",
    },
    "slices": ["axis"],
    "resampling": {"unit": "question", "level": 0.95, "resamples": 500, "seed": 7},
    "asked_as": {"clearance": "restricted", "groups": []},
}


@dataclass(frozen=True, kw_only=True)
class AVariant:
    variant_id: str = "var_1"
    name: str = "image"
    is_control: bool = False


def a_contract(**changes):
    return parse_contract({**CONTRACT, **changes}, path="small.yaml")


def frame(schema, rows):
    types = {"rank": pl.Int64, "position": pl.Int64, "score": pl.Float64}
    return pl.DataFrame(rows, schema={name: types.get(name, pl.String) for name in schema.split()}, orient="row")


def the_inputs(**changes):
    """Two questions; q1's gold g1 is first among random pages and second among its siblings."""
    inputs = {
        "contract": a_contract(),
        "variant": AVariant(),
        "retrieval_run_id": "run_1",
        "questions": frame("question_id axis", [("q1", "period"), ("q2", "entity")]),
        "gold": frame("question_id position unit_id", [("q1", 1, "g1"), ("q2", 1, "g2")]),
        "arenas": frame(
            "question_id arena unit_id axis rank",
            [
                ("q1", "siblings", "s1", "period", 1),
                ("q1", "siblings", "s2", "entity", 1),
                ("q2", "siblings", "s3", "period", 1),
                ("q2", "siblings", "s4", "entity", 1),
                ("q1", "random", "r1", "random", 1),
                ("q1", "random", "r2", "random", 2),
                ("q2", "random", "r3", "random", 1),
                ("q2", "random", "r4", "random", 2),
            ],
        ),
        "rankings": frame(
            "question_id stage rank unit_id score",
            [
                *[("q1", "final", n + 1, unit, 9.0 - n) for n, unit in enumerate(["s1", "g1", "r1", "s2", "r2"])],
                *[("q2", "final", n + 1, unit, 9.0 - n) for n, unit in enumerate(["g2", "s3", "r3", "s4", "r4"])],
            ],
        ),
        "labels": frame(
            "question_id unit_id grade label_id author_kind state",
            [
                ("q1", "g1", "sufficient", "lbl_1", "judge", "pre-label"),
                ("q1", "s1", "supporting", "lbl_2", "judge", "pre-label"),
                ("q1", "s2", "irrelevant", "lbl_3", "judge", "pre-label"),
                ("q2", "g2", "sufficient", "lbl_4", "human", "adjudicated"),
                ("q2", "s3", "irrelevant", "lbl_5", "judge", "pre-label"),
            ],
        ),
        "pools": frame("question_id pool_id", [("q1", "pool_1"), ("q2", "pool_2")]),
        "evaluation_id": "evl_1",
        "batch_id": "batch_1",
        "label_snapshot_id": "labels_1",
        "question_set_id": "qset_1",
        "is_late": False,
        "corpus_units": frame("unit_id", [(f"{kind}{n}",) for kind in "gsr" for n in (1, 2, 3, 4)]),
    }
    return {**inputs, **changes}


def estimates(output, arena, slice_value="all"):
    rows = output.tables["metrics.metric"].filter(pl.col("arena") == arena, pl.col("slice_value") == slice_value)
    return dict(rows.select("measure", "estimate").iter_rows())


def test_every_number_is_right():
    output = build_receipts(**the_inputs())
    assert estimates(output, "random") == {
        "top@1": 1.0,
        "sufficient@1": 1.0,
        "sufficient@3": 1.0,
        "supporting_only@1": 0.0,
        "neither@3": 0.0,
        "ap@3": 1.0,
        "judged@3": pytest.approx(1 / 3),
    }
    assert estimates(output, "siblings") == {
        "top@1": 0.5,
        "sufficient@1": 0.5,
        "sufficient@3": 1.0,
        "supporting_only@1": 0.5,
        "neither@3": 0.0,
        "ap@3": 0.75,
        "judged@3": pytest.approx((1 + 2 / 3) / 2),
    }
    assert estimates(output, "corpus")["judged@3"] == pytest.approx(2 / 3)
    assert estimates(output, "siblings", "period")["top@1"] == 0.0
    assert estimates(output, "siblings", "entity")["top@1"] == 1.0


def test_a_receipt_holds_what_it_rests_on():
    tables = build_receipts(**the_inputs()).tables
    receipt = tables["receipts.receipt"].filter(
        (pl.col("question_id") == "q1") & (pl.col("arena") == "siblings") & (pl.col("measure") == "supporting_only@1")
    )
    row = receipt.row(0, named=True)
    assert (row["value"], row["reason"], row["n_candidates"], row["n_read"], row["pool_id"]) == (
        1,
        "scored",
        3,
        1,
        "pool_1",
    )
    of = pl.col("receipt_id") == row["receipt_id"]
    assert tables["receipts.receipt_unit"].filter(of).rows() == [(row["receipt_id"], 1, "s1")]
    assert set(tables["receipts.receipt_label"].filter(of)["label_id"]) == {"lbl_1", "lbl_2"}
    negatives = tables["receipts.receipt_negative"].filter(of).select("negative_unit_id", "axis", "rank").rows()
    assert negatives == [("s1", "period", 1), ("s2", "entity", 1)]


def test_figures_carry_denominators_sizes_and_chance():
    tables = build_receipts(**the_inputs()).tables
    row = (
        tables["metrics.metric"]
        .filter((pl.col("arena") == "siblings") & (pl.col("measure") == "sufficient@1") & (pl.col("slice") == "all"))
        .row(0, named=True)
    )
    assert (row["n_questions"], row["n_scored"], row["n_candidates_min"], row["n_candidates_max"]) == (2, 2, 3, 3)
    assert row["chance"] == pytest.approx(1 / 3)
    assert row["interval"] == "wilson"
    members = tables["receipts.member_list"].filter(pl.col("list_id") == row["member_list_id"])
    assert len(json.loads(members.item(0, "receipt_ids"))) == 2
    other = tables["metrics.metric"].filter(
        (pl.col("arena") == "random") & (pl.col("measure") == "sufficient@1") & (pl.col("slice") == "all")
    )
    assert other.item(0, "denominator_id") != row["denominator_id"]


def test_the_order_of_rows_does_not_matter():
    inputs = the_inputs()
    turned = {name: value.reverse() if isinstance(value, pl.DataFrame) else value for name, value in inputs.items()}
    one, other = build_receipts(**inputs), build_receipts(**turned)
    for name in one.tables:
        assert one.tables[name].equals(other.tables[name]), name


def test_a_night_that_changes_nothing_for_a_question_adds_no_receipt():
    first = build_receipts(**the_inputs()).tables
    inputs = the_inputs(
        batch_id="batch_2",
        retrieval_run_id="run_2",
        evaluation_id="evl_2",
        label_snapshot_id="labels_2",
        corpus_units=pl.concat([the_inputs()["corpus_units"], frame("unit_id", [("new",)])]),
    )
    second = build_receipts(**inputs).tables
    for name in first:
        if name.startswith("receipts."):
            assert first[name].equals(second[name]), name
    assert set(first["metrics.metric"]["metric_id"]).isdisjoint(second["metrics.metric"]["metric_id"])


def test_a_new_label_changes_the_receipts_that_rest_on_it_and_no_other():
    first = build_receipts(**the_inputs()).tables["receipts.receipt"]
    labels = the_inputs()["labels"].with_columns(
        label_id=pl.when(pl.col("label_id") == "lbl_3").then(pl.lit("lbl_9")).otherwise("label_id")
    )
    second = build_receipts(**the_inputs(labels=labels)).tables["receipts.receipt"]
    new = second.join(first, on="receipt_id", how="anti")
    assert set(new["question_id"]) == {"q1"}
    # s2 is third among siblings and fourth in the corpus.
    assert set(new["measure"]) == {"sufficient@3", "neither@3", "ap@3", "judged@3"}
    assert set(new["arena"]) == {"siblings"}


def test_a_pair_that_waits_for_its_judge_leaves_the_question_without_a_value():
    waiting = frame("question_id unit_id", [("q1", "r1")])
    tables = build_receipts(**the_inputs(waiting=waiting)).tables
    rows = tables["receipts.receipt"].filter((pl.col("question_id") == "q1") & (pl.col("arena") == "corpus"))
    reasons = dict(rows.select("measure", "reason").iter_rows())
    assert reasons["sufficient@3"] == "waiting"
    assert reasons["sufficient@1"] == "scored"
    assert reasons["top@1"] == "scored"
    counts = tables["metrics.metric"].filter(
        (pl.col("arena") == "corpus") & (pl.col("measure") == "sufficient@3") & (pl.col("slice") == "all")
    )
    assert (counts.item(0, "n_questions"), counts.item(0, "n_scored")) == (2, 1)
    assert json.loads(counts.item(0, "policy_counts"))["without value: waiting"] == 1


def test_exclusions_are_counted_and_may_hold_in_one_arena():
    excluded = frame("question_id arena reason", [("q1", "siblings", "pool_too_small")])
    output = build_receipts(**the_inputs(excluded=excluded))
    assert estimates(output, "siblings")["top@1"] == 1.0
    assert estimates(output, "random")["top@1"] == 1.0
    receipts = output.tables["receipts.receipt"].filter(pl.col("reason") == "pool_too_small")
    assert set(receipts["arena"]) == {"siblings"}
    assert receipts["value"].null_count() == receipts.height == 7
    everywhere = build_receipts(**the_inputs(excluded=excluded.drop("arena")))
    assert set(everywhere.tables["receipts.receipt"].filter(pl.col("reason") == "pool_too_small")["arena"]) == {
        "random",
        "siblings",
        "corpus",
    }


def test_questions_without_gold_count_in_the_corpus_only_and_have_no_top():
    inputs = the_inputs()
    gold = inputs["gold"].filter(pl.col("question_id") == "q1")
    arenas = inputs["arenas"].filter(pl.col("question_id") == "q1")
    tables = build_receipts(**the_inputs(gold=gold, arenas=arenas)).tables
    reasons = tables["receipts.receipt"].filter(pl.col("question_id") == "q2")
    assert set(reasons.filter(pl.col("arena") != "corpus")["reason"]) == {"no_gold"}
    corpus = dict(reasons.filter(pl.col("arena") == "corpus").select("measure", "reason").iter_rows())
    assert corpus["top@1"] == "no_gold"
    assert corpus["sufficient@1"] == "scored"


def test_an_empty_answer_is_not_a_question_that_was_not_run():
    rankings = the_inputs()["rankings"].filter(pl.col("question_id") == "q1")
    answered = frame("question_id stage", [("q1", "final"), ("q2", "final")])
    exclude = {**CONTRACT["policies"], "missing_question": "exclude"}
    contract = a_contract(policies=exclude)
    empty = build_receipts(**the_inputs(rankings=rankings, answered=answered, contract=contract))
    missing = build_receipts(**the_inputs(rankings=rankings, contract=contract))
    assert estimates(empty, "corpus")["sufficient@3"] == 0.5
    assert estimates(missing, "corpus")["sufficient@3"] == 1.0
    q2 = empty.tables["receipts.receipt"].filter((pl.col("question_id") == "q2") & (pl.col("arena") == "corpus"))
    reasons = dict(q2.select("measure", "reason").iter_rows())
    assert reasons["judged@3"] == "nothing_ranked"
    assert q2["is_censored"].all()


def test_a_scored_arena_is_read_before_a_restriction():
    rankings = pl.concat(
        [
            the_inputs()["rankings"],
            frame(
                "question_id stage rank unit_id score",
                [("q1", "arena:siblings", n + 1, unit, 3.0 - n) for n, unit in enumerate(["g1", "s1", "s2"])],
            ),
        ]
    )
    output = build_receipts(**the_inputs(rankings=rankings))
    q1 = output.tables["receipts.receipt"].filter(
        (pl.col("question_id") == "q1") & (pl.col("arena") == "siblings") & (pl.col("measure") == "top@1")
    )
    assert q1["value"].to_list() == [1.0]


def test_controls_are_expectations_and_rank_no_corpus():
    inputs = the_inputs()
    rows = [
        (question, f"arena:{arena}", rank + 1, unit, 0.0)
        for question, arena, units in [
            ("q1", "siblings", ["g1", "s1", "s2"]),
            ("q2", "siblings", ["g2", "s3", "s4"]),
            ("q1", "random", ["g1", "r1", "r2"]),
            ("q2", "random", ["g2", "r3", "r4"]),
        ]
        for rank, unit in enumerate(units)
    ]
    control = AVariant(name="control-random", is_control=True)
    output = build_receipts(
        **{**inputs, "variant": control, "rankings": frame("question_id stage rank unit_id score", rows)}
    )
    assert set(output.tables["metrics.metric"]["arena"]) == {"random", "siblings"}
    found = estimates(output, "siblings")
    assert found["top@1"] == pytest.approx(1 / 3)
    assert found["sufficient@3"] == 1.0
    assert found["supporting_only@1"] == pytest.approx(1 / 6)
    metrics = output.tables["metrics.metric"].filter(pl.col("measure") == "sufficient@1")
    assert metrics["chance"].to_list() == pytest.approx(metrics["estimate"].to_list())
    # A control's receipt rests on every unit that shares a score with one of its first k.
    assert set(output.tables["receipts.receipt"]["n_read"]) == {3}


def test_lost_questions_name_the_stage_in_the_corpus():
    inputs = the_inputs()
    rankings = pl.concat(
        [
            inputs["rankings"].filter((pl.col("question_id") != "q1") | (pl.col("unit_id") != "g1")),
            frame(
                "question_id stage rank unit_id score",
                [("q1", "image.exact", 1, "g1", 1.0), ("q1", "fused", 1, "s1", 1.0), ("q1", "eligible", 1, "s1", 1.0)],
            ),
        ]
    )
    receipts = build_receipts(**{**inputs, "rankings": rankings}).tables["receipts.receipt"]
    lost = receipts.filter(pl.col("stage_loss").is_not_null())
    assert set(lost.select("question_id", "arena", "measure", "stage_loss").rows()) == {
        ("q1", "corpus", "sufficient@1", "fusion"),
        ("q1", "corpus", "sufficient@3", "fusion"),
    }


def test_unretrieved_gold_is_censored_or_refused():
    inputs = the_inputs()
    rankings = inputs["rankings"].filter(pl.col("unit_id") != "g1")
    tables = build_receipts(**{**inputs, "rankings": rankings}).tables
    q1 = tables["receipts.receipt"].filter((pl.col("question_id") == "q1") & (pl.col("measure") == "top@1"))
    assert q1["value"].to_list() == [0.0, 0.0, 0.0]
    assert q1["is_censored"].all()
    contract = a_contract(policies={**CONTRACT["policies"], "unretrieved": "error"})
    with pytest.raises(MeasureUndefined, match="gold of 1 questions was not returned, first q1"):
        build_receipts(**{**inputs, "rankings": rankings, "contract": contract})


def test_hidden_units_leak_and_unknown_access_is_no_zero():
    contract = a_contract(measures=["leak@1"], limit=5)
    output = build_receipts(**the_inputs(contract=contract, hidden=frame("unit_id", [("s1",)])))
    assert estimates(output, "corpus")["leak@1"] == 0.5
    unknown = build_receipts(**the_inputs(contract=contract))
    assert estimates(unknown, "corpus")["leak@1"] is None
    assert set(unknown.tables["receipts.receipt"]["reason"]) == {"access_unknown"}


def test_labels_of_units_that_left_the_corpus_do_not_count_in_r():
    gone = the_inputs()["corpus_units"].filter(pl.col("unit_id") != "g2")
    rankings = the_inputs()["rankings"].filter(pl.col("unit_id") != "g2")
    receipts = build_receipts(**the_inputs(corpus_units=gone, rankings=rankings)).tables["receipts.receipt"]
    q2 = receipts.filter((pl.col("question_id") == "q2") & (pl.col("arena") == "corpus"))
    assert dict(q2.select("measure", "reason").iter_rows())["sufficient@3"] == "no_relevant"


def test_bad_inputs_are_named():
    twice = pl.concat([the_inputs()["questions"]] * 2)
    with pytest.raises(InputError, match="question q1 is listed twice"):
        build_receipts(**the_inputs(questions=twice))
    contract = a_contract(resampling={**CONTRACT["resampling"], "unit": "document"})
    with pytest.raises(InputError, match="resamples whole documents"):
        build_receipts(**the_inputs(contract=contract))


def test_no_question_at_all_gives_no_figure_and_no_error():
    none = {name: value.clear() for name, value in the_inputs().items() if isinstance(value, pl.DataFrame)}
    output = build_receipts(**the_inputs(**none))
    assert output.n_rows == 0
