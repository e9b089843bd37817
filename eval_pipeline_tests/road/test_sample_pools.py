"""Hard negatives of real statement pages: the same statement of other years, and of other companies in that year."""

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pypdfium2
import pytest

import eval_pipeline
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.orchestration.question_sets import read_pools
from eval_pipeline.orchestration.reading import members_in_force
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.running import run_project

pytestmark = pytest.mark.shared

DATA = Path(eval_pipeline.__file__).parents[1] / "data"
WINDOWS = {
    "AMAZON_2017_10K": range(35, 43),
    "AMAZON_2018_10K": range(34, 42),
    "AMAZON_2019_10K": range(35, 43),
    "AMAZON_2020_10K": range(36, 44),
    "COSTCO_2020_10K": range(33, 41),
    "NETFLIX_2017_10K": range(40, 48),
}
"""Pages around the financial statements of each filing, from 1: the statements and some pages of other kinds."""
DECLARED = r"""
corpus: {documents: "corpus/*.pdf", metadata: corpus/manifest.parquet, id: doc_id, path: file}
facets:
  entity: {column: entity, parse: entity}
  period: {columns: [fiscal_year, fiscal_quarter], parse: period}
  metric:
    pattern: {text: "^CONSOLIDATED (?P<metric>BALANCE SHEETS|STATEMENTS OF [A-Z ’']+)$"}
    synonyms: {income statement: [statements of operations, statements of income]}
axes: [period, metric, entity]
negatives: {k: 6, random: 6}
questions: {writers: []}
"""
BY_LOOK = ("page_templates", "hard_negatives")
TO_POOLS = ("documents", "pages", "page_text", "page_vectors", *BY_LOOK)
INCOME = "income statement"
Statement = tuple[str, str, str]


class Pool(NamedTuple):
    """What one page got: statements by axis in order of rank, and the reasons of missing places."""

    found: dict[str, list[Statement]]
    missing: dict[str, str]
    pictures: list[Path]


class Pools:
    """Pools in force of a project, by company, metric and period of the page."""

    def __init__(self, home: Path) -> None:
        project = Project(home=str(home))
        members = members_in_force(project)
        wanted = {"wanted": read_pools(project, members).select("pool_id")}
        facets = {row["unit_id"]: json.loads(row["facets"]) for row in members.iter_rows(named=True)}
        self._said = {
            unit_id: (told["entity"], told.get("metric", ""), told["period"]) for unit_id, told in facets.items()
        }
        self._pictures = {row["unit_id"]: home / row["picture_path"] for row in members.iter_rows(named=True)}
        self._negatives = project.read("negatives/negatives_of", frames=wanted)
        self._missing = project.read("negatives/shortfalls_of", frames=wanted)

    def of(self, entity: str, period: str) -> Pool:
        """The pool of the one income statement of a company and year."""
        (unit_id,) = [unit for unit, said in self._said.items() if said == (entity, INCOME, period)]
        mine = self._negatives.filter(pl.col("unit_id") == unit_id).sort("axis", "rank")
        found: dict[str, list[Statement]] = {}
        for axis, other in mine.select("axis", "negative_unit_id").iter_rows():
            found.setdefault(axis, []).append(self._said[other])
        missing = self._missing.filter(pl.col("unit_id") == unit_id).select("axis", "reason").iter_rows()
        pictures = [self._pictures[other] for other in [unit_id, *mine["negative_unit_id"]]]
        return Pool(found=found, missing=dict(missing), pictures=pictures)


@pytest.fixture(scope="module")
def home(sample_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with the templates that the pages themselves give."""
    place = tmp_path_factory.mktemp("pools")
    (place / "corpus").mkdir()
    for name, pages in WINDOWS.items():
        whole, part = pypdfium2.PdfDocument(sample_dir / "pdfs" / f"{name}.pdf"), pypdfium2.PdfDocument.new()
        part.import_pages(whole, [page - 1 for page in pages])
        part.save(place / "corpus" / f"{name}.pdf")
    manifest = pl.read_parquet(sample_dir / "manifest.parquet").filter(pl.col("doc_id").is_in(list(WINDOWS)))
    files = manifest["file"].str.replace("pdfs/", "", literal=True)
    manifest.with_columns(file=files).write_parquet(place / "corpus" / "manifest.parquet")
    for folder in ("models", "contracts"):
        shutil.copytree(DATA / folder, place / folder)
    (place / "eval.yaml").write_text(DECLARED, encoding="utf-8")
    run(place, TO_POOLS)
    return place


@pytest.fixture(scope="module")
def by_look(home: Path) -> Pools:
    """Pools within the templates that the pages themselves give."""
    return Pools(home)


@pytest.fixture(scope="module")
def in_one_template(home: Path, by_look: Pools) -> Pools:
    """Pools where all pages are one template: what the facets alone let through."""
    assert by_look
    (home / "eval.yaml").write_text(DECLARED + "templates: {cut: 1.9}\n", encoding="utf-8")
    run(home, BY_LOOK)
    return Pools(home)


def run(place: Path, select: tuple[str, ...]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAGSTER_HOME", "")
        run_project(ProjectPaths(home=place), select=select, quiet=True)


def test_the_income_statement_of_amazon_2019_stands_against_its_other_years(by_look: Pools) -> None:
    pool = by_look.of("amazon", "FY2019")
    years = [period for entity, metric, period in pool.found["period"] if (entity, metric) == ("amazon", INCOME)]
    assert len(years) == len(pool.found["period"]) == 2
    assert set(years) <= {"FY2017", "FY2018", "FY2020"}
    assert all(path.is_file() and path.stat().st_size > 10_000 for path in pool.pictures)


def test_no_other_company_states_fy2019_and_that_is_told(by_look: Pools, in_one_template: Pools) -> None:
    for pools in (by_look, in_one_template):
        pool = pools.of("amazon", "FY2019")
        assert "entity" not in pool.found
        assert pool.missing["entity"] == "no sibling differs on this axis alone"


@pytest.mark.parametrize(("period", "other"), [("FY2017", "netflix"), ("FY2020", "costco")])
def test_another_company_s_income_statement_of_the_same_year_is_the_entity_negative(
    in_one_template: Pools, period: str, other: str
) -> None:
    pool = in_one_template.of("amazon", period)
    assert pool.found["entity"] == [(other, INCOME, period)]
    assert {(entity, metric) for entity, metric, _ in pool.found["period"]} == {("amazon", INCOME)}
    assert {(entity, year) for entity, _, year in pool.found["metric"]} == {("amazon", period)}
    assert in_one_template.of(other, period).found["entity"] == [("amazon", INCOME, period)]
