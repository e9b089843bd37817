"""Every printed figure rests on receipts that hold; what is changed afterwards is named; the way back and forward."""

import json
from dataclasses import replace

import polars as pl
import pytest

from eval_pipeline.cli.commands.verify import read_stored
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.doctor import examine
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.receipts.tracing import trace, trace_forward
from eval_pipeline.receipts.verifying import verify


@pytest.fixture(scope="module")
def stored(road_home):
    """What the receipts in force rest on."""
    project = Project(home=str(road_home))
    params = {"contract_ids": [contract.contract_id for contract in project.contracts]}
    nobody_hides = pl.DataFrame(schema={"unit_id": pl.String})  # both contracts ask as one who may see everything
    with project.session() as ledger:
        return read_stored(ledger, ledger.read("receipts/receipts_in_force", params=params), hidden=nobody_hides)


@pytest.fixture(scope="module")
def figures(road_home):
    """Figures of the evaluations in force."""
    project = Project(home=str(road_home))
    params = {"contract_ids": [contract.contract_id for contract in project.contracts]}
    with project.session() as ledger:
        evaluations = ledger.read("metrics/evaluations_in_force", params=params)
        assert sorted(evaluations["task"]) == ["quarterly-evidence", "questions-as-asked"]
        return pl.concat(
            ledger.read("metrics/figures_of", params={"evaluation_id": evaluation})
            for evaluation in evaluations["evaluation_id"]
        )


@pytest.fixture(scope="module")
def members(road_home):
    """Receipt ids by id of a list of members."""
    with session(ProjectPaths(home=road_home)) as ledger:
        lists = ledger.table("receipts.member_list")
    return {list_id: json.loads(ids) for list_id, ids in lists.select("list_id", "receipt_ids").iter_rows()}


def test_the_road_is_walked_to_its_end(road_home, figures):
    with session(ProjectPaths(home=road_home)) as ledger:
        assert ledger.read("corpus/units_in_force").height == 12
        assert ledger.read("corpus/documents_in_force").height == 6
        refused = ledger.table("corpus.quarantine")
        assert set(refused["source_path"]) >= {
            "corpus/board-minutes-locked.pdf",
            "corpus/placeholder.pdf",
            "corpus/upload-interrupted.pdf",
        }
        assert set(ledger.table("negatives.negative")["axis"]) >= {"period", "metric", "entity"}
    assert set(figures["variant"]) == {
        "image",
        "text",
        "hybrid",
        "hybrid-rawsum",
        "control-random",
        "control-template",
        "control-facets",
        "control-appearance",
    }
    assert set(figures["arena"]) >= {"random", "siblings", "corpus"}
    assert (ProjectPaths(home=road_home).report).stat().st_size > 10_000


def test_every_receipt_holds(stored):
    assert stored.receipts.height > 1_000
    assert verify(stored).rows() == []


def test_every_figure_names_receipts_that_are_stored_and_is_their_mean(figures, members, stored):
    values = dict(stored.receipts.select("receipt_id", "value").iter_rows())
    assert figures.height > 100
    for row in figures.iter_rows(named=True):
        named = members[row["member_list_id"]]
        assert set(named) <= set(values), row["metric_id"]
        scored = [values[receipt] for receipt in named if values[receipt] is not None]
        if row["estimate"] is None:
            assert row["reason"] != "scored", row
        else:
            assert row["estimate"] == pytest.approx(sum(scored) / len(scored), abs=1e-9), row


def _changed(frame, column, place, value):
    values = frame[column].to_list()
    values[place] = value
    return frame.with_columns(pl.Series(column, values, dtype=frame.schema[column]))


def test_a_changed_value_is_named(stored):
    place = stored.receipts["value"].to_list().index(1.0)
    bent = replace(stored, receipts=_changed(stored.receipts, "value", place, 0.999))
    (broken,) = verify(bent).rows(named=True)
    assert (broken["receipt_id"], broken["link"]) == (stored.receipts["receipt_id"][place], "value")


def test_a_changed_grade_is_named_by_every_receipt_that_rests_on_it(stored):
    label_id = stored.receipt_labels["label_id"][0]
    place = stored.labels["label_id"].to_list().index(label_id)
    grade = "irrelevant" if stored.labels["grade"][place] != "irrelevant" else "sufficient"
    broken = verify(replace(stored, labels=_changed(stored.labels, "grade", place, grade)))
    resting = set(stored.receipt_labels.filter(pl.col("label_id") == label_id)["receipt_id"])
    assert set(broken["receipt_id"]) == resting
    assert set(broken["link"]) == {"labels"}


