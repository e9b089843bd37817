"""Every receipt verifies from stored rows, and a flipped byte is named by the link that it breaks."""

from datetime import UTC, datetime

import polars as pl
import pytest

from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.labels.rows import Judgment, to_label_rows
from eval_pipeline.receipts.building import build_receipts
from eval_pipeline.receipts.rereading import StoredEvidence
from eval_pipeline.receipts.verifying import verify
from eval_pipeline.tasks.contracts import parse_contract

NOW = datetime(2026, 1, 2, tzinfo=UTC)

CONTRACT = {
    "task": "small",
    "relation": "evidence",
    "query_form": "question text",
    "answer_unit": "page",
    "questions": {"slice": "main"},
    "judgment": {"grades": ["sufficient", "supporting", "irrelevant"], "judge": "text"},
    "measures": ["top@1", "sufficient@2", "sufficient_set@3", "supporting_only@1", "ap@4", "ndcg@3", "judged@3"],
    "arenas": ["siblings", "corpus"],
    "depth": 10,
    "limit": 5,
    "policies": {
        "unjudged": "irrelevant",
        "no_relevant": "exclude",
        "missing_question": "zero",
        "unretrieved": "below",
        "answerable_distractor": "drop",
    },
    "slices": [],
    "resampling": {"unit": "question", "level": 0.95, "resamples": 200, "seed": 7},
    "asked_as": {"clearance": "restricted", "groups": []},
}


class AVariant:
    def __init__(self, variant_id, *, is_control):
        self.variant_id, self.name, self.is_control = variant_id, variant_id, is_control


def a_label(question, unit, grade):
    return Judgment(
        question_id=question,
        unit_id=unit,
        relation="evidence",
        grade=grade,
        author_kind="human",
        author="ada",
        decided_at_utc=NOW,
    )


def frame(schema, rows):
    types = {"rank": pl.Int64, "position": pl.Int64, "score": pl.Float64, "is_control": pl.Boolean}
    return pl.DataFrame(rows, schema={name: types.get(name, pl.String) for name in schema.split()}, orient="row")


LABELS = to_label_rows(
    [
        a_label("q1", "g1", "sufficient"),
        a_label("q1", "s1", "supporting"),
        a_label("q1", "s2", "irrelevant"),
        a_label("q2", "g2", "supporting"),
        a_label("q2", "s3", "supporting"),
        a_label("q3", "g3", "sufficient"),
    ]
)
GOLD = frame("question_id position unit_id", [("q1", 1, "g1"), ("q2", 1, "g2"), ("q2", 2, "g2b"), ("q3", 1, "g3")])
JOINT = frame("question_id joint_set_id unit_id", [("q2", "set_1", "g2"), ("q2", "set_1", "s3")])
ARENAS = frame(
    "question_id arena unit_id axis rank",
    [
        ("q1", "siblings", "s1", "period", 1),
        ("q1", "siblings", "s2", "entity", 1),
        ("q2", "siblings", "s3", "period", 1),
        ("q2", "siblings", "s4", "entity", 1),
    ],
)


def the_rankings(variant_id, *, is_control):
    if is_control:
        lists = {
            "q1": [("g1", 1.0), ("s1", 1.0), ("s2", 0.0)],
            "q2": [("g2", 0.0), ("g2b", 0.0), ("s3", 0.0), ("s4", 0.0)],
        }
        stage = "arena:siblings"
    else:
        lists = {
            "q1": [("s1", 9.0), ("g1", 8.0), ("x1", 7.0), ("s2", 6.0)],
            "q2": [("s3", 9.0), ("g2", 8.0), ("x1", 7.0), ("g2b", 6.0), ("s4", 5.0)],
            "q3": [("x1", 9.0)],
        }
        stage = "final"
    return pl.concat(
        [
            frame(
                "question_id stage rank unit_id score", [(q, stage, n, unit, s) for n, (unit, s) in enumerate(units, 1)]
            )
            for q, units in lists.items()
        ]
    ).with_columns(variant_id=pl.lit(variant_id))


