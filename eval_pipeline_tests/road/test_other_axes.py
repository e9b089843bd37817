"""Laboratory reports: axes of other names from folder to report, a page stored twice, a report that is corrected."""

import io
import json
import shutil
from pathlib import Path

import polars as pl
import pypdfium2 as pdfium
import pytest
from reportlab.pdfgen.canvas import Canvas

import eval_pipeline
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger.connection import session
from eval_pipeline.orchestration.question_sets import read_asked
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.running import run_project

MODELS = Path(eval_pipeline.__file__).parents[1] / "data" / "models"
AXES = ("analyte", "specimen", "visit")
DECLARED = """
corpus: {documents: "corpus/*.{pdf,jpg}", metadata: corpus/pages.csv, path: file, page: page}
facets:
  analyte: {column: test, synonyms: corpus/analytes.csv}
  specimen: {column: sample}
  visit: {column: visit, parse: number}
axes: [analyte, specimen, visit]
templates: {cut: 0.5}
negatives: {k: 3, random: 3, min_negatives: 1}
labels: {audit_questions: 0}
"""
CONTRACT = """
task: laboratory-evidence
relation: evidence
query_form: question text
answer_unit: page
questions: {slice: main}
judgment: {grades: [sufficient, supporting, irrelevant], judge: text}
measures: [top@1, sufficient@1]
arenas: [random, siblings, corpus]
depth: 20
limit: 5
policies: {unjudged: irrelevant, no_relevant: exclude, missing_question: zero, unretrieved: below,
           answerable_distractor: promote}
slices: [axis]
resampling: {unit: question, level: 0.95, resamples: 200, seed: 7}
asked_as: {clearance: internal, groups: []}
"""
SPELLED = {"glucose": ("Glucose", "GLU"), "sodium": ("Sodium", "Na+")}


def a_report(*, specimen: str, visit: int, bump: int = 0) -> bytes:
    """Two pages, one per analyte, each a table of eight readings."""
    data = io.BytesIO()
    canvas = Canvas(data, invariant=True)
    for place, analyte in enumerate(SPELLED):
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(60, 760, f"{analyte.title()} in {specimen}, visit {visit}")
        canvas.setFont("Helvetica", 11)
        for line in range(8):
            value = 40 + 17 * line + 7 * visit + 3 * place + 5 * (specimen == "Serum") + bump
            canvas.drawString(60, 720 - 24 * line, f"Reading {line + 1}")
            canvas.drawString(300, 720 - 24 * line, f"{value}.{line} mmol/L")
        canvas.showPage()
    canvas.save()
    return data.getvalue()


