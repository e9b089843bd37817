"""A run file and a service that say what the built-in variant says get its figures and its receipts."""

import gzip

import polars as pl
import pytest

from eval_pipeline.ledger.connection import session
from eval_pipeline.orchestration.running import run_project
from eval_pipeline_tests.loopback_retriever import serve

VARIANTS = """
  theirs:
    type: run-file
    path: runs/theirs.run.gz
    stages: {{image.exact: runs/theirs.run.gz}}
    units: "path#page"
    page_base: 0
  service: {{type: http, url: "{url}/rank", score_url: "{url}/score", units: "document#page"}}
  image-poor: {{type: image, index: {{kind: hnsw, m: 2, ef_construction: 1, ef_search: 1}}}}

labels:
"""
EVIDENCE = {
    "receipts.receipt_unit": ("rank", "unit_id"),
    "receipts.receipt_label": ("label_id",),
    "receipts.receipt_negative": ("negative_unit_id", "axis", "rank"),
}


@pytest.fixture
def image_lists(road_home, copy_road):
    """What the image variant ranked, with names and texts, from a copy of the project."""
    paths = copy_road()
    with session(paths) as ledger:
        variants = ledger.table("runs.variant").filter(pl.col("name") == "image")
        runs = ledger.table("runs.retrieval_run").join(variants, on="variant_id", how="semi")
        lists = ledger.table("runs.question_ranking").filter(pl.col("stage") == "image.exact")
        lists = lists.join(runs, on="retrieval_run_id", how="semi").select("question_id", "ranking_id").unique()
        units = ledger.read("corpus/units_in_force").select("unit_id", "document_id", "source_path", "page_number")
        texts = ledger.table("questions.question").select("question_id", "text")
        ranked = ledger.table("runs.ranking").join(lists, on="ranking_id").join(units, on="unit_id")
    return paths, ranked.join(texts, on="question_id").sort("question_id", "rank")


def write_run_file(paths, ranked):
    """As a tool of somebody else's would: pages from 0, tabs, packed."""
    lines = [
        f"{row['question_id']}\tQ0\t{row['source_path']}#{row['page_number'] - 1}\t{row['rank']}\t{row['score']!r}\tx"
        for row in ranked.iter_rows(named=True)
    ]
    (paths.home / "runs").mkdir(exist_ok=True)
    (paths.home / "runs" / "theirs.run.gz").write_bytes(gzip.compress("\n".join(lines).encode()))


def answer_from(ranked):
    """A service over the same lists."""
    lists = {}
    for row in ranked.unique(["text", "unit_id"], maintain_order=True).iter_rows(named=True):
        entry = {"unit": f"{row['document_id']}#{row['page_number']}", "score": row["score"]}
        lists.setdefault(row["text"], []).append(entry)

    def answer(body):
        listed = lists[body["question"]]
        if body["path"] == "/score":
            return {"units": [entry for entry in listed if entry["unit"] in body["units"]]}
        return {"stages": [{"name": "image.exact", "units": listed[: body["depth"]]}]}

    return answer


def receipts_of(ledger, name):
    """Receipts of a variant with their evidence, without the ids that name the variant; and those of its figures."""
    variant_id = ledger.table("runs.variant").filter(pl.col("name") == name).item(0, "variant_id")
    witnesses = ("receipt_id", "variant_id", "made_at_utc", "commit_id")
    receipts = ledger.table("receipts.receipt").filter(pl.col("variant_id") == variant_id)
    for table, columns in EVIDENCE.items():
        rows = ledger.table(table).sort("receipt_id", *columns).group_by("receipt_id", maintain_order=True)
        receipts = receipts.join(rows.agg(pl.struct(columns).alias(table)), on="receipt_id", how="left")
    plain = receipts.drop([name for name in witnesses if name in receipts.columns])
    return sorted(map(repr, plain.rows()))


def figures_of(ledger, name):
    variant_id = ledger.table("runs.variant").filter(pl.col("name") == name).item(0, "variant_id")
    turns = ledger.table("metrics.evaluation_turn").sort("turn").group_by("contract_id").last()
    rows = ledger.table("metrics.metric").join(turns, on="evaluation_id", how="semi")
    columns = (
        "evaluation_id",
        "arena",
        "slice",
        "slice_value",
        "measure",
        "estimate",
        "reason",
        "low",
        "high",
        "n_scored",
    )
    return sorted(map(repr, rows.filter(pl.col("variant_id") == variant_id).select(columns).rows()))


def test_the_same_answers_get_the_same_receipts_whoever_gave_them(image_lists):
    paths, ranked = image_lists
    write_run_file(paths, ranked)
    with serve(answer_from(ranked)) as server:
        declared = paths.config.read_text().replace("\nlabels:\n", VARIANTS.format(url=server.url), 1)
        paths.config.write_text(declared)
        run_project(paths, quiet=True)
    assert server.most <= 4
    with session(paths) as ledger:
        assert ledger.table("runs.failed_question").is_empty()
        own, figures = set(receipts_of(ledger, "image")), figures_of(ledger, "image")
        for name in ("theirs", "service"):
            theirs = receipts_of(ledger, name)
            assert theirs
            assert set(theirs) <= own  # the image variant has those of the run before as well
            assert figures_of(ledger, name) == figures
        poor = ledger.table("runs.variant").filter(pl.col("name") == "image-poor")
        lost = ledger.table("receipts.receipt").join(poor, on="variant_id", how="semi")["stage_loss"]
        assert "neighbour" in lost.to_list()
    page = paths.report.read_text()
    assert "searches exactly" in page
    assert page.count('id="task-') >= 1
