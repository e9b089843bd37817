"""The metadata table that comes with the documents: one row a page, with the faults that real tables have."""

import csv
import io

from eval_pipeline.demo.plan import DocumentPlan, PagePlan
from eval_pipeline.demo.world import Quarter
from eval_pipeline.foundation.ids import hash_unit

COLUMNS = ("doc_id", "file", "page", "company", "fiscal_period", "metric", "access")
TOPICS = {
    "summary": "Quarter at a glance",
    "key_figures": "Key figures",
    "income_statement": "Income statement",
    "cash_flow": "Cash flow",
    "risks": "Risk factors",
}
FAULT_SHARE = 0.01  # of the rows, for each kind of fault that is drawn by hash


def write_metadata(plans: list[DocumentPlan], *, seed: int, n_seeded: int) -> bytes:
    """CSV with the columns of `COLUMNS`, UTF-8, lines ended by a line feed.

    Args:
        plans: documents in the folder of the table.
        seed: decides which rows are spelled in another way.
        n_seeded: 1 to put the hand-placed faults in (a wrong name, a missing period, a page that does not exist).
    """
    rows = [_row(plan, number, page, seed) for plan in plans for number, page in enumerate(plan.pages, start=1)]
    if n_seeded:
        _seed_faults(rows)
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
        "metric": topic_of(page),
        "access": plan.access,
    }


def topic_of(page: PagePlan) -> str:
    """What the table says a page is about; empty for covers, signatures and the auditor's report."""
    if page.layout == "trend":
        return f"{page.metric} trend"
    return page.metric or TOPICS.get(page.layout, "")


def _spell_period(quarter: Quarter, draw: float) -> str:
    year, number = quarter.year, quarter.number
    spellings = (f"Q{number} FY{year}", f"Q{number} {year}", f"FY{year % 100} Q{number}", f"{year}-Q{number}")
    return spellings[int(draw * len(spellings))]


def _spell_company(plan: DocumentPlan, seed: int) -> str:
    draw = hash_unit(seed, "legal form", plan.name)
    return f"{plan.company.name}, Inc." if draw < 0.2 else plan.company.name


def _seed_faults(rows: list[dict[str, str]]) -> None:
    """One of each: a misspelled company, a missing period, a page that the document does not have."""
    place = len(rows) // 3
    rows[place]["company"] = _misspell(rows[place]["company"])
    rows[place * 2]["fiscal_period"] = ""
    rows.insert(len(rows) // 2, rows[len(rows) // 2 - 1] | {"page": "40"})


def _misspell(name: str) -> str:
    return name[:3] + name[4] + name[3] + name[5:]
