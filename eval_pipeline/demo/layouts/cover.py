"""First page of a report: name, kind of report, period; no figures."""

from eval_pipeline.demo.sheet import GREY, Sheet
from eval_pipeline.demo.styles import draw_mark


def draw_cover(sheet: Sheet, *, kind: str = "Quarterly report") -> None:
    """Band of colour, logo, kind of report and period."""
    palette = sheet.company.palette
    sheet.box(0, 0, sheet.width, sheet.height * 0.42, palette.dark)
    sheet.box(0, sheet.height * 0.42, sheet.width, 8, palette.accent)
    draw_mark(sheet, 64, 72, 54, palette.soft)
    sheet.text(64, sheet.height * 0.34, sheet.company.name, size=34, weight="bold", color="#ffffff")
    y = sheet.height * 0.54
    sheet.text(64, y, kind, size=20, weight="bold", color=palette.dark)
    sheet.text(64, y + 28, sheet.quarter.line, size=13)
    sheet.text(64, y + 52, f"Trading symbol: {sheet.company.ticker}", size=11, color=GREY)
    sheet.text(64, y + 70, f"Segments: {', '.join(sheet.company.segments)}", size=11, color=GREY)
    words = "This report contains unaudited figures. Amounts are in US dollars; differences may arise from rounding."
    sheet.paragraph(64, sheet.height - 76, words, width=sheet.width - 128, size=8.5)
