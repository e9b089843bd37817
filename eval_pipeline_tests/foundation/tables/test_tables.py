"""Rules that every table keeps."""

import re
from collections import defaultdict

import polars as pl
import pytest

from eval_pipeline.foundation import tables
from eval_pipeline.foundation.frames import UTC_TIME
from eval_pipeline.foundation.tables import TABLES, views

EVERY = [*TABLES.values(), views.MEMBER]
STAGES = [
    "tasks", "corpus", "embeddings", "templates", "negatives", "judging", "questions", "runs", "labels", "metrics",
    "receipts",
]  # fmt: skip


def test_every_table_of_every_stage_is_listed_once():
    declared = [table for stage in STAGES for table in getattr(tables, stage).ALL]
    assert sorted(table.name for table in declared) == sorted(TABLES)
    assert len(declared) == len(TABLES)
    assert list(dict.fromkeys(name.partition(".")[0] for name in TABLES)) == STAGES


@pytest.mark.parametrize("table", EVERY, ids=lambda table: table.name)
def test_names_keys_and_words_follow_the_rules(table):
    names = [column.name for column in table.columns]
    assert re.fullmatch(r"[a-z]+\.[a-z_]+", table.name)
    assert not table.name.endswith("s") or table.name.endswith(("ss", "facets"))
    assert len(set(names)) == len(names)
    assert set(table.key) <= set(names)
    assert table.grain.startswith("one row per ")
    assert not {"id", "run_id", "template", "made_at_utc", "commit_id"} & set(names)
    for column in table.columns:
        assert column.doc.endswith("."), column.name
        assert not column.nullable or "null" in column.doc or "None" in column.doc or column.name in NULL_GOES_UNSAID
        assert column.dtype in (pl.String, pl.Int64, pl.Float64, pl.Boolean, UTC_TIME), column.name
        assert not column.allowed or column.dtype == pl.String


NULL_GOES_UNSAID = {"dpi", "template_id", "grade", "expected_answer"}


@pytest.mark.parametrize("table", EVERY, ids=lambda table: table.name)
def test_key_columns_are_there_and_take_part_in_equality(table):
    for column in table.columns:
        if column.name in table.key:
            assert not column.nullable, column.name
            assert column.in_equality, column.name


def test_one_name_is_one_type_everywhere():
    types = defaultdict(set)
    for table in EVERY:
        for column in table.columns:
            types[column.name].add(str(column.dtype))
    assert {name: found for name, found in types.items() if len(found) > 1} == {}


def test_times_say_utc_and_stand_outside_equality():
    for table in EVERY:
        for column in table.columns:
            assert column.name.endswith("_at_utc") == (column.dtype == UTC_TIME), column.name
            assert column.dtype != UTC_TIME or not column.in_equality
