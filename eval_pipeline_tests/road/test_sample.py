"""Real filings from PDF to report: two years of one company, one garbled text layer, one file that cannot be opened."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

import eval_pipeline
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger.connection import session
from eval_pipeline.orchestration.running import run_project

pytestmark = pytest.mark.shared

MODELS = Path(eval_pipeline.__file__).parents[1] / "data" / "models"
DOCUMENTS = (
    "AMAZON_2017_10K",
    "AMAZON_2018_10K",
    "FOOTLOCKER_2022_8K_dated-2022-05-20",
    "MCDONALDS_2022Q4_EARNINGS",
    "INTEL_2023_8K_dated-2023-08-16",
)
N_PAGES = 85 + 89 + 4 + 9
DECLARED = r"""
corpus: {documents: "corpus/pdfs/*.pdf", metadata: corpus/manifest.parquet, id: doc_id, path: file}
facets:
  entity: {column: entity, parse: entity}
  period: {columns: [fiscal_year, fiscal_quarter], parse: period}
  metric: {pattern: {text: "^CONSOLIDATED (?P<metric>BALANCE SHEETS|STATEMENTS OF [A-Z ’']+)$"}}
axes: [period, metric, entity]
templates: {cut: 0.4}
negatives: {k: 6, random: 6, min_negatives: 1}
questions:
  writers: []
  import: [{path: questions.parquet, answer: answer, document: doc_id, pages: evidence_pages, page_base: 0,
            available: doc_available}]
labels: {pool_depth: 10, audit_questions: 0}
"""
CONTRACT = """
task: filing-evidence
relation: evidence
query_form: question text
answer_unit: page
questions: {slice: main}
judgment: {grades: [sufficient, supporting, irrelevant], judge: text}
measures: [top@1, sufficient@1, sufficient@5, supporting_only@5, neither@5, sufficient_set@5]
arenas: [random, siblings, corpus]
depth: 100
limit: 10
policies: {unjudged: irrelevant, no_relevant: exclude, missing_question: zero, unretrieved: below,
           answerable_distractor: drop}