def test_a_changed_negative_is_named(stored):
    receipt = stored.negatives["receipt_id"][0]
    other = stored.negatives.filter(pl.col("receipt_id") == receipt)["negative_unit_id"].to_list()
    stranger = next(unit for unit in stored.negatives["negative_unit_id"].unique().sort() if unit not in other)
    broken = verify(replace(stored, negatives=_changed(stored.negatives, "negative_unit_id", 0, stranger)))
    assert broken.rows(named=True)[0]["link"] == "negatives"
    assert broken["receipt_id"].to_list() == [receipt]


def test_a_changed_contract_is_named_by_all_of_its_receipts(stored):
    place = [json.loads(content)["task"] for content in stored.contracts["content"]].index("quarterly-evidence")
    content = stored.contracts["content"][place].replace("quarterly-evidence", "yearly-evidence")
    broken = verify(replace(stored, contracts=_changed(stored.contracts, "content", place, content)))
    mine = stored.receipts.filter(contract_id=stored.contracts["contract_id"][place])
    assert broken["receipt_id"].to_list() == mine["receipt_id"].sort().to_list()
    assert set(broken["link"]) == {"contract"}


@pytest.mark.parametrize("table", ["labels.label", "receipts.receipt", "runs.ranking", "corpus.unit"])
def test_a_flipped_byte_of_the_record_is_named(copy_road, table):
    paths = copy_road()
    assert examine(paths) == []
    file = next(paths.commits.glob(f"applied/*/*/{table}.parquet"))
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    (found,) = examine(paths)
    assert (found.kind, found.place) == ("commit damaged", file.parent.name)
    assert file.name in found.message


def _headline(figures, variant):
    chosen = {"arena": "siblings", "measure": "sufficient@1", "variant": variant, "slice": "all"}
    return figures.filter(**chosen)["metric_id"][0]


def _scored(ledger, metric_id):
    return next(node for node in trace(ledger, metric_id).find_all("receipt") if node.facts["value"] is not None)


def test_a_figure_leads_back_to_pages_of_source_files_and_forward_again(road_home, figures):
    paths, metric_id = ProjectPaths(home=road_home), _headline(figures, "text")
    with session(paths) as ledger:
        receipt = _scored(ledger, metric_id)
        back = trace(ledger, receipt.identity)
        kinds = {node.kind for node in _walk(back)}
        assert kinds >= {"receipt", "question", "ranked unit", "negative", "label", "page", "source file", "template"}
        assert kinds >= {"pool", "variant", "verdict", "contract", "made by commit"}
        page = back.find_all("page")[0]
        assert (paths.home / str(page.facts["file"])).is_file()
        assert (paths.home / str(page.facts["picture_path"])).is_file()
        assert page.facts["page"] in (1, 2, 3)
        for node in back.find_all("negative"):
            assert node.facts["axis"] in ("period", "metric", "entity", "appearance")
            assert node.facts["rank"] >= 1
        for node in back.find_all("made by commit"):
            assert node.facts["asset"]
            assert node.facts["dagster_run_id"]
            assert node.facts["code_version"]
        forward = trace_forward(ledger, page.identity)
    assert receipt.identity in {node.identity for node in forward.find_all("receipt")}
    assert metric_id in {node.identity for node in forward.find_all("metric")}


def _walk(node):
    yield node
    for child in node.children:
        yield from _walk(child)


@pytest.mark.parametrize(
    "kind", ["label", "negative", "template", "encoder", "pool", "verdict", "variant", "run", "contract"]
)
def test_everything_on_the_way_leads_forward_to_the_figure(road_home, figures, kind):
    metric_id = _headline(figures, "image")
    with session(ProjectPaths(home=road_home)) as ledger:
        receipt = _scored(ledger, metric_id)
        found = [node for node in trace(ledger, receipt.identity).find_all(kind) if node.facts.get("verb") != "label"]
        forward = trace_forward(ledger, found[0].identity)
    assert receipt.identity in {node.identity for node in forward.find_all("receipt")}
    assert metric_id in {node.identity for node in forward.find_all("metric")}