def stored_evidence(**policies):
    contract = parse_contract({**CONTRACT, "policies": {**CONTRACT["policies"], **policies}}, path="c.yaml")
    outputs, rankings = [], []
    for name, is_control in (("var_image", False), ("var_control", True)):
        ranked = the_rankings(name, is_control=is_control)
        rankings.append(ranked)
        outputs.append(
            build_receipts(
                contract=contract,
                variant=AVariant(name, is_control=is_control),
                retrieval_run_id=f"run_{name}",
                questions=frame("question_id", [("q1",), ("q2",), ("q3",)]),
                gold=GOLD,
                arenas=ARENAS,
                rankings=ranked,
                labels=LABELS.with_columns(state=pl.lit("adjudicated")),
                evaluation_id="evl_1",
                batch_id="batch_1",
                label_snapshot_id="labels_1",
                is_late=False,
                joint_sets=JOINT,
                pools=frame("question_id pool_id", [("q1", "pool_1"), ("q2", "pool_2")]),
                waiting=frame("question_id unit_id", [("q3", "x1")]),
            ).tables
        )

    def joined(name):
        return pl.concat([output[name] for output in outputs])

    return StoredEvidence(
        receipts=joined("receipts.receipt"),
        units=joined("receipts.receipt_unit"),
        receipt_labels=joined("receipts.receipt_label"),
        negatives=joined("receipts.receipt_negative"),
        labels=LABELS,
        gold=GOLD,
        contracts=TABLES["tasks.contract"].frame([contract.to_table_row(registered_at_utc=NOW)]),
        variants=frame("variant_id is_control", [("var_image", False), ("var_control", True)]),
        rankings=pl.concat(rankings),
        joint_sets=JOINT,
    )


def with_frame(stored, **changes):
    return StoredEvidence(**{**vars(stored), **changes})


@pytest.mark.parametrize("unjudged", ["irrelevant", "condense"])
@pytest.mark.parametrize("no_relevant", ["exclude", "zero"])
def test_every_receipt_holds(unjudged, no_relevant):
    stored = stored_evidence(unjudged=unjudged, no_relevant=no_relevant)
    assert stored.receipts.height > 30
    assert {"scored", "waiting", "no_negatives"} <= set(stored.receipts["reason"])
    assert verify(stored).rows() == []
    assert verify(with_frame(stored, rankings=None)).rows() == []


def flip(frame, column, place=0):
    """Change one value of one row."""
    rows = frame.to_dicts()
    before = rows[place][column]
    rows[place][column] = f"{before}x" if isinstance(before, str) else before + 1
    return pl.DataFrame(rows, schema=frame.schema), rows[place]


@pytest.mark.parametrize(
    ("table", "column", "link"),
    [
        ("units", "unit_id", "ranking"),
        ("units", "rank", "units"),
        ("receipt_labels", "label_id", "labels"),
        ("negatives", "axis", "negatives"),
        ("negatives", "negative_unit_id", "negatives"),
        ("negatives", "rank", "negatives"),
        ("receipts", "arena_id", "negatives"),
        ("receipts", "pool_id", "receipt_id"),
        ("receipts", "n_read", "units"),
        ("receipts", "variant_id", "variant"),
        ("receipts", "contract_id", "contract"),
    ],
)
def test_a_flipped_byte_is_named(table, column, link):
    stored = stored_evidence()
    chosen = stored.receipts.filter(
        (pl.col("question_id") == "q1") & (pl.col("measure") == "ap@4") & (pl.col("arena") == "siblings")
        & (pl.col("variant_id") == "var_image")
    ).item(0, "receipt_id")  # fmt: skip
    rows = getattr(stored, table)
    place = rows["receipt_id"].to_list().index(chosen)
    flipped, row = flip(rows, column, place)
    broken = verify(with_frame(stored, **{table: flipped}))
    assert broken.filter(pl.col("receipt_id") == chosen)["link"].to_list() == [link], row
    assert set(broken["receipt_id"]) == {chosen}


def test_a_flipped_value_grade_contract_or_ranking_is_named():
    stored = stored_evidence()
    scored = stored.receipts["reason"].to_list().index("scored")
    flipped, row = flip(stored.receipts, "value", scored)
    assert verify(with_frame(stored, receipts=flipped)).rows()[0][:2] == (row["receipt_id"], "value")

    labels = LABELS.with_columns(grade=pl.lit("irrelevant"))
    assert set(verify(with_frame(stored, labels=labels))["link"]) == {"labels"}

    contracts = stored.contracts.with_columns(pl.col("content").str.replace('"limit":5', '"limit":6'))
    assert set(verify(with_frame(stored, contracts=contracts))["link"]) == {"contract"}

    rankings = stored.rankings.with_columns(
        score=pl.when((pl.col("unit_id") == "g1") & (pl.col("stage") == "final")).then(99.0).otherwise("score")
    )
    broken = verify(with_frame(stored, rankings=rankings))
    assert set(broken["link"]) == {"ranking"}
    assert "reads s1, but the ranking holds g1" in broken.item(0, "detail")


def test_a_value_beside_a_reason_and_a_missing_label_are_named():
    stored = stored_evidence()
    waiting = stored.receipts.with_columns(value=pl.when(pl.col("reason") == "waiting").then(0.0).otherwise("value"))
    broken = verify(with_frame(stored, receipts=waiting))
    assert set(broken["link"]) == {"value"}
    assert "there is a value beside the reason waiting" in broken["detail"].to_list()
    gone = verify(with_frame(stored, labels=LABELS.clear()))
    assert set(gone["link"]) == {"labels"}
    assert "is not stored" in gone.item(0, "detail")