def photograph(pdf: bytes) -> bytes:
    """The first page as a JPEG."""
    document = pdfium.PdfDocument(pdf)
    data = io.BytesIO()
    document[0].render(scale=100 / 72).to_pil().convert("RGB").save(data, "JPEG", quality=80)
    document.close()
    return data.getvalue()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("laboratory")
    corpus = place / "corpus"
    corpus.mkdir()
    rows = ["file,page,test,sample,visit"]
    for specimen in ("Serum", "Plasma"):
        for visit in (1, 2):
            name = f"{specimen.lower()}-{visit}.pdf"
            (corpus / name).write_bytes(a_report(specimen=specimen, visit=visit))
            for page, spellings in enumerate(SPELLED.values(), start=1):
                rows.append(f"{name},{page},{spellings[visit - 1]},{specimen.upper()},{visit}.0")
    (corpus / "photo.jpg").write_bytes(photograph(a_report(specimen="Serum", visit=1)))
    (corpus / "loose.jpg").write_bytes(photograph(a_report(specimen="Serum", visit=9)))
    rows += ["photo.jpg,1,Glucose,serum,7", "loose.jpg,1,Glucose,serum,the last one"]
    (corpus / "pages.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (corpus / "analytes.csv").write_text("name,synonym\nglucose,GLU\nsodium,Na+\n", encoding="utf-8")
    (place / "eval.yaml").write_text(DECLARED, encoding="utf-8")
    (place / "contracts").mkdir()
    (place / "contracts" / "laboratory.yaml").write_text(CONTRACT, encoding="utf-8")
    shutil.copytree(MODELS, place / "models")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAGSTER_HOME", "")
        run_project(ProjectPaths(home=place), quiet=True)
    return place


def units_of(home: Path) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Facets and file with page, by unit in force."""
    with session(ProjectPaths(home=home)) as ledger:
        units = ledger.read("corpus/units_in_force")
    facets = {unit_id: json.loads(text) for unit_id, text in units.select("unit_id", "facets").iter_rows()}
    place = pl.format("{}#{}", pl.col("source_path").str.split("/").list.last(), "page_number")
    return facets, dict(units.select("unit_id", place).iter_rows())


def pools_of(home: Path) -> pl.DataFrame:
    """Negatives of the pools in force."""
    project = Project(home=str(home))
    pools = read_asked(project).unit_pools
    return project.read("negatives/negatives_of", frames={"wanted": pools.select("pool_id")})


def test_each_page_has_one_negative_on_each_declared_axis_and_no_other(home: Path) -> None:
    facets, place_of = units_of(home)
    drawn = pools_of(home).filter(pl.col("axis") != "appearance")
    assert set(drawn["axis"]) == set(AXES)
    for unit_id, axis, negative in drawn.select("unit_id", "axis", "negative_unit_id").iter_rows():
        one, other = facets[unit_id], facets[negative]
        assert [name for name in AXES if one[name] != other[name]] == [axis]
    report = drawn.filter(pl.col("unit_id").replace_strict(place_of).str.ends_with(".pdf#1"))
    assert report["unit_id"].n_unique() == 4
    assert report.group_by("unit_id").agg(pl.col("axis").n_unique())["axis"].to_list() == [3] * 4


def test_spellings_and_numbers_are_one_and_what_cannot_be_read_is_listed_with_its_row(home: Path) -> None:
    facets, place_of = units_of(home)
    by_place = {place_of[unit_id]: values for unit_id, values in facets.items()}
    assert by_place["plasma-2.pdf#1"] == {"analyte": "glucose", "specimen": "plasma", "visit": "2"}
    assert by_place["loose.jpg#1"] == {"analyte": "glucose", "specimen": "serum"}
    with session(ProjectPaths(home=home)) as ledger:
        warnings = ledger.table("corpus.quarantine").filter(pl.col("reason") == "facet not parsed")
    assert warnings["source_path"].to_list() == ["corpus/loose.jpg"]
    assert "'the last one' (corpus/pages.csv, row 11) is not understood as a number" in warnings.item(0, "detail")


def test_a_photograph_of_a_page_is_its_copy_whatever_its_row_says(home: Path) -> None:
    _, place_of = units_of(home)
    drawn = pools_of(home).select(pl.col("unit_id", "negative_unit_id").replace_strict(place_of)).rows()
    assert ("serum-1.pdf#1", "photo.jpg#1") not in drawn
    assert ("photo.jpg#1", "serum-1.pdf#1") not in drawn
    assert ("serum-2.pdf#1", "photo.jpg#1") in drawn or ("photo.jpg#1", "serum-2.pdf#1") in drawn


def test_nothing_speaks_of_the_axes_of_business_documents(home: Path) -> None:
    with session(ProjectPaths(home=home)) as ledger:
        tables = {name: ledger.table(name) for name in TABLES}
    for name in ("negatives.negative", "negatives.shortfall"):
        assert set(tables[name]["axis"]) <= {*AXES, "appearance"}
    assert tables["receipts.receipt"].height > 0
    page = ProjectPaths(home=home).report.read_text(encoding="utf-8")
    assert "glucose · serum · 1" in page


def test_a_corrected_report_takes_the_place_of_the_one_before_in_every_pool(home: Path, tmp_path: Path) -> None:
    """Its questions have new ids and old wordings: what was asked of its look-alikes is not asked a second time."""
    after = tmp_path / "after"
    shutil.copytree(home, after)
    before, _ = units_of(after)
    (after / "corpus" / "plasma-2.pdf").write_bytes(a_report(specimen="Plasma", visit=2, bump=3))
    run_project(ProjectPaths(home=after), quiet=True)
    now, place_of = units_of(after)
    gone = before.keys() - now.keys()
    assert len(gone) == 2
    drawn = pools_of(after)
    assert gone.isdisjoint({*drawn["unit_id"], *drawn["negative_unit_id"]})
    new = {unit_id for unit_id in now.keys() - before.keys() if place_of[unit_id].startswith("plasma-2.pdf")}
    assert len(new) == 2
    assert new <= set(drawn["negative_unit_id"])
