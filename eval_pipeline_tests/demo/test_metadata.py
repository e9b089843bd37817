import csv
import io

from eval_pipeline.demo.metadata import COLUMNS, write_metadata
from eval_pipeline.demo.plan import plan_committed, plan_drawn


def rows_of(world, seeding, plans=None):
    table = write_metadata(plans or plan_committed(world, 60), seed=world.seed, seeding=seeding)
    return list(csv.DictReader(io.StringIO(table.decode())))


def test_one_row_a_page(world):
    rows = rows_of(world, "none")
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 60
    assert len({(row["file"], row["page"]) for row in rows}) == 60


def test_faults_are_one_of_each(world):
    clean, seeded = rows_of(world, "none"), rows_of(world, "one of each")
    assert len(seeded) == 61
    assert [row["page"] for row in seeded if row not in clean and row["page"] == "40"] == ["40"]
    known = {row["company"] for row in clean}
    assert [row["company"] for row in seeded if row["company"] not in known] == ["Junpier Fold Logistics"]
    assert [row["page"] for row in seeded if not row["fiscal_period"]] == ["5"]


def test_periods_are_spelled_in_several_ways(world):
    spellings = {row["fiscal_period"] for row in rows_of(world, "none")}
    assert {"Q2 FY2024", "FY24 Q3", "2024-Q1", "Q3 2024"} <= spellings


def test_pages_without_a_subject_have_no_metric_and_levels_differ(world):
    rows = rows_of(world, "none")
    assert sum(not row["metric"] for row in rows) == 9
    assert {row["access"] for row in rows} == {"public", "internal", "restricted"}


def test_twelve_pages_keep_the_facets_of_their_bar_charts(world):
    plans = plan_committed(world, 12)
    clean, seeded = rows_of(world, "none", plans), rows_of(world, "few", plans)
    changed = [row for row in seeded if row not in clean]
    assert [(row["metric"], row["page"], row["fiscal_period"]) for row in changed if row["page"] != "40"] == [
        ("Income statement", "1", "")
    ]
    assert len(changed) == 2


def test_a_drawn_table_has_a_share_of_faults(world):
    plans = plan_drawn(world, 1440)
    clean, seeded = rows_of(world, "none", plans), rows_of(world, "by hash", plans)
    pairs = list(zip(clean, seeded, strict=True))
    assert 4 <= sum(old["company"] != new["company"] for old, new in pairs) <= 30
    assert 4 <= sum(old["fiscal_period"] != new["fiscal_period"] for old, new in pairs) <= 30
