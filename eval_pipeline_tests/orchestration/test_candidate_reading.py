"""Hardness and candidates as the ledger holds them, within the asker's clearance."""

import json

import polars as pl
import pytest

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.orchestration.candidate_reading import (
    find_ground,
    lay_tables,
    name_variants,
    read_candidates,
    read_hardness,
    read_visible_vectors,
)
from eval_pipeline.orchestration.evaluating import lay_ground
from eval_pipeline.orchestration.resources import Project

pytestmark = pytest.mark.road


def test_every_negative_of_the_siblings_arena_is_ranked(road_home):
    project = Project(home=str(road_home))
    ground = lay_ground(project, project.contracts[0])
    found = read_hardness(ground, read_visible_vectors(project, ground))
    assert found["axis"].to_list() == ["appearance", "entity", "metric", "period", "random"]
    assert set(found["n_corpus"]) == {11}
    excluded = ground.cohort.excluded.filter(pl.col("arena") == "siblings")
    asked = ground.arenas.filter((pl.col("arena") == "siblings") & pl.col("axis").is_not_null())
    asked = asked.join(ground.cohort.questions, on="question_id", how="semi")
    counted = asked.join(excluded, on="question_id", how="anti")
    hard = found.filter(pl.col("axis") != "random")
    assert hard["n_negatives"].sum() == counted.height
    random = found.filter(pl.col("axis") == "random").row(0, named=True)
    assert random["median_rank"] > hard["median_rank"].min()


def test_every_question_has_its_table(road_home):
    project = Project(home=str(road_home))
    ground = lay_ground(project, project.contracts[0])
    wanted = ground.asked.questions["question_id"].to_list()
    rows = read_candidates(project, ground, read_visible_vectors(project, ground), wanted)
    assert set(rows["question_id"]) == set(wanted)
    gold = rows.filter((pl.col("role") == "gold") & (pl.col("similarity") == 1.0))
    assert gold["question_id"].sort().to_list() == sorted(wanted)
    stored = project.read("negatives/negatives_of", frames={"wanted": ground.asked.unit_pools.select("pool_id")})
    first = ground.asked.gold.filter(pl.col("position") == 1).select("question_id", gold="unit_id")
    negatives = rows.filter(pl.col("role") == "negative").join(first, on="question_id")
    both = negatives.join(
        stored, left_on=["gold", "unit_id"], right_on=["unit_id", "negative_unit_id"], suffix="_stored"
    )
    assert both.height >= negatives.height > 0
    assert (both["similarity"] - both["similarity_stored"]).abs().max() < 1e-5
    assert {name for places in rows["places"] for name in json.loads(places)} == set(name_variants(ground))
    tables = lay_tables(project, ground, rows)
    assert sum(len(table.rows) for table in tables.values()) == rows.height


def test_a_page_above_the_clearance_is_neither_shown_nor_ranked(copy_road, change_ledger):
    paths = copy_road()
    project = Project(home=str(paths.home))
    ground = lay_ground(project, project.contracts[0])
    asked = ground.pools["question_id"].to_list()
    before = read_candidates(project, ground, read_visible_vectors(project, ground), asked)
    hidden = before.filter(pl.col("role") == "negative").item(0, "unit_id")
    change_ledger(paths, f"UPDATE corpus.unit_facets SET access_groups = '[\"board\"]' WHERE unit_id = '{hidden}'")
    ground = lay_ground(project, project.contracts[0])
    after = read_candidates(project, ground, read_visible_vectors(project, ground), asked)
    assert hidden not in set(after["unit_id"])
    assert set(after["n_corpus"].drop_nulls()) == {10}
    shown = {row.unit_id for table in lay_tables(project, ground, before).values() for row in table.rows}
    assert hidden not in shown
    assert shown


def test_a_question_that_nobody_asks_is_named(road_home):
    project = Project(home=str(road_home))
    asked = lay_ground(project, project.contracts[0]).cohort.questions.item(0, "question_id")
    assert find_ground(project, asked).contract.task == "quarterly-evidence"
    with pytest.raises(UnknownName, match="no contract asks 'qu_none' now"):
        find_ground(project, "qu_none")
