"""Key figures in six tiles, and the summary that repeats facts of other pages."""

from eval_pipeline.demo.sheet import GREY, Sheet
from eval_pipeline.demo.statements import Line, amount_of, key_figures
from eval_pipeline.demo.styles import Body, frame_page
from eval_pipeline.demo.world import CONSOLIDATED

UNIT_WORDS = {"USD millions": "USD millions", "USD": "USD", "%": "percent", "count": "at the end of the period"}


def draw_key_figures(sheet: Sheet) -> None:
    """Six tiles; the period stands below the title."""
    body = frame_page(sheet, title="Key figures", subtitle="unaudited", period_in="title")
    lines = key_figures(sheet.world, sheet.company, sheet.quarter)
    columns = 3 if sheet.is_wide else 2
    rows = len(lines) // columns
    wide = (body.width - 18 * (columns - 1)) / columns
    tall = min(166.0, (body.height - 18 * (rows - 1)) / rows)
    for place, line in enumerate(lines):
        x, y = body.left + (wide + 18) * (place % columns), body.top + (tall + 18) * (place // columns)
        _draw_tile(sheet, line, Body(left=x, top=y, width=wide, height=tall))


def _draw_tile(sheet: Sheet, line: Line, tile: Body) -> None:
    x, y = tile.left, tile.top
    sheet.box(x, y, tile.width, tile.height, "#f4f5f7")
    sheet.box(x, y, 5, tile.height, sheet.company.palette.accent)
    sheet.text(x + 20, y + 30, line.metric, size=11, color=GREY)
    shown = sheet.note(line)
    sheet.text(x + 20, y + tile.height * 0.62, shown, size=27, weight="bold", color=sheet.company.palette.dark)
    sheet.text(x + 20, tile.bottom - 18, UNIT_WORDS.get(line.unit, line.unit), size=8.5, color=GREY)


def draw_summary(sheet: Sheet) -> None:
    """The quarter at a glance: totals that other pages of the same report hold as well."""
    body = frame_page(sheet, title="The quarter at a glance", subtitle="USD millions", period_in="title")
    y = body.top + 26
    for metric in ("Revenue", "Operating income", "Net income", "Capital expenditure", "Order backlog"):
        y = _draw_row(sheet, body, metric, y)
    words = (
        f"{sheet.company.name} reports in four segments: {', '.join(sheet.company.segments[:3])} and "
        f"{sheet.company.segments[3]}. Figures on this page are taken from the pages that follow and are repeated "
        "here for convenience; the detailed tables prevail."
    )
    sheet.paragraph(body.left, y + 16, words, width=body.width, size=10)


def _draw_row(sheet: Sheet, body: Body, metric: str, y: float) -> float:
    value = abs(amount_of(sheet.world, sheet.company, metric, sheet.quarter).value)
    shown = sheet.note(Line(metric=metric, value=value), scope=CONSOLIDATED)
    sheet.text(body.left, y, metric, size=13)
    sheet.text(body.right, y, shown, size=20, weight="bold", color=sheet.company.palette.dark, align="right")
    sheet.rule(body.left, y + 16, body.right, y + 16, color=sheet.company.palette.soft, width=1.2)
    return y + (64 if not sheet.is_wide else 48)
