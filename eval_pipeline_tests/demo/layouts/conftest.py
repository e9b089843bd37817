"""Draw one page of one layout and read it back."""

from collections.abc import Callable

import pypdfium2 as pdfium
import pytest

from eval_pipeline.demo.drawing import draw_document
from eval_pipeline.demo.facts import PageTruth
from eval_pipeline.demo.plan import DocumentPlan, PagePlan
from eval_pipeline.demo.world import QUARTERS, Quarter, World

DrawPage = Callable[..., tuple[str, PageTruth]]


@pytest.fixture
def draw_page(world: World) -> DrawPage:
    def draw(page: PagePlan, *, number: int = 0, quarter: Quarter = QUARTERS[5]) -> tuple[str, PageTruth]:
        plan = DocumentPlan(name="x", company=world.company(number), quarter=quarter, pages=(page,))
        data, (truth,) = draw_document(world, plan, "corpus/x.pdf")
        text = pdfium.PdfDocument(data)[0].get_textpage().get_text_range()
        return text.replace("\r\n", "\n"), truth

    return draw
