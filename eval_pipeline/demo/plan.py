"""Which documents there are and which pages they have; nothing is drawn here.

The first 60 pages are the committed part and never change as the corpus grows. Fewer than 60 give short reports of
three pages, so that twelve pages still hold a template with siblings on every axis. What comes after page 60 is a
sequence of full reports that a larger number of pages only makes longer.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from eval_pipeline.demo.world import COMPANIES_PER_BLOCK, N_QUARTERS, QUARTERS, Company, Quarter, World
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import hash_unit

N_COMMITTED = 60
CUBE = ("Revenue", "Operating income", "Capital expenditure")
MORE_METRICS = ("Research and development", "Depreciation and amortization")
COMMITTED_QUARTERS = QUARTERS[4:7]
BLOCK_ORDER = (1, 2, 0)  # two new house styles come first, then the other quarters of the committed companies
N_SEGMENTS = 4
EMPTY_SHARE = 0.05  # of bar charts in the drawn part whose values are missing or illegible


Values = Literal["printed", "missing", "illegible"]


@dataclass(frozen=True, kw_only=True)
class PagePlan:
    """One page to draw.

    Attributes:
        layout: key of `drawing.LAYOUTS`.
        metric: metric of a layout that takes one.
        values: `printed`, `missing` or `illegible`, of a bar chart.
        is_restated: whether a bar chart revises an earlier one.
        segment: which of the four segments a page of one segment is about, from 0.
    """

    layout: str
    metric: str | None = None
    values: Values = "printed"
    is_restated: bool = False
    segment: int = 0


@dataclass(frozen=True, kw_only=True)
class DocumentPlan:
    """One file to draw.

    Attributes:
        name: file name without folder and ending; also the declared id.
        company: whose report.
        quarter: its period.
        pages: in order.
        access: access level in the metadata table.
        copy_of: name of the document whose bytes this one repeats; None for an original.
    """

    name: str
    company: Company
    quarter: Quarter
    pages: tuple[PagePlan, ...]
    access: str = "public"
    copy_of: str | None = None


def bars(metric: str) -> PagePlan:
    """A bar chart of a metric."""
    return PagePlan(layout="bars", metric=metric)


def plan_committed(world: World, n_pages: int) -> list[DocumentPlan]:
    """Documents of the first `n_pages` pages, at most 60.

    Raises:
        InputError: fewer than 12 pages.
    """
    if n_pages < 12:
        message = f"a demo corpus has at least 12 pages, not {n_pages}; ask for 12, 60 or more"
        raise InputError(message)
    if n_pages < N_COMMITTED:
        return list(_cut(_plan_short(world), n_pages))
    return _plan_sixty(world)


def plan_drawn(world: World, n_pages: int) -> list[DocumentPlan]:
    """Documents beyond the committed part, `n_pages` pages in all; the last one is cut to fit."""
    return list(_cut(_plan_full(world), n_pages)) if n_pages > 0 else []


def _cut(plans: Iterator[DocumentPlan], n_pages: int) -> Iterator[DocumentPlan]:
    left = n_pages
    for plan in plans:
        if plan.copy_of and len(plan.pages) > left:
            continue  # half a copy is no copy
        yield replace(plan, pages=plan.pages[:left])
        left -= min(left, len(plan.pages))
        if left == 0:
            return


def _name(company: Company, quarter: Quarter, suffix: str = "") -> str:
    return f"{company.slug}-{quarter.name.lower()}{suffix}"


def _plan_short(world: World) -> Iterator[DocumentPlan]:
    for block in count():
        for quarter in QUARTERS[4:8]:
            for place in range(2):
                company = world.company(block * COMPANIES_PER_BLOCK + place)
                pages = (PagePlan(layout="income_statement"), bars(CUBE[0]), bars(CUBE[1]))
                yield DocumentPlan(name=_name(company, quarter), company=company, quarter=quarter, pages=pages)


def _plan_sixty(world: World) -> list[DocumentPlan]:
    companies = [world.company(number) for number in range(COMPANIES_PER_BLOCK)]
    others: tuple[tuple[PagePlan, PagePlan], ...] = (
        (PagePlan(layout="cover"), PagePlan(layout="key_figures")),
        (PagePlan(layout="cash_flow"), PagePlan(layout="risks")),
        (PagePlan(layout="trend", metric="Order backlog"), PagePlan(layout="review_report")),
    )
    reports = []
    for quarter, (first, last) in zip(COMMITTED_QUARTERS, others, strict=True):
        for company in companies:
            middle = tuple(_spoil(bars(metric), company, quarter, companies) for metric in CUBE)
            statement = PagePlan(layout="income_statement")
            pages = (first, statement, *middle, last)
            reports.append(DocumentPlan(name=_name(company, quarter), company=company, quarter=quarter, pages=pages))
    return [*reports, *_plan_extras(companies)]


def _spoil(page: PagePlan, company: Company, quarter: Quarter, companies: list[Company]) -> PagePlan:
    """Two of the committed charts hold no evidence."""
    if page.metric == "Capital expenditure" and (company, quarter) == (companies[2], COMMITTED_QUARTERS[0]):
        return replace(page, values="missing")
    if page.metric == "Operating income" and (company, quarter) == (companies[0], COMMITTED_QUARTERS[2]):
        return replace(page, values="illegible")
    return page


def _plan_extras(companies: list[Company]) -> list[DocumentPlan]:
    """An amended report, its exact copy, and a fact sheet: six pages."""
    quarter = COMMITTED_QUARTERS[1]
    restated = replace(bars("Revenue"), is_restated=True)
    amended = DocumentPlan(
        name=_name(companies[1], quarter, "-amended"),
        company=companies[1],
        quarter=quarter,
        pages=(restated, PagePlan(layout="signatures")),
        access="restricted",
    )
    copy = replace(amended, name=f"scan-of-{amended.name}", copy_of=amended.name)
    sheet = DocumentPlan(
        name=_name(companies[0], quarter, "-fact-sheet"),
        company=companies[0],
        quarter=quarter,
        pages=(PagePlan(layout="summary"), PagePlan(layout="signatures")),
        access="internal",
    )
    return [amended, copy, sheet]


def _plan_full(world: World) -> Iterator[DocumentPlan]:
    blocks = list(BLOCK_ORDER)
    for turn in count():
        block = blocks[turn] if turn < len(blocks) else turn
        companies = [world.company(block * COMPANIES_PER_BLOCK + place) for place in range(COMPANIES_PER_BLOCK)]
        for place in range(N_QUARTERS):
            quarter = QUARTERS[(place + 4) % N_QUARTERS]  # 2024 first, so that a small corpus compares its quarters
            if block == 0 and quarter in COMMITTED_QUARTERS:
                continue
            yield from (_full_report(world, company, quarter) for company in companies)
            yield from _full_extras(companies, quarter)


def _full_report(world: World, company: Company, quarter: Quarter) -> DocumentPlan:
    charts = tuple(_spoil_by_hash(world, bars(metric), company, quarter) for metric in (*CUBE, *MORE_METRICS))
    pages = (
        PagePlan(layout="cover"),
        PagePlan(layout="summary"),
        PagePlan(layout="key_figures"),
        PagePlan(layout="income_statement"),
        PagePlan(layout="balance_sheet"),
        PagePlan(layout="cash_flow"),
        *charts,
        *(PagePlan(layout="segment_page", segment=segment) for segment in range(N_SEGMENTS)),
        *(PagePlan(layout="trend", metric=metric) for metric in ("Order backlog", "Revenue", "Employees")),
        PagePlan(layout="organization"),
        PagePlan(layout="risks"),
        PagePlan(layout="review_report"),
        PagePlan(layout="signatures"),
    )
    access = ("public", "public", "internal")[int(hash_unit(world.seed, "access", company.name, quarter.name) * 3)]
    return DocumentPlan(name=_name(company, quarter), company=company, quarter=quarter, pages=pages, access=access)


def _spoil_by_hash(world: World, page: PagePlan, company: Company, quarter: Quarter) -> PagePlan:
    draw = hash_unit(world.seed, "spoil", company.name, quarter.name, str(page.metric))
    if draw >= EMPTY_SHARE:
        return page
    return replace(page, values="missing" if draw < EMPTY_SHARE / 2 else "illegible")


def _full_extras(companies: list[Company], quarter: Quarter) -> list[DocumentPlan]:
    """Once a year and block: an amended report and a copy of it."""
    if quarter.number != 3:
        return []
    company = companies[quarter.year % len(companies)]
    pages = (replace(bars("Revenue"), is_restated=True), PagePlan(layout="signatures"))
    amended = DocumentPlan(
        name=_name(company, quarter, "-amended"), company=company, quarter=quarter, pages=pages, access="restricted"
    )
    return [amended, replace(amended, name=f"scan-of-{amended.name}", copy_of=amended.name)]
