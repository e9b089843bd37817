import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from eval_pipeline.demo.sheet import Sheet
from eval_pipeline.demo.styles import draw_foot, frame_page, size_of
from eval_pipeline.demo.world import QUARTERS


@pytest.mark.parametrize("number", [0, 3, 6])
def test_the_body_lies_inside_the_page(world, number):
    company = world.company(number)
    canvas = Canvas(io.BytesIO(), invariant=1)
    size = size_of(company.style)
    sheet = Sheet(canvas=canvas, world=world, company=company, quarter=QUARTERS[4], size=size, number=1)
    body = frame_page(sheet, title="Revenue by segment", subtitle="USD millions")
    draw_foot(sheet)
    assert 0 < body.left < body.right < sheet.width
    assert 0 < body.top < body.bottom < sheet.height - 48


def test_slides_are_landscape():
    assert size_of("deck") == (792.0, 612.0)
    assert size_of("band") == size_of("rule") == (612.0, 792.0)
