import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from eval_pipeline.demo.sheet import Sheet
from eval_pipeline.demo.statements import Line
from eval_pipeline.demo.world import QUARTERS


@pytest.fixture
def sheet(world):
    canvas = Canvas(io.BytesIO(), invariant=1)
    return Sheet(canvas=canvas, world=world, company=world.company(0), quarter=QUARTERS[4], size=(612, 792), number=1)


def test_a_noted_line_is_a_fact_and_is_shown_as_printed(sheet):
    assert sheet.note(Line(metric="Revenue", value=-1234)) == "(1,234)"
    assert [(fact.metric, fact.shown, fact.period) for fact in sheet.facts] == [("Revenue", "(1,234)", "2024-Q1")]
    sheet.note(Line(metric="Revenue", value=5), is_readable=False)
    assert sheet.facts[1].shown is None


def test_a_mention_has_no_value(sheet):
    sheet.mention("Revenue")
    assert (sheet.mentions[0].metric, sheet.facts) == ("Revenue", [])


def test_a_paragraph_moves_down_by_its_lines(sheet):
    assert sheet.paragraph(50, 100, "one two", width=400, size=10, lead=1.5) == 115
    assert sheet.paragraph(50, 100, "word " * 60, width=400, size=10, lead=1.5) > 130
    assert not sheet.is_wide
