"""How fast earlier runs went, from the times between their commits; else rates that are assumed, and say so."""

import json
from dataclasses import dataclass
from pathlib import Path

import polars as pl

MIN_ROWS = 40
"""Rows of a step from which on its time says more than that of starting it."""


@dataclass(frozen=True, kw_only=True)
class Rate:
    """A rate and where it comes from.

    Attributes:
        value: in `unit`.
        unit: such as `pages per second`.
        is_measured: False for an assumption.
        source: in words.
    """

    value: float
    unit: str
    is_measured: bool
    source: str


@dataclass(frozen=True, kw_only=True)
class _Step:
    asset: str
    table: str
    unit: str
    assumed: float


_STEPS = {
    "read": _Step(asset="pages", table="corpus.unit", unit="pages per second", assumed=15.0),
    "embed": _Step(asset="page_vectors", table="embeddings.unit_vector", unit="vectors per second", assumed=30.0),
    "judge": _Step(asset="well_posed_questions", table="judging.verdict", unit="pairs per second", assumed=40.0),
}
"""Assumed rates are cautious ones of two processor cores, a small encoder and the judge `text-match`."""
ASSUMED_BYTES_PER_PAGE = 150_000
"""One page at 100 dpi: a lossless picture of about 80 kB, text, vectors and what the ledger says of it."""


def find_rates(commits: pl.DataFrame) -> dict[str, Rate]:
    """Rates of reading, embedding and judging.

    Args:
        commits: dagster_run_id, asset, made_at_utc, tables (JSON: rows by table), by time.

    Returns:
        By step `read`, `embed`, `judge`: the newest run in which the step brought enough rows, timed from the last
        commit before its first one to its own last one; else the assumption.
    """
    rows = commits.to_dicts()
    return {name: _measure(step, rows) or _assume(step) for name, step in _STEPS.items()}


def _measure(step: _Step, rows: list[dict[str, object]]) -> Rate | None:
    for run in reversed(list(dict.fromkeys(row["dagster_run_id"] for row in rows))):
        of_run = [row for row in rows if row["dagster_run_id"] == run]
        places = [place for place, row in enumerate(of_run) if row["asset"] == step.asset]
        if not places or places[0] == 0:
            continue
        n = sum(int(json.loads(str(of_run[place]["tables"])).get(step.table, 0)) for place in places)
        started, ended = of_run[places[0] - 1]["made_at_utc"], of_run[places[-1]]["made_at_utc"]
        seconds = (ended - started).total_seconds()  # type: ignore[operator]  # both are times
        if n >= MIN_ROWS and seconds > 0:
            source = f"measured on {n} rows of the run of {ended:%Y-%m-%d %H:%M} UTC"
            return Rate(value=n / seconds, unit=step.unit, is_measured=True, source=source)
    return None


def _assume(step: _Step) -> Rate:
    return Rate(value=step.assumed, unit=step.unit, is_measured=False, source="assumed, no earlier run to go by")


def bytes_per_page(*, home: Path, n_pages: int, dpi: int) -> Rate:
    """Disk space of a page: what the project has taken so far per page, else an assumption that grows with dpi.

    Args:
        home: the project folder.
        n_pages: pages in force.
        dpi: declared resolution.
    """
    unit = "bytes per page"
    if n_pages < MIN_ROWS:
        value = ASSUMED_BYTES_PER_PAGE * (dpi / 100) ** 2
        return Rate(value=value, unit=unit, is_measured=False, source="assumed, no earlier run to go by")
    files = [path for path in (home / "derived").rglob("*") if path.is_file()] + [home / "ledger.duckdb"]
    size = sum(path.stat().st_size for path in files if path.is_file())
    source = f"measured on the {n_pages} pages there are, with all that was made of them"
    return Rate(value=size / n_pages, unit=unit, is_measured=True, source=source)
