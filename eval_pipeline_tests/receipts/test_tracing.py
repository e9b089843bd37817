"""From a figure back to the PDF page, and from anything forward to the figures that rest on it."""

import json
from datetime import UTC, datetime

import polars as pl
import pytest

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.labels.rows import Judgment, to_label_rows
from eval_pipeline.receipts.building import build_receipts
from eval_pipeline.receipts.tracing import trace, trace_forward
from eval_pipeline.tasks.contracts import parse_contract

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
POLICIES = {
    "unjudged": "irrelevant",
    "no_relevant": "exclude",
    "missing_question": "zero",
    "unretrieved": "below",
    "answerable_distractor": "drop",
}
CONTRACT = parse_contract(
    {
        "task": "small",
        "relation": "evidence",
        "query_form": "question text",
        "answer_unit": "page",
        "questions": {"slice": "main"},
        "judgment": {"grades": ["sufficient", "supporting", "irrelevant"], "judge": "text"},
        "measures": ["top@1", "sufficient@1"],
        "arenas": ["siblings"],
        "depth": 5,
        "limit": 5,
        "policies": POLICIES,
        "slices": [],
        "resampling": {"unit": "question", "level": 0.95, "resamples": 100, "seed": 7},
        "asked_as": {"clearance": "restricted", "groups": []},
    },
    path="small.yaml",
)


def fill(table_name, known):
    """A row of a table in which whatever is not given is null or stands for nothing."""
    blank = {pl.String: "-", pl.Int64: 1, pl.Float64: 0.5, pl.Boolean: False}
    row = {}
    for column in TABLES[table_name].columns:
        allowed = column.allowed[0] if column.allowed else None
        row[column.name] = known.get(column.name, None if column.nullable else allowed or blank.get(column.dtype, NOW))
    return row


class Frames:
    """A reader over frames; every row was made by the commit of its table."""

    def __init__(self):
        self.tables = {name: table.empty() for name, table in TABLES.items()}
        self.n_calls = 0

    def add(self, name, *rows):
        self.tables[name] = pl.concat([self.tables[name], TABLES[name].frame([fill(name, row) for row in rows])])

    def find(self, table, column, values):
        self.n_calls += 1
        assert values, "nothing is asked for"
        rows = self.tables[table].filter(pl.col(column).is_in(list(values))).sort(TABLES[table].key)
        return rows.with_columns(commit_id=pl.lit(f"commit_{table}"))

    def find_commits(self, commit_ids):
        rows = [
            {
                "commit_id": identity,
                "asset": identity.removeprefix("commit_"),
                "partition": None,
                "code_version": "1",
                "dagster_run_id": "dagster-run-9",
                "made_at_utc": NOW,
            }
            for identity in commit_ids
        ]
        return pl.DataFrame(rows)


class AVariant:
    variant_id, name, is_control = "var_1", "image", False


