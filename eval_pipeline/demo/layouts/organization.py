"""The organisation chart: who leads the company and its segments, and how many people work there."""

from eval_pipeline.demo.names import FIRST_NAMES, LAST_NAMES
from eval_pipeline.demo.sheet import GREY, Sheet
from eval_pipeline.demo.statements import Line, segment_employees
from eval_pipeline.demo.styles import Body, frame_page

TALL = 74.0


def draw_organization(sheet: Sheet) -> None:
    """One box for the chief executive, one for finance, one a segment with its employees; the total stands below."""
    body = frame_page(sheet, title="Organization", subtitle="Employees at the end of the quarter", period_in="title")
    counts = segment_employees(sheet.world, sheet.company, sheet.quarter)
    middle = body.left + body.width / 2
    top = Body(left=middle - 85, top=body.top + 6, width=170, height=TALL)
    office = Body(left=body.right - 150, top=body.top + 6 + TALL * 1.35, width=150, height=TALL)
    _draw_box(sheet, top, "Chief executive", _leader(sheet, "chief"), None)
    _draw_box(sheet, office, "Finance", sheet.company.officer, None)
    bar = _row_top(sheet, body) - 22
    sheet.rule(middle, top.bottom, middle, bar, color="#8b929c", width=1.2)
    sheet.rule(middle, office.top + TALL / 2, office.left, office.top + TALL / 2, color="#8b929c", width=1.2)
    for place, (segment, count) in enumerate(counts.items()):
        _draw_segment(sheet, body, place, segment, count)
    total = sheet.note(Line(metric="Employees", value=sum(counts.values()), unit="count"))
    y = body.bottom - 12
    sheet.rule(body.left, y - 20, body.right, y - 20, color=sheet.company.palette.dark, width=1)
    sheet.text(body.left, y, "Employees", size=11, weight="bold")
    sheet.text(body.right, y, total, size=11, weight="bold", align="right")


def _draw_segment(sheet: Sheet, body: Body, place: int, segment: str, count: int) -> None:
    columns, gap = (4, 12.0) if sheet.is_wide else (2, 24.0)
    wide = (body.width - gap * (columns - 1)) / columns
    x = body.left + (wide + gap) * (place % columns)
    y = _row_top(sheet, body) + (TALL + 62) * (place // columns)
    shown = sheet.note(Line(metric="Employees", value=count, unit="count"), scope=segment)
    middle, bar = body.left + body.width / 2, _row_top(sheet, body) - 22
    if place // columns == 0:
        sheet.rule(min(x + wide / 2, middle), bar, max(x + wide / 2, middle), bar, color="#8b929c", width=1.2)
        sheet.rule(x + wide / 2, bar, x + wide / 2, y, color="#8b929c", width=1.2)
    else:
        sheet.rule(x + wide / 2, y - 62, x + wide / 2, y, color="#8b929c", width=1.2)
    _draw_box(sheet, Body(left=x, top=y, width=wide, height=TALL), segment, _leader(sheet, segment), shown)


def _row_top(sheet: Sheet, body: Body) -> float:
    return body.top + (250.0 if not sheet.is_wide else 236.0)


def _draw_box(sheet: Sheet, box: Body, role: str, name: str, count: str | None) -> None:
    palette = sheet.company.palette
    sheet.box(box.left, box.top, box.width, box.height, palette.soft)
    sheet.box(box.left, box.top, box.width, 4, palette.accent)
    middle = box.left + box.width / 2
    sheet.text(middle, box.top + 24, role, size=10.5, weight="bold", color=palette.dark, align="middle")
    sheet.text(middle, box.top + 40, name, size=9, color=GREY, align="middle")
    if count is not None:
        sheet.text(middle, box.top + 60, f"{count} employees", size=10, align="middle")


def _leader(sheet: Sheet, role: str) -> str:
    draw = sheet.world.draw(sheet.company, "leader", role)
    return f"{draw.pick('first', FIRST_NAMES)} {draw.pick('last', LAST_NAMES)}"
