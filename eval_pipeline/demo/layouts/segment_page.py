"""One segment on a page of its own: its figures beside those of a year ago, and its revenue over four quarters."""

from eval_pipeline.demo.sheet import GREY, Sheet
from eval_pipeline.demo.statements import Line
from eval_pipeline.demo.styles import Body, frame_page
from eval_pipeline.demo.world import SEGMENT_METRICS, Quarter

METRICS = ("Revenue", *SEGMENT_METRICS)
N_BARS = 4
STEP = 100.0


def draw_segment_page(sheet: Sheet, *, segment: str) -> None:
    """A table with two columns above four bars; repeats facts of the charts by segment."""
    body = frame_page(sheet, title=f"{segment} segment", subtitle="USD millions", period_in="none")
    quarters = (sheet.quarter, sheet.quarter.back(4))
    lead = 33.0 if not sheet.is_wide else 26.0
    dark = sheet.company.palette.dark
    sheet.text(body.right - 8, body.top + 8, "Three months ended", size=9, weight="bold", color=dark, align="right")
    for place, quarter in enumerate(quarters):
        x = body.right - 8 - STEP * (len(quarters) - 1 - place)
        sheet.text(x, body.top + 24, quarter.end, size=8.5, weight="bold", align="right")
    sheet.rule(body.left, body.top + 31, body.right, body.top + 31, color=dark, width=1.2)
    for row, metric in enumerate(METRICS):
        y = body.top + 31 + lead * (row + 0.7)
        sheet.text(body.left + 8, y, f"{segment} segment {metric[0].lower()}{metric[1:]}", size=10)
        for place, quarter in enumerate(quarters):
            x = body.right - 8 - STEP * (len(quarters) - 1 - place)
            sheet.text(x, y, _note(sheet, segment, metric, quarter), size=10, align="right")
        sheet.rule(body.left, y + lead * 0.3, body.right, y + lead * 0.3, color="#dde1e6", width=0.5)
    _draw_bars(sheet, body, segment, body.top + 60 + lead * len(METRICS))


def _note(sheet: Sheet, segment: str, metric: str, quarter: Quarter) -> str:
    amount = sheet.world.figure(sheet.company, metric, segment, quarter)
    return sheet.note(Line(metric=metric, value=amount), scope=segment, quarter=quarter)


def _draw_bars(sheet: Sheet, body: Body, segment: str, top: float) -> None:
    """Bars without values: drawn to scale, nothing to read off."""
    sheet.text(body.left, top, f"{segment} segment, last four quarters, drawn to scale", size=9, color=GREY)
    quarters = [sheet.quarter.back(steps) for steps in reversed(range(N_BARS))]
    amounts = [sheet.world.figure(sheet.company, "Revenue", segment, quarter) for quarter in quarters]
    floor = body.bottom - 30
    room, step = floor - top - 24, body.width / N_BARS
    sheet.rule(body.left, floor, body.right, floor, color="#9aa1ab", width=0.8)
    for place, (quarter, amount) in enumerate(zip(quarters, amounts, strict=True)):
        tall = room * amount / max(amounts)
        x = body.left + step * (place + 0.3)
        sheet.box(x, floor - tall, step * 0.4, tall, sheet.company.palette.soft)
        sheet.box(x, floor - tall, step * 0.4, 5, sheet.company.palette.accent)
        sheet.text(x + step * 0.2, floor + 16, quarter.short, size=8.5, color=GREY, align="middle")
