"""Statements as tables: income statement and balance sheet with comparative columns, cash flows with one column."""

from collections.abc import Callable

from eval_pipeline.demo.sheet import GREY, Sheet
from eval_pipeline.demo.statements import Line, balance_sheet, cash_flow_statement, income_statement
from eval_pipeline.demo.styles import Body, frame_page
from eval_pipeline.demo.world import Company, Quarter, World

Statement = Callable[[World, Company, Quarter], list[Line]]


def draw_income_statement(sheet: Sheet) -> None:
    """This quarter, the quarter before and the year before: a sibling of another period may hold the answer too."""
    quarters = [sheet.quarter, sheet.quarter.back(1), sheet.quarter.back(4)]
    title = "Consolidated statements of income"
    body = frame_page(sheet, title=title, subtitle="Unaudited. USD millions, except per share data", period_in="none")
    _draw_table(sheet, body, income_statement, quarters)


def draw_cash_flow(sheet: Sheet) -> None:
    """One column; the period stands below the title, the company in the header only."""
    body = frame_page(sheet, title="Statement of cash flows", subtitle="USD millions", period_in="title")
    _draw_table(sheet, body, cash_flow_statement, [sheet.quarter])


def draw_balance_sheet(sheet: Sheet) -> None:
    """The end of this quarter and the end of the year before it."""
    title = "Consolidated balance sheets"
    body = frame_page(sheet, title=title, subtitle="Unaudited. USD millions", period_in="none")
    quarters = [sheet.quarter, sheet.quarter.back(sheet.quarter.number)]
    _draw_table(sheet, body, balance_sheet, quarters, heading="As of")


def _draw_table(
    sheet: Sheet, body: Body, statement: Statement, quarters: list[Quarter], heading: str = "Three months ended"
) -> None:
    step = 92.0
    places = {quarter: body.right - 8 - step * (len(quarters) - 1 - place) for place, quarter in enumerate(quarters)}
    top = _draw_heads(sheet, body, places, heading)
    columns = [statement(sheet.world, sheet.company, quarter) for quarter in quarters]
    lead = min(38.0, (body.bottom - top - 40) / len(columns[0]))
    for row, cells in enumerate(zip(*columns, strict=True)):
        y = top + lead * (row + 0.75)
        if row % 2 == 0:
            sheet.box(body.left, y - lead * 0.66, body.width, lead, "#f4f5f7")
        _draw_line(sheet, body, y, cells, places)
    end = "See accompanying notes to the condensed consolidated financial statements."
    sheet.text(body.left, top + lead * len(columns[0]) + 26, end, size=8, weight="italic", color=GREY)


def _draw_heads(sheet: Sheet, body: Body, places: dict[Quarter, float], heading: str) -> float:
    dark = sheet.company.palette.dark
    if len(places) > 1:
        sheet.text(body.right - 8, body.top + 12, heading, size=9, weight="bold", color=dark, align="right")
        for quarter, x in places.items():
            sheet.text(x, body.top + 30, quarter.end, size=8.5, weight="bold", align="right")
    else:
        sheet.text(body.right - 8, body.top + 30, "Amount", size=9, weight="bold", color=dark, align="right")
    sheet.rule(body.left, body.top + 40, body.right, body.top + 40, color=dark, width=1.2)
    return body.top + 46


def _draw_line(sheet: Sheet, body: Body, y: float, cells: tuple[Line, ...], places: dict[Quarter, float]) -> None:
    weight = "bold" if cells[0].is_total else "plain"
    if cells[0].is_total:
        sheet.rule(min(places.values()) - 52, y - 12, body.right, y - 12, color="#8b929c", width=0.5)
    sheet.text(body.left + 8, y, cells[0].metric, size=10, weight=weight)
    for cell, (quarter, x) in zip(cells, places.items(), strict=True):
        sheet.text(x, y, sheet.note(cell, quarter=quarter), size=10, weight=weight, align="right")
