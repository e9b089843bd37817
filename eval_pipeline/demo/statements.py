"""Lines of statements and key figures: amounts that add up, in USD millions unless a line says otherwise."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval_pipeline.demo.world import CONSOLIDATED, Company, Quarter, World


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of a statement.

    Attributes:
        metric: label as printed.
        value: amount; negative ones are printed in parentheses.
        unit: `USD millions`, `USD`, `%`, `count`.
        is_total: whether the line is set in bold below a rule.
    """

    metric: str
    value: float
    unit: str = "USD millions"
    is_total: bool = False


def income_statement(world: World, company: Company, quarter: Quarter) -> list[Line]:
    """Revenue down to earnings per share; ten lines in a fixed order."""

    def whole(metric: str) -> int:
        return world.figure(company, metric, CONSOLIDATED, quarter)

    draw = world.draw(company, "income", quarter.name)
    revenue, operating, research = whole("Revenue"), whole("Operating income"), whole("Research and development")
    selling = round(revenue * (0.09 + 0.05 * draw.number("selling")))
    gross = operating + research + selling
    interest = round(revenue * (0.006 + 0.006 * draw.number("interest")))
    before = operating - interest
    taxes = round(before * (0.19 + 0.05 * draw.number("taxes")))
    shares = 210 + round(520 * world.draw(company).number("shares"))
    return [
        Line(metric="Revenue", value=revenue),
        Line(metric="Cost of revenue", value=revenue - gross),
        Line(metric="Gross profit", value=gross, is_total=True),
        Line(metric="Research and development", value=research),
        Line(metric="Selling, general and administrative", value=selling),
        Line(metric="Operating income", value=operating, is_total=True),
        Line(metric="Interest expense", value=interest),
        Line(metric="Income before income taxes", value=before, is_total=True),
        Line(metric="Income taxes", value=taxes),
        Line(metric="Net income", value=before - taxes, is_total=True),
        Line(metric="Diluted earnings per share", value=round((before - taxes) / shares, 2), unit="USD"),
    ]


def cash_flow_statement(world: World, company: Company, quarter: Quarter) -> list[Line]:
    """Operating, investing and financing cash flows; eleven lines in a fixed order."""
    draw = world.draw(company, "cash", quarter.name)
    profit = _amounts(income_statement(world, company, quarter))["Net income"]
    written_off = world.figure(company, "Depreciation and amortization", CONSOLIDATED, quarter)
    working = round(profit * (0.5 * draw.number("working") - 0.3)) or 7
    operating = profit + written_off + working
    spent = -world.figure(company, "Capital expenditure", CONSOLIDATED, quarter)
    bought = -round(20 + 160 * draw.number("bought"))
    dividends = -round(profit * (0.18 + 0.12 * draw.number("dividends")))
    repurchased = -round(15 + 140 * draw.number("repurchased"))
    change = operating + spent + bought + dividends + repurchased
    return [
        Line(metric="Net income", value=profit),
        Line(metric="Depreciation and amortization", value=written_off),
        Line(metric="Changes in working capital", value=working),
        Line(metric="Net cash from operating activities", value=operating, is_total=True),
        Line(metric="Capital expenditure", value=spent),
        Line(metric="Acquisitions, net of cash acquired", value=bought),
        Line(metric="Net cash used in investing activities", value=spent + bought, is_total=True),
        Line(metric="Dividends paid", value=dividends),
        Line(metric="Share repurchases", value=repurchased),
        Line(metric="Net cash used in financing activities", value=dividends + repurchased, is_total=True),
        Line(metric="Net change in cash", value=change, is_total=True),
    ]


def balance_sheet(world: World, company: Company, quarter: Quarter) -> list[Line]:
    """What is owned and owed at the end of a quarter; twelve lines in a fixed order, both sides equal."""
    draw = world.draw(company, "balance", quarter.name)
    revenue = world.figure(company, "Revenue", CONSOLIDATED, quarter)

    def part(name: str, least: float, most: float) -> int:
        return max(5, round(revenue * (least + (most - least) * draw.number(name))))

    cash, owed = part("cash", 0.25, 0.6), part("receivables", 0.45, 0.7)
    stock, plant, goodwill = part("stock", 0.2, 0.5), part("plant", 1.1, 1.9), part("goodwill", 0.4, 1.2)
    current, assets = cash + owed + stock, cash + owed + stock + plant + goodwill
    payable, debt = part("payable", 0.3, 0.5), part("debt", 0.7, 1.2)
    return [
        Line(metric="Cash and cash equivalents", value=cash),
        Line(metric="Accounts receivable", value=owed),
        Line(metric="Inventories", value=stock),
        Line(metric="Total current assets", value=current, is_total=True),
        Line(metric="Property, plant and equipment", value=plant),
        Line(metric="Goodwill", value=goodwill),
        Line(metric="Total assets", value=assets, is_total=True),
        Line(metric="Accounts payable", value=payable),
        Line(metric="Long-term debt", value=debt),
        Line(metric="Total liabilities", value=payable + debt, is_total=True),
        Line(metric="Shareholders' equity", value=assets - payable - debt),
        Line(metric="Total liabilities and equity", value=assets, is_total=True),
    ]


def segment_employees(world: World, company: Company, quarter: Quarter) -> dict[str, int]:
    """Employees of each segment; they sum to the key figure of the company."""
    total = int(amount_of(world, company, "Employees", quarter).value)
    weights = [0.5 + world.draw(company, "staff", segment).number() for segment in company.segments]
    counts = [int(total * weight / sum(weights)) for weight in weights]
    counts[-1] += total - sum(counts)
    return dict(zip(company.segments, counts, strict=True))


def key_figures(world: World, company: Company, quarter: Quarter) -> list[Line]:
    """Six figures that no statement holds."""
    draw, base = world.draw(company, "kpi", quarter.name), world.draw(company, "kpi")
    wave = 0.96 + 0.08 * draw.number("wave")
    return [
        Line(metric="Order backlog", value=world.figure(company, "Order backlog", CONSOLIDATED, quarter)),
        Line(metric="Employees", value=round((8_000 + 52_000 * base.number("staff")) * wave), unit="count"),
        Line(metric="Active customers", value=round((900 + 9_000 * base.number("buyers")) * wave), unit="count"),
        Line(metric="Customer retention", value=round(84 + 14 * draw.number("kept"), 1), unit="%"),
        Line(metric="On-time delivery", value=round(87 + 12 * draw.number("time"), 1), unit="%"),
        Line(
            metric="Recordable injury rate", value=round(0.3 + 1.9 * draw.number("hurt"), 2), unit="per 200,000 hours"
        ),
    ]


def amount_of(world: World, company: Company, metric: str, quarter: Quarter) -> Line:
    """The consolidated line of that name, wherever it stands.

    Raises:
        KeyError: no statement and no key figure has that name.
    """
    for lines in (income_statement, cash_flow_statement, key_figures):
        for line in lines(world, company, quarter):
            if line.metric == metric:
                return line
    raise KeyError(metric)


def _amounts(lines: list[Line]) -> Mapping[str, int]:
    return {line.metric: int(line.value) for line in lines if line.unit == "USD millions"}
