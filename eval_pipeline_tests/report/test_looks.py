"""How hard the negatives are, in words and on the page."""

import polars as pl
import pytest

from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.metrics.rejectable import BY_TEMPLATE, CAN
from eval_pipeline.negatives.hardness import HARDNESS
from eval_pipeline.report.building import build_report
from eval_pipeline.report.candidates import CandidateRow, CandidateTable
from eval_pipeline.report.looks import MAX_TEMPLATES, lay_hardness, lay_templates
from eval_pipeline_tests.report.conftest import a_report, a_task, an_example, body_text, read_html


def some_hardness() -> pl.DataFrame:
    rows = [("appearance", 2, 6, 1499, 2.5, 1, 3, 1.0), ("period", 195, 390, 1499, 4.0, 1, 1200, 0.62)]
    rows.append(("random", 195, 1170, 1499, 751.0, 130, 1360, 0.004))
    return pl.DataFrame(rows, schema=HARDNESS.schema, orient="row")


def some_templates(n: int = 2) -> pl.DataFrame:
    rows = [("tpl_bad", "declared axes", 40, 0.9, 0.77, 0.96, 0.25, CAN)]
    rows += [
        (f"tpl_{place:03}", "appearance", 1, 0.0, None, None, 0.25, "1 question, 30 needed") for place in range(1, n)
    ]
    return pl.DataFrame(rows, schema=BY_TEMPLATE.schema, orient="row")


def test_hardness_by_axis_in_words():
    rows = lay_hardness(some_hardness())
    assert [(row.name, row.median, row.spread, row.top_share) for row in rows] == [
        ("nearest by appearance", "2.5", "1 to 3", "100%"),
        ("other period", "4", "1 to 1,200", "62%"),
        ("random pages", "751", "130 to 1,360", "under 1%"),
    ]
    assert lay_hardness(None) == ()


def test_templates_by_name_with_what_is_missing_named():
    bad, small = lay_templates(some_templates(), {"tpl_bad": "income statement (bad)"})
    assert (bad.name, bad.gold_first, bad.interval, bad.chance) == (
        "income statement (bad)",
        "0.90",
        "0.77 to 0.96",
        "0.25",
    )
    assert (bad.is_rejectable, small.is_rejectable) == (True, False)
    assert (small.name, small.interval, small.verdict) == ("tpl_001", "no interval", "1 question, 30 needed")
    unnamed = some_templates().with_columns(template_id=pl.lit("")).head(1)
    assert lay_templates(unnamed, {})[0].name == "no template"


def test_a_frame_of_other_columns_is_our_fault():
    with pytest.raises(LineageError, match="median_rank"):
        lay_hardness(some_hardness().drop("median_rank"))


def test_the_page_shows_hardness_templates_and_candidates():
    row = CandidateRow(
        unit_id="u_gold", caption="revenue", source="a.pdf p. 1", role="gold", looks="the page itself",
        contains="yes: sufficient (model judge)", kind="sufficient", places=("2",),
    )  # fmt: skip
    table = CandidateTable(variants=("image",), rows=(row,))
    task = a_task(
        hardness=some_hardness(),
        by_template=some_templates(MAX_TEMPLATES + 3),
        looks="cannot be rejected",
        examples=(an_example(candidates=table),),
    )
    page = build_report(a_report(task))
    told = body_text(page)
    for words in (
        "How hard the negatives are",
        "random pages",
        "Looks alone: cannot be rejected.",
        "3 further rows",
        CAN,
    ):
        assert words in told
    (candidates,) = read_html(page).find_all("details", class_="candidates")
    assert "revenue a.pdf p. 1 gold the page itself yes: sufficient (model judge) 2" in " ".join(
        cell.text for cell in candidates.find_all("th")[-1:] + candidates.find_all("td")
    )


def test_without_figures_there_is_no_heading():
    assert "How hard the negatives are" not in build_report(a_report(a_task()))