@pytest.fixture(scope="module")
def reader():
    frames = Frames()
    judgment = {"question_id": "qu_1", "relation": "evidence", "author_kind": "judge", "author": "text"}
    labels = to_label_rows(
        [
            Judgment(unit_id="unit_g", grade="sufficient", judge_id="jdg_1", decided_at_utc=NOW, **judgment),
            Judgment(unit_id="unit_s", grade="supporting", judge_id="jdg_1", decided_at_utc=NOW, **judgment),
        ]
    )
    gold = pl.DataFrame({"question_id": ["qu_1"], "position": [1], "unit_id": ["unit_g"]})
    output = build_receipts(
        contract=CONTRACT,
        variant=AVariant(),
        retrieval_run_id="run_1",
        questions=pl.DataFrame({"question_id": ["qu_1"]}),
        gold=gold,
        arenas=pl.DataFrame(
            {"question_id": ["qu_1"], "arena": ["siblings"], "unit_id": ["unit_s"], "axis": ["period"], "rank": [1]}
        ),
        rankings=pl.DataFrame(
            {
                "question_id": ["qu_1"] * 2,
                "stage": ["final"] * 2,
                "rank": [1, 2],
                "unit_id": ["unit_s", "unit_g"],
                "score": [2.0, 1.0],
            }
        ),
        labels=labels,
        evaluation_id="evl_1",
        batch_id="batch_1",
        label_snapshot_id="labels_1",
        is_late=False,
        pools=pl.DataFrame({"question_id": ["qu_1"], "pool_id": ["pool_1"]}),
    )
    for name, rows in output.tables.items():
        frames.tables[name] = rows
    frames.tables["labels.label"] = labels
    frames.tables["questions.question_gold"] = gold
    for unit, document, page in [("unit_g", "report-q3.pdf", 3), ("unit_s", "report-q2.pdf", 3)]:
        path = f"corpus/{document}"
        frames.add(
            "corpus.unit", {"unit_id": unit, "document_id": document, "page_number": page, "picture_path": "p.webp"}
        )
        frames.add("corpus.document", {"document_id": document, "source_path": path, "batch_id": "batch_1"})
        frames.add("corpus.unit_facets", {"unit_id": unit, "facets": '{"period":"2024-Q3"}'})
        frames.add(
            "templates.template_assignment", {"unit_id": unit, "template_id": "tpl_1", "template_version_id": "tver_1"}
        )
    frames.add("templates.template", {"template_id": "tpl_1", "template_version_id": "tver_1"})
    frames.add("templates.template_version", {"template_version_id": "tver_1"})
    frames.add("questions.question", {"question_id": "qu_1", "text": "Revenue in Q3?", "parent_question_id": "qu_0"})
    frames.add("questions.question", {"question_id": "qu_0", "text": "Revenue?"})
    frames.add("questions.well_posedness", {"question_id": "qu_1", "pool_id": "pool_1", "reason": "well posed"})
    frames.add("judging.judge", {"judge_id": "jdg_1", "name": "text"})
    frames.add(
        "judging.verdict",
        {
            "verdict_id": "vd_1",
            "verb": "answers",
            "question_id": "qu_1",
            "unit_id": "unit_g",
            "judge_id": "jdg_1",
            "outcome": "yes",
        },
    )
    frames.add("negatives.unit_pool", {"unit_id": "unit_g", "pool_id": "pool_1", "template_id": "tpl_1"})
    frames.add("negatives.shortfall", {"pool_id": "pool_1", "axis": "entity", "reason": "no sibling differs"})
    frames.add("runs.variant", {"variant_id": "var_1", "name": "image", "encoder_id": "enc_1"})
    frames.add("runs.retrieval_run", {"retrieval_run_id": "run_1", "variant_id": "var_1", "batch_id": "batch_1"})
    frames.add("embeddings.encoder", {"encoder_id": "enc_1", "name": "page-clip (untrained)"})
    frames.tables["tasks.contract"] = TABLES["tasks.contract"].frame([CONTRACT.to_table_row(registered_at_utc=NOW)])
    frames.add(
        "metrics.evaluation", {"evaluation_id": "evl_1", "contract_id": CONTRACT.contract_id, "batch_id": "batch_1"}
    )
    return frames


def the_receipt(reader, measure="sufficient@1"):
    return reader.tables["receipts.receipt"].filter(pl.col("measure") == measure).item(0, "receipt_id")


def test_a_receipt_leads_back_to_the_pdf_page_and_to_all_between(reader):
    tree = trace(reader, the_receipt(reader))
    (read,) = tree.find_all("ranked unit")
    assert (read.identity, read.facts["rank"]) == ("unit_s", 1)
    (page,) = read.find_all("page")
    assert (page.facts["file"], page.facts["page"], page.facts["facets"]) == (
        "corpus/report-q2.pdf",
        3,
        "period=2024-Q3",
    )
    assert [node.identity for node in page.find_all("source file")] == ["corpus/report-q2.pdf"]
    assert page.find_all("template")[0].facts["template_version_id"] == "tver_1"
    (label,) = read.find_all("label")
    assert (label.facts["grade"], label.facts["author"], label.facts["judge_id"]) == ("supporting", "text", "jdg_1")
    assert label.facts["decided_at_utc"].startswith("2026-01-02T03:04")
    (negative,) = tree.find_all("negative")
    assert (negative.identity, negative.facts["axis"], negative.facts["rank"]) == ("unit_s", "period", 1)
    (behind,) = tree.find_all("labels behind R")
    assert behind.find_all("label")[0].facts["unit_id"] == "unit_g"
    assert tree.find_all("shortfall")[0].facts["reason"] == "no sibling differs"
    assert tree.find_all("encoder")[0].facts["name"] == "page-clip (untrained)"
    assert tree.find_all("contract")[0].facts["task"] == "small"
    assert tree.find_all("verdict")[0].facts["judge"] == "text"
    assert [node.facts["text"] for node in tree.find_all("question")] == ["Revenue in Q3?", "Revenue?"]
    assert tree.find_all("gold")[0].find_all("page")[0].facts["file"] == "corpus/report-q3.pdf"
    commits = tree.find_all("made by commit")
    assert {node.facts["dagster_run_id"] for node in commits} == {"dagster-run-9"}
    assert "corpus.unit" in {node.facts["asset"] for node in commits}


