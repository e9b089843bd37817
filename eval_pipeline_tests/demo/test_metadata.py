import csv
import io

from eval_pipeline.demo.metadata import COLUMNS, write_metadata
from eval_pipeline.demo.plan import plan_committed


def rows_of(world, n_seeded):
    table = write_metadata(plan_committed(world, 60), seed=world.seed, n_seeded=n_seeded)
    return list(csv.DictReader(io.StringIO(table.decode())))


def test_one_row_a_page(world):
    rows = rows_of(world, 0)
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 60
    assert len({(row["file"], row["page"]) for row in rows}) == 60


def test_faults_are_one_of_each(world):
    clean, seeded = rows_of(world, 0), rows_of(world, 1)
    assert len(seeded) == 61
    assert [row["page"] for row in seeded if row not in clean and row["page"] == "40"] == ["40"]
    known = {row["company"] for row in clean}
    assert [row["company"] for row in seeded if row["company"] not in known] == ["Junpier Fold Logistics"]
    assert [row["page"] for row in seeded if not row["fiscal_period"]] == ["5"]


def test_periods_are_spelled_in_several_ways(world):
    spellings = {row["fiscal_period"] for row in rows_of(world, 0)}
    assert {"Q2 FY2024", "FY24 Q3", "2024-Q1", "Q3 2024"} <= spellings


def test_pages_without_a_subject_have_no_metric_and_levels_differ(world):
    rows = rows_of(world, 0)
    assert sum(not row["metric"] for row in rows) == 9
    assert {row["access"] for row in rows} == {"public", "internal", "restricted"}
