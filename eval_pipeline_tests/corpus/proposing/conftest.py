"""A small folder of reports with the tables that people keep beside them."""

from pathlib import Path

import pytest

REPORTS = ("ACME_2022_10K", "ACME_2023_10K", "GLOBEX_2023Q2_EARNINGS")


@pytest.fixture
def reports(project):
    """Three PDFs in `pdfs/`, of two pages each; the second is a statement."""
    for name in REPORTS:
        project.put_pdf(f"pdfs/{name}.pdf", f"Report of {name}", "CONSOLIDATED BALANCE SHEETS")
    return project


@pytest.fixture
def manifest(reports) -> Path:
    """One row per report: stem as id, path relative to the table, year and quarter in two columns."""
    return reports.put(
        "manifest.csv",
        "doc_id,file,entity,doc_type,fiscal_year,fiscal_quarter,pages\n"
        "ACME_2022_10K,pdfs/ACME_2022_10K.pdf,Acme Inc.,10-K,2022,,2\n"
        "ACME_2023_10K,pdfs/ACME_2023_10K.pdf,Acme Inc.,10-K,2023,,2\n"
        "GLOBEX_2023Q2_EARNINGS,pdfs/GLOBEX_2023Q2_EARNINGS.pdf,Globex,Earnings,2023,2,2\n",
    )
