"""First page of a report: name, kind of report, period; no figures."""

from eval_pipeline.demo.sheet import GREY, Sheet
from eval_pipeline.demo.styles import draw_mark

CAUTION = "This report contains unaudited figures. Amounts are in US dollars; differences may arise from rounding."


def draw_cover(sheet: Sheet, *, kind: str = "Quarterly report") -> None:
    """Logo, name, kind of report and period, in the manner of the house style."""
    if sheet.company.style == "rule":
        _draw_plain_cover(sheet, kind)
    else:
        _draw_filled_cover(sheet, kind)


def _draw_plain_cover(sheet: Sheet, kind: str) -> None:
    """White, everything centred between two pairs of lines."""
    palette, middle = sheet.company.palette, sheet.width / 2
    draw_mark(sheet, middle - 30, 120, 60, palette.accent)
    sheet.text(middle, 250, sheet.company.name, size=30, weight="bold", color=palette.dark, align="middle")
    for y in (282.0, 286.0, 420.0, 424.0):
        sheet.rule(90, y, sheet.width - 90, y, color=palette.dark, width=1.0)
    sheet.text(middle, 340, kind, size=22, color=palette.dark, align="middle")
    sheet.text(middle, 374, sheet.quarter.line, size=13, weight="italic", align="middle")
    sheet.text(middle, 470, f"Trading symbol: {sheet.company.ticker}", size=11, color=GREY, align="middle")
    sheet.text(middle, 490, f"Segments: {', '.join(sheet.company.segments)}", size=11, color=GREY, align="middle")
    sheet.paragraph(90, sheet.height - 96, CAUTION, width=sheet.width - 180, size=8.5)


def _draw_filled_cover(sheet: Sheet, kind: str) -> None:
    """A band of colour that holds the name."""
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
    sheet.paragraph(64, sheet.height - 76, CAUTION, width=sheet.width - 128, size=8.5)
