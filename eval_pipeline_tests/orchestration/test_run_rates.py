import json
from datetime import UTC, datetime, timedelta

import polars as pl
import pytest

from eval_pipeline.orchestration.run_rates import ASSUMED_BYTES_PER_PAGE, MIN_ROWS, bytes_per_page, find_rates

START = datetime(2025, 3, 1, 2, 0, tzinfo=UTC)


def commits(*rows):
    """Commits as (run, asset, second, rows by table)."""
    return pl.DataFrame(
        [
            {
                "dagster_run_id": run,
                "asset": asset,
                "made_at_utc": START + timedelta(seconds=second),
                "tables": json.dumps(tables),
            }
            for run, asset, second, tables in rows
        ],
        schema={
            "dagster_run_id": pl.String,
            "asset": pl.String,
            "made_at_utc": pl.Datetime("us", "UTC"),
            "tables": pl.String,
        },
    )


def test_a_rate_is_rows_over_the_time_since_the_step_before():
    rates = find_rates(
        commits(
            ("a", "documents", 0, {"corpus.document": 4}),
            ("a", "pages", 10, {"corpus.unit": 60}),
            ("a", "pages", 20, {"corpus.unit": 40}),
            ("a", "page_vectors", 70, {"embeddings.unit_vector": 200}),
        )
    )
    assert (rates["read"].value, rates["read"].is_measured) == (5.0, True)
    assert rates["read"].source == "measured on 100 rows of the run of 2025-03-01 02:00 UTC"
    assert rates["embed"].value == 4.0
    assert not rates["judge"].is_measured


def test_the_newest_run_with_enough_rows_counts():
    rates = find_rates(
        commits(
            ("a", "documents", 0, {}),
            ("a", "pages", 10, {"corpus.unit": 100}),
            ("b", "documents", 100, {}),
            ("b", "pages", 120, {"corpus.unit": 100}),
            ("c", "documents", 200, {}),
            ("c", "pages", 210, {"corpus.unit": MIN_ROWS - 1}),
        )
    )
    assert rates["read"].value == 5.0


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [("a", "pages", 10, {"corpus.unit": 100})],
        [("a", "documents", 0, {}), ("a", "pages", 0, {"corpus.unit": 100})],
        [("a", "documents", 0, {}), ("a", "pages", 9, {"corpus.rendition": 100})],
    ],
    ids=["never run", "nothing before it", "no time between", "other rows"],
)
def test_without_a_measurement_an_assumption_says_so(rows):
    rate = find_rates(commits(*rows))["read"]
    assert (rate.is_measured, rate.source.startswith("assumed")) == (False, True)


def test_disk_is_what_there_is_per_page(tmp_path):
    (tmp_path / "derived" / "pictures").mkdir(parents=True)
    (tmp_path / "derived" / "pictures" / "a.webp").write_bytes(b"x" * 8000)
    (tmp_path / "ledger.duckdb").write_bytes(b"x" * 2000)
    assert bytes_per_page(home=tmp_path, n_pages=100, dpi=100).value == 100.0


def test_disk_is_assumed_by_resolution_before(tmp_path):
    rate = bytes_per_page(home=tmp_path, n_pages=0, dpi=200)
    assert (rate.value, rate.is_measured) == (4 * ASSUMED_BYTES_PER_PAGE, False)