def test_a_metric_leads_to_its_receipts_run_and_evaluation(reader):
    metric = reader.tables["metrics.metric"].filter(pl.col("measure") == "top@1").item(0, "metric_id")
    tree = trace(reader, metric)
    assert tree.facts["estimate"] == 0.0
    assert [node.identity for node in tree.find_all("receipt")] == [the_receipt(reader, "top@1")]
    assert tree.find_all("evaluation")[0].facts["batch_id"] == "batch_1"
    assert tree.find_all("run")[0].identity == "run_1"


def test_any_id_can_be_traced(reader):
    label = reader.tables["labels.label"].item(0, "label_id")
    for identity, kind in [
        (label, "label"),
        ("unit_g", "page"),
        ("qu_1", "question"),
        ("tpl_1", "template"),
        ("tver_1", "template version"),
        ("pool_1", "pool"),
        ("vd_1", "verdict"),
        ("var_1", "variant"),
        ("run_1", "run"),
        ("enc_1", "encoder"),
        (CONTRACT.contract_id, "contract"),
    ]:
        tree = trace(reader, identity)
        assert (tree.kind, tree.identity) == (kind, identity)
        assert tree.find_all("made by commit"), kind
        assert trace_forward(reader, identity).kind == kind


def test_forward_from_anything_to_the_receipts_and_figures(reader):
    sufficient, top = the_receipt(reader), the_receipt(reader, "top@1")
    label = reader.tables["labels.label"].filter(pl.col("grade") == "sufficient").item(0, "label_id")
    of_label = trace_forward(reader, label)
    assert [node.identity for node in of_label.find_all("receipt")] == [sufficient]
    assert [node.facts["measure"] for node in of_label.find_all("metric")] == ["sufficient@1"]
    both = {sufficient, top}
    for identity in ("unit_g", "unit_s", "qu_1", "qu_0", "tpl_1", "pool_1", "vd_1", "var_1", "run_1", "enc_1"):
        tree = trace_forward(reader, identity)
        assert {node.identity for node in tree.find_all("receipt")} == both, identity
        assert tree.facts["n_metrics"] == 2
    assert {node.identity for node in trace_forward(reader, top).find_all("receipt")} == {top}


def test_a_trace_prints_and_travels_as_json(reader):
    tree = trace(reader, the_receipt(reader))
    text = "\n".join(tree.lines())
    assert text.splitlines()[0].startswith("receipt rcp_")
    assert "file corpus/report-q2.pdf · page 3" in text
    assert json.loads(json.dumps(tree.to_dict()))["children"][0]["kind"] == "question"


def test_unknown_ids_are_named(reader):
    with pytest.raises(UnknownName, match="ids begin with rcp_"):
        trace(reader, "nonsense")
    with pytest.raises(UnknownName, match="nothing in the ledger is called rcp_0"):
        trace(reader, "rcp_0")
    with pytest.raises(UnknownName, match="nothing in the ledger is called unit_0"):
        trace_forward(reader, "unit_0")


def test_verdicts_stand_in_order_of_what_they_are_on_and_say_it(reader):
    verdicts = [
        {"verdict_id": f"vd_{name}", "verb": "answers", "question_id": "qu_1", "unit_id": unit, "judge_id": "jdg_1"}
        for name, unit in (("a", "unit_s"), ("z", "unit_g"))
    ]
    frames = Frames()
    frames.tables = dict(reader.tables)
    frames.tables["judging.verdict"] = TABLES["judging.verdict"].empty()
    frames.add("judging.verdict", *verdicts)
    frames.add("negatives.negative", {"pool_id": "pool_1", "negative_unit_id": "unit_s", "axis": "period", "rank": 1})
    told = trace(frames, "qu_1").find_all("verdict")
    assert [(node.identity, node.facts["on"]) for node in told] == [
        ("vd_z", "gold, report-q3.pdf p. 3"),
        ("vd_a", "hard negative on period, rank 1, report-q2.pdf p. 3"),
    ]
