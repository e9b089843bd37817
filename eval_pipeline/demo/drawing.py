"""Draw a planned document as a PDF: the same plan gives the same bytes.

Streams are left uncompressed, because zlib builds compress differently, and only the built-in Type-1 fonts are used.
"""

import io
from collections.abc import Callable

from reportlab.pdfgen.canvas import Canvas

from eval_pipeline.demo.facts import PageTruth
from eval_pipeline.demo.layouts.bars import draw_bars
from eval_pipeline.demo.layouts.cover import draw_cover
from eval_pipeline.demo.layouts.organization import draw_organization
from eval_pipeline.demo.layouts.prose import draw_review_report, draw_risks, draw_signatures
from eval_pipeline.demo.layouts.segment_page import draw_segment_page
from eval_pipeline.demo.layouts.tables import draw_balance_sheet, draw_cash_flow, draw_income_statement
from eval_pipeline.demo.layouts.tiles import draw_key_figures, draw_summary
from eval_pipeline.demo.layouts.trend import draw_trend
from eval_pipeline.demo.plan import DocumentPlan, PagePlan
from eval_pipeline.demo.sheet import Sheet
from eval_pipeline.demo.styles import draw_foot, size_of
from eval_pipeline.demo.world import World

LAYOUTS: dict[str, Callable[[Sheet, PagePlan], None]] = {
    "cover": lambda sheet, _: draw_cover(sheet),
    "summary": lambda sheet, _: draw_summary(sheet),
    "key_figures": lambda sheet, _: draw_key_figures(sheet),
    "income_statement": lambda sheet, _: draw_income_statement(sheet),
    "cash_flow": lambda sheet, _: draw_cash_flow(sheet),
    "bars": lambda sheet, page: draw_bars(
        sheet, metric=page.metric or "", values=page.values, is_restated=page.is_restated
    ),
    "trend": lambda sheet, page: draw_trend(sheet, metric=page.metric or ""),
    "balance_sheet": lambda sheet, _: draw_balance_sheet(sheet),
    "segment_page": lambda sheet, page: draw_segment_page(sheet, segment=sheet.company.segments[page.segment]),
    "organization": lambda sheet, _: draw_organization(sheet),
    "risks": lambda sheet, _: draw_risks(sheet),
    "review_report": lambda sheet, _: draw_review_report(sheet),
    "signatures": lambda sheet, _: draw_signatures(sheet),
}


def draw_document(world: World, plan: DocumentPlan, path: str) -> tuple[bytes, list[PageTruth]]:
    """PDF bytes of a document, and what is true on its pages.

    Args:
        world: figures.
        plan: what to draw.
        path: where the document will lie, relative to the project folder; for the truth.
    """
    out = io.BytesIO()
    size = size_of(plan.company.style)
    canvas = Canvas(out, pagesize=size, pageCompression=0, invariant=1, lang="en")
    canvas.setTitle(f"{plan.company.name}, {plan.quarter.short}")
    canvas.setAuthor(plan.company.name)
    truths = []
    for number, page in enumerate(plan.pages, start=1):
        sheet = Sheet(canvas=canvas, world=world, company=plan.company, quarter=plan.quarter, size=size, number=number)
        LAYOUTS[page.layout](sheet, page)
        if page.layout != "cover":
            draw_foot(sheet)
        canvas.showPage()
        truths.append(
            PageTruth(
                document=path,
                page=number,
                layout=page.layout,
                entity=plan.company.name,
                period=plan.quarter.name,
                facts=tuple(sheet.facts),
                mentions=tuple(sheet.mentions),
            )
        )
    canvas.save()
    return out.getvalue(), truths
