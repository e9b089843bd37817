"""A metric over eight quarters, as a line whose last point alone carries its value."""

from itertools import pairwise

from eval_pipeline.demo.sheet import GREY, Sheet
from eval_pipeline.demo.statements import amount_of
from eval_pipeline.demo.styles import Body, frame_page

N_POINTS = 8
UNIT_LINES = {"count": "Number at the end of the quarter", "%": "Percent"}


def draw_trend(sheet: Sheet, *, metric: str) -> None:
    """The company is named in the header only, the quarter by the last tick of the axis and the caption."""
    quarters = [sheet.quarter.back(steps) for steps in reversed(range(N_POINTS))]
    lines = [amount_of(sheet.world, sheet.company, metric, quarter) for quarter in quarters]
    body = frame_page(
        sheet, title=f"{metric}, last eight quarters", subtitle=UNIT_LINES.get(lines[-1].unit, lines[-1].unit)
    )
    shown = sheet.note(lines[-1])
    points = _place([abs(line.value) for line in lines], body)
    _draw_grid(sheet, body)
    for (x1, y1), (x2, y2) in pairwise(points):
        sheet.rule(x1, y1, x2, y2, color=sheet.company.palette.accent, width=1.5)
    for (x, y), quarter in zip(points, quarters, strict=True):
        sheet.disc(x, y, 2.8, sheet.company.palette.dark)
        sheet.text(x, body.top + _tall(body) + 22, f"Q{quarter.number}", size=8.5, color=GREY, align="middle")
        sheet.text(x, body.top + _tall(body) + 33, str(quarter.year), size=8.5, color=GREY, align="middle")
    x, y = points[-1]
    sheet.text(x, y - 12, shown, size=13, weight="bold", color=sheet.company.palette.dark, align="middle")
    caption = f"{metric} in {sheet.quarter.short}: {shown}. Earlier quarters are drawn to scale and not restated."
    sheet.paragraph(body.left, body.top + _tall(body) + 66, caption, width=body.width, size=10)


def _tall(body: Body) -> float:
    return min(380.0, body.height - 130)


def _place(values: list[float], body: Body) -> list[tuple[float, float]]:
    least, most = min(values), max(values)
    spread = (most - least) or 1.0
    step = (body.width - 60) / (len(values) - 1)
    return [
        (body.left + 30 + step * place, body.top + _tall(body) * (0.72 - 0.40 * (value - least) / spread))
        for place, value in enumerate(values)
    ]


def _draw_grid(sheet: Sheet, body: Body) -> None:
    sheet.box(body.left, body.top, body.width, _tall(body), "#e9ebee")
    for part in range(6):
        y = body.top + _tall(body) * part / 5
        sheet.rule(body.left, y, body.right, y, color="#ffffff", width=1.5)
    sheet.rule(body.left, body.top + _tall(body), body.right, body.top + _tall(body), color="#5c636d", width=1.6)
