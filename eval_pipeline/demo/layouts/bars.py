"""A metric by segment, as bars with their values: the layout that is drawn for many metrics with the same look."""

from eval_pipeline.demo.plan import Values
from eval_pipeline.demo.sheet import GREY, Sheet
from eval_pipeline.demo.statements import Line
from eval_pipeline.demo.styles import Body, frame_page

RESTATED_SHARE = 0.93  # of the first segment's amount; what a restatement leaves of it

BASIS = (
    "Segments are reported on the basis on which management reviews them. Amounts between segments are eliminated in "
    "the segment that sells. Segment figures are unaudited."
)


def draw_bars(sheet: Sheet, *, metric: str, values: Values = "printed", is_restated: bool = False) -> None:
    """One bar a segment and their total; a restated page differs in two amounts and a footnote."""
    body = frame_page(sheet, title=f"{metric} by segment", subtitle="USD millions")
    amounts = segment_amounts(sheet, metric, is_restated=is_restated)
    revision = "restated" if is_restated else "original"
    total = sum(amounts.values())
    labels = {
        segment: sheet.note(
            Line(metric=metric, value=amount), scope=segment, is_readable=values == "printed", revision=revision
        )
        for segment, amount in amounts.items()
    }
    shown = sheet.note(Line(metric=metric, value=total), is_readable=values == "printed", revision=revision)
    if sheet.is_wide:
        _draw_columns(sheet, body, amounts, labels, values)
    else:
        _draw_rows(sheet, body, amounts, labels, values)
    _draw_total(sheet, body, f"Total {metric[0].lower()}{metric[1:]}", shown, values)
    if not sheet.is_wide:
        sheet.paragraph(body.left, body.top + 458, BASIS, width=body.width, size=9)
    if is_restated:
        note = "(1) Amounts have been revised from those previously reported; see Note 2."
        sheet.text(body.left, body.bottom - 4, note, size=7, color=GREY)


def segment_amounts(sheet: Sheet, metric: str, *, is_restated: bool) -> dict[str, int]:
    """Amount of each segment; a restatement lowers the first one."""
    amounts = {
        segment: sheet.world.figure(sheet.company, metric, segment, sheet.quarter) for segment in sheet.company.segments
    }
    if is_restated:
        first = sheet.company.segments[0]
        amounts[first] = min(round(amounts[first] * RESTATED_SHARE), amounts[first] - 1)
    return amounts


def _draw_rows(sheet: Sheet, body: Body, amounts: dict[str, int], labels: dict[str, str], values: Values) -> None:
    step = 96.0
    start, room = body.left + 128, body.width - 196
    largest = max(amounts.values())
    for part in range(1, 6):
        x = start + room * part / 5
        sheet.rule(x, body.top + 8, x, body.top + step * len(amounts), color="#dde1e6", width=0.5)
    sheet.rule(start, body.top + 8, start, body.top + step * len(amounts), color="#9aa1ab", width=0.8)
    for place, (segment, amount) in enumerate(amounts.items()):
        y = body.top + 22 + step * place
        sheet.text(start - 12, y + 30, segment, size=11, align="right")
        sheet.box(start, y, room * amount / largest, 44, sheet.company.palette.accent)
        _draw_value(sheet, start + room * amount / largest + 8, y + 30, labels[segment], values, align="left")


def _draw_columns(sheet: Sheet, body: Body, amounts: dict[str, int], labels: dict[str, str], values: Values) -> None:
    step, room, floor = body.width / len(amounts), body.height - 140, body.bottom - 90
    largest = max(amounts.values())
    sheet.rule(body.left, floor, body.right, floor, color="#9aa1ab", width=0.8)
    for place, (segment, amount) in enumerate(amounts.items()):
        x = body.left + step * place + step * 0.2
        tall = room * amount / largest
        sheet.box(x, floor - tall, step * 0.6, tall, sheet.company.palette.accent)
        _draw_value(sheet, x + step * 0.3, floor - tall - 8, labels[segment], values, align="middle")
        sheet.text(x + step * 0.3, floor + 18, segment, size=11, align="middle")


def _draw_total(sheet: Sheet, body: Body, label: str, shown: str, values: Values) -> None:
    y = body.top + 424 if not sheet.is_wide else body.bottom - 30
    sheet.rule(body.left, y - 18, body.right, y - 18, color=sheet.company.palette.dark, width=1)
    sheet.text(body.left, y, label, size=11, weight="bold")
    _draw_value(sheet, body.right, y, shown, values, align="right", weight="bold")


def _draw_value(
    sheet: Sheet, x: float, y: float, shown: str, values: Values, *, align: str, weight: str = "plain"
) -> None:
    if values == "printed":
        sheet.text(x, y, shown, size=11, weight=weight, align=align)
    elif values == "illegible":
        _smudge(sheet, x - (30 if align == "right" else 15 if align == "middle" else 0), y)


def _smudge(sheet: Sheet, x: float, y: float) -> None:
    """What a bad scan leaves of a number: grey blots, no text."""
    draw = sheet.world.draw(sheet.company, "smudge", str(x), str(y))
    for blot in range(14):
        name = str(blot)
        sheet.box(
            x + 26 * draw.number("x", name),
            y - 9 * draw.number("y", name),
            3 + 3 * draw.number("w", name),
            2,
            "#b9bec6",
        )
