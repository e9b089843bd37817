"""The metadata table that comes with the documents: one row a page, with the faults that real tables have."""

import csv
import io
from typing import Literal

from eval_pipeline.demo.plan import DocumentPlan, PagePlan
from eval_pipeline.demo.world import Company, Quarter
from eval_pipeline.foundation.ids import hash_unit

COLUMNS = ("doc_id", "file", "page", "company", "fiscal_period", "metric", "access")
TOPICS = {
    "summary": "Quarter at a glance",
    "key_figures": "Key figures",
    "income_statement": "Income statement",
    "balance_sheet": "Balance sheet",
    "cash_flow": "Cash flow",
    "organization": "Organization",
    "risks": "Risk factors",
}
FAULT_SHARE = 0.01  # of the rows, for each of the two kinds of fault that are drawn by hash

Seeding = Literal["none", "few", "one of each", "by hash"]


def write_metadata(plans: list[DocumentPlan], *, seed: int, seeding: Seeding) -> bytes:
    """CSV with the columns of `COLUMNS`, UTF-8, lines ended by a line feed.

    Args:
        plans: documents in the folder of the table.
        seed: decides how periods and companies are spelled, and where faults by hash are.
        seeding: `one of each` puts in a misspelled company, a missing period and a page that does not exist; `few`
            leaves out the first and spares bar charts, so that twelve pages keep their siblings; `by hash` misspells
            and leaves out a share of the rows.
    """
    rows = [_row(plan, number, page, seed) for plan in plans for number, page in enumerate(plan.pages, start=1)]
    if seeding in ("few", "one of each"):
        _place_faults(rows, is_small=seeding == "few")
    elif seeding == "by hash":
        for row in rows:
            _draw_faults(row, seed)
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def _row(plan: DocumentPlan, number: int, page: PagePlan, seed: int) -> dict[str, str]:
    return {
        "doc_id": plan.name,
        "file": f"{plan.name}.pdf",
        "page": str(number),
        "company": _spell_company(plan, seed),
        "fiscal_period": _spell_period(plan.quarter, hash_unit(seed, "spelling", plan.name)),
        "metric": topic_of(page, plan.company),
        "access": plan.access,
    }


def topic_of(page: PagePlan, company: Company) -> str:
    """What the table says a page is about; empty for covers, signatures and the auditor's report."""
    if page.layout == "trend":
        return f"{page.metric} trend"
    if page.layout == "segment_page":
        return f"{company.segments[page.segment]} segment"
    return page.metric or TOPICS.get(page.layout, "")


def _spell_period(quarter: Quarter, draw: float) -> str:
    year, number = quarter.year, quarter.number
    spellings = (f"Q{number} FY{year}", f"Q{number} {year}", f"FY{year % 100} Q{number}", f"{year}-Q{number}")
    return spellings[int(draw * len(spellings))]


def _spell_company(plan: DocumentPlan, seed: int) -> str:
    draw = hash_unit(seed, "legal form", plan.name)
    return f"{plan.company.name}, Inc." if draw < 0.2 else plan.company.name


def _place_faults(rows: list[dict[str, str]], *, is_small: bool) -> None:
    place = len(rows) // 3
    if is_small:
        next(row for row in reversed(rows) if row["metric"] == "Income statement")["fiscal_period"] = ""
    else:
        rows[place]["company"] = _misspell(rows[place]["company"])
        rows[place * 2]["fiscal_period"] = ""
    rows.insert(len(rows) // 2, rows[len(rows) // 2 - 1] | {"page": "40"})


def _draw_faults(row: dict[str, str], seed: int) -> None:
    if hash_unit(seed, "misspelled", row["file"], row["page"]) < FAULT_SHARE:
        row["company"] = _misspell(row["company"])
    if hash_unit(seed, "left out", row["file"], row["page"]) < FAULT_SHARE:
        row["fiscal_period"] = ""


def _misspell(name: str) -> str:
    return name[:3] + name[4] + name[3] + name[5:]
