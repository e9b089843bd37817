"""Reports that an encoder learns from, and others that it is tried on: no company, year or seed of the demo corpus."""

from collections.abc import Iterator
from dataclasses import replace

from eval_pipeline.demo.plan import N_SEGMENTS, DocumentPlan, PagePlan, bars
from eval_pipeline.demo.training_names import HELD_OUT_STEMS, HELD_OUT_YEARS, TRAINING_STEMS, TRAINING_YEARS
from eval_pipeline.demo.world import COMPANIES_PER_BLOCK, SEGMENT_METRICS, STYLES, Company, Quarter, World

TRAINING_SEED = 104_729
HELD_OUT_SEED = 1_299_709
BAR_METRICS = ("Revenue", *SEGMENT_METRICS)
TREND_METRICS = ("Order backlog", "Revenue", "Employees", "Operating income", "Net income", "Capital expenditure",
                 "Cost of revenue", "Customer retention", "Active customers", "Gross profit")  # fmt: skip
HELD_OUT_TRENDS = TREND_METRICS[:3]
N_TRENDS = 6
N_COMPANIES = 960
SPOILED_SHARE = 0.05  # of bar charts, as in the demo
LATER_LAYOUTS = frozenset({"balance_sheet", "segment_page", "organization"})
"""Left out of the first lesson: words for their contents name no single page, and hide what charts could teach."""
RESTATED_SHARE = 0.05  # of charts of revenue


def training_world() -> World:
    """The world of the training pages: 960 companies."""
    return World(seed=TRAINING_SEED, stems=TRAINING_STEMS, first_year=TRAINING_YEARS[0])


def held_out_world() -> World:
    """The world of the pages on which an encoder is tried: 240 companies that it never saw."""
    return World(seed=HELD_OUT_SEED, stems=HELD_OUT_STEMS, first_year=HELD_OUT_YEARS[0])


def training_companies(world: World) -> tuple[str, ...]:
    """Names of all companies of the training world."""
    return tuple(world.company(number).name for number in range(N_COMPANIES))


def plan_training(world: World, n_reports: int) -> Iterator[DocumentPlan]:
    """One report a company, its quarter drawn by hash; 26 pages each.

    Args:
        world: from `training_world`.
        n_reports: at most 960.
    """
    for number in range(n_reports):
        company = world.company(number)
        draw = world.draw(company, "training")
        year = TRAINING_YEARS[int(draw.number("year") * len(TRAINING_YEARS))]
        quarter = Quarter(year=year, number=1 + int(draw.number("quarter") * 4))
        trends = sorted(TREND_METRICS, key=draw.number)[:N_TRENDS]
        yield _report(world, company, quarter, tuple(trends))


def plan_held_out(world: World) -> Iterator[DocumentPlan]:
    """Six companies a house style, six quarters each: 108 reports, so that on each axis a page has five siblings."""
    first = Quarter(year=HELD_OUT_YEARS[0], number=1)
    for number in range(2 * COMPANIES_PER_BLOCK * len(STYLES)):
        for place in range(6):
            yield _report(world, world.company(number), first.back(-place), HELD_OUT_TRENDS)


def _report(world: World, company: Company, quarter: Quarter, trends: tuple[str, ...]) -> DocumentPlan:
    charts = tuple(_spoil(world, bars(metric), company, quarter) for metric in BAR_METRICS)
    pages = (
        PagePlan(layout="cover"),
        PagePlan(layout="summary"),
        PagePlan(layout="key_figures"),
        PagePlan(layout="income_statement"),
        PagePlan(layout="balance_sheet"),
        PagePlan(layout="cash_flow"),
        *charts,
        *(PagePlan(layout="segment_page", segment=segment) for segment in range(N_SEGMENTS)),
        *(PagePlan(layout="trend", metric=metric) for metric in trends),
        PagePlan(layout="organization"),
        PagePlan(layout="risks"),
        PagePlan(layout="review_report"),
        PagePlan(layout="signatures"),
    )
    return DocumentPlan(name=f"{company.slug}-{quarter.name.lower()}", company=company, quarter=quarter, pages=pages)


def _spoil(world: World, page: PagePlan, company: Company, quarter: Quarter) -> PagePlan:
    """A share of the charts has no values, or is restated."""
    draw = world.draw(company, "spoil", quarter.name, str(page.metric)).number()
    if draw < SPOILED_SHARE:
        return replace(page, values="missing" if draw < SPOILED_SHARE / 2 else "illegible")
    return replace(page, is_restated=page.metric == "Revenue" and draw > 1 - RESTATED_SHARE)