slices: [axis]
resampling: {unit: question, level: 0.95, resamples: 500, seed: 7}
asked_as: {clearance: internal, groups: []}
"""
Tables = dict[str, pl.DataFrame]


@pytest.fixture(scope="module")
def home(sample_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project after one run of the whole graph."""
    place = tmp_path_factory.mktemp("sample")
    pdfs = place / "corpus" / "pdfs"
    pdfs.mkdir(parents=True)
    for name in DOCUMENTS:
        shutil.copyfile(sample_dir / "pdfs" / f"{name}.pdf", pdfs / f"{name}.pdf")
    is_here = pl.col("doc_id").is_in(DOCUMENTS)
    manifest = pl.read_parquet(sample_dir / "manifest.parquet")
    manifest.filter(is_here).write_parquet(place / "corpus" / "manifest.parquet")
    questions = pl.read_parquet(sample_dir / "questions.parquet")
    questions.with_columns(doc_available=is_here).write_parquet(place / "questions.parquet")
    shutil.copytree(MODELS, place / "models")
    (place / "eval.yaml").write_text(DECLARED, encoding="utf-8")
    (place / "contracts").mkdir()
    (place / "contracts" / "filing-evidence.yaml").write_text(CONTRACT, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAGSTER_HOME", "")
        run_project(ProjectPaths(home=place), quiet=True)
    return place


@pytest.fixture(scope="module")
def tables(home: Path) -> Tables:
    """Every table of the ledger, and the corpus of now as `units`."""
    with session(ProjectPaths(home=home)) as ledger:
        return {name: ledger.table(name) for name in TABLES} | {"units": ledger.read("corpus/units_in_force")}


@pytest.fixture(scope="module")
def unit_of(tables: Tables) -> dict[tuple[str, int], str]:
    """Unit ids by document and 1-based page."""
    rows = tables["units"].select("document_id", "page_number", "unit_id").iter_rows()
    return {(document, page): unit_id for document, page, unit_id in rows}


def the_question(tables: Tables, words: str) -> str:
    found = tables["questions.question"].filter(pl.col("text").str.contains(words, literal=True))
    return str(found.item(0, "question_id"))


def the_outcome(tables: Tables, words: str) -> dict[str, object]:
    asked = pl.col("question_id") == the_question(tables, words)
    return tables["questions.well_posedness"].filter(asked).row(0, named=True)


def test_every_page_is_counted_and_the_truncated_file_is_refused(tables: Tables) -> None:
    assert tables["corpus.document"]["document_id"].sort().to_list() == sorted(DOCUMENTS)
    assert tables["corpus.unit"].height == tables["corpus.unit_facets"].height == N_PAGES
    assert tables["corpus.rendition"]["n_pages"].sum() == N_PAGES
    refused = tables["corpus.quarantine"].filter(~pl.col("is_warning"))
    assert refused.select("source_path", "place", "reason").rows() == [
        ("corpus/pdfs/INTEL_2023_8K_dated-2023-08-16.pdf", "", "damaged file")
    ]


def test_the_garbled_text_layer_is_flagged(tables: Tables) -> None:
    bad = tables["units"].filter(pl.col("text_quality") != "good")
    assert bad.group_by("document_id", "text_quality").len().rows() == [("MCDONALDS_2022Q4_EARNINGS", "garbled", 9)]


def test_facets_come_from_columns_and_from_the_page(tables: Tables, unit_of: dict[tuple[str, int], str]) -> None:
    facets = dict(tables["units"].select("unit_id", "facets").iter_rows())
    assert json.loads(facets[unit_of["AMAZON_2017_10K", 38]]) == {
        "entity": "amazon",
        "metric": "statements of operations",
        "period": "FY2017",
    }
    assert json.loads(facets[unit_of["MCDONALDS_2022Q4_EARNINGS", 1]])["period"] == "FY2022Q4"


def test_people_s_questions_come_in_with_their_evidence_as_given_labels(
    tables: Tables, unit_of: dict[tuple[str, int], str]
) -> None:
    assert tables["questions.question"]["origin"].to_list() == ["import"] * 3
    given = tables["labels.label"].filter(pl.col("author_kind") == "import")
    several = the_question(tables, "days payable outstanding")
    pages = {unit_of["AMAZON_2017_10K", page] for page in (38, 40)}
    assert set(given.filter(pl.col("question_id") == several).select("unit_id", "grade").rows()) == {
        (unit_id, "supporting") for unit_id in pages
    }
    assert set(given.filter(pl.col("question_id") != several)["grade"]) == {"sufficient"}
    joint = tables["labels.joint_set"]
    assert (set(joint["unit_id"]), set(joint["question_id"])) == (pages, {several})
    assert joint["joint_set_id"].n_unique() == 1


def test_the_statement_of_the_next_year_answers_from_its_comparative_column(
    tables: Tables, unit_of: dict[tuple[str, int], str]
) -> None:
    later = unit_of["AMAZON_2018_10K", 37]
    outcome = the_outcome(tables, "year-over-year change in revenue")
    assert (outcome["outcome"], outcome["slice"]) == ("answerable", "main")
    assert outcome["reason"] == "answerable from distractor on axis=period"
    assert outcome["failing_unit_id"] == later
    assert json.loads(str(outcome["promoted_unit_ids"])) == [later]
    asked = the_question(tables, "year-over-year change in revenue")
    mine = (pl.col("question_id") == asked) & (pl.col("unit_id") == later) & (pl.col("verb") == "answers")
    verdict = tables["judging.verdict"].filter(mine).row(0, named=True)
    assert verdict["outcome"] == "yes"
    assert "135,987" in verdict["reason"]
    assert "177,866" in verdict["reason"]
    label = tables["labels.label"].filter((pl.col("question_id") == asked) & (pl.col("unit_id") == later))
    assert label.select("author_kind", "grade").rows() == [("judge", "sufficient")]


def test_evidence_on_two_pages_is_sufficient_together_only(tables: Tables) -> None:
    outcome = the_outcome(tables, "days payable outstanding")
    assert (outcome["outcome"], outcome["slice"]) == ("gold_fails", "main")
    receipts = tables["receipts.receipt"].filter(
        (pl.col("question_id") == the_question(tables, "days payable outstanding")) & (pl.col("arena") == "corpus")
    )
    reasons = dict(receipts.select("measure", "reason").unique().iter_rows())
    assert reasons["sufficient@5"] == "no_relevant"
    assert reasons["sufficient_set@5"] == "scored"


def test_every_question_is_scored_under_the_named_contract(tables: Tables) -> None:
    assert tables["tasks.contract"]["task"].to_list() == ["filing-evidence"]
    variants = tables["runs.variant"].select("variant_id", variant="name")
    figures = tables["metrics.metric"].filter((pl.col("slice") == "all") & (pl.col("arena") == "corpus"))
    figures = figures.join(variants, on="variant_id")
    rows = {(row["variant"], row["measure"]): row for row in figures.iter_rows(named=True)}
    assert {variant for variant, _ in rows} == {"image", "text", "hybrid"}
    for (_, measure), row in rows.items():
        n_scored = 3 if measure in ("top@1", "sufficient_set@5") else 2
        assert (row["n_questions"], row["n_scored"], row["reason"]) == (3, n_scored, "scored"), measure
        left_out = {"no_relevant": 1, "without value: no_relevant": 1} if n_scored == 2 else {}
        counts = json.loads(row["policy_counts"])
        touched = {name: n for name, n in counts.items() if name not in ("unretrieved", "unjudged")}
        assert touched == left_out  # a page that comes back garbled is unjudged: the judge abstains on it
    assert rows["text", "top@1"]["estimate"] == pytest.approx(1 / 3)


def test_the_report_shows_what_was_refused_and_what_people_named(home: Path) -> None:
    page = ProjectPaths(home=home).report.read_text(encoding="utf-8")
    for words in ("filing-evidence", "damaged file", "INTEL_2023_8K_dated-2023-08-16", "What people named as evidence"):
        assert words in page
