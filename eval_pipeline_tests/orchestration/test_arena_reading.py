"""Arenas with what a receipt needs to know of every candidate."""

import polars as pl
import pytest

from eval_pipeline.orchestration.arena_reading import random_arenas, read_arenas, read_negatives, read_random
from eval_pipeline.orchestration.question_sets import read_asked
from eval_pipeline.orchestration.resources import Project

pytestmark = pytest.mark.road


@pytest.fixture(scope="module")
def project(road_home):
    """The twelve pages after one run."""
    return Project(home=str(road_home))


@pytest.fixture(scope="module")
def visible(project):
    """Everything."""
    return frozenset(project.read("corpus/units_in_force")["unit_id"])


@pytest.fixture(scope="module")
def asked(project):
    """Questions in force."""
    return read_asked(project)


def test_every_candidate_is_gold_or_a_negative_with_axis_and_rank(project, asked, visible):
    arenas = read_arenas(project, asked, visible=visible)
    assert arenas.columns == ["question_id", "arena", "unit_id", "axis", "rank"]
    assert arenas.select("question_id", "arena", "unit_id").is_duplicated().sum() == 0
    gold = asked.gold.select("question_id", "unit_id")
    is_gold = arenas.join(gold, on=["question_id", "unit_id"], how="semi")
    negatives = arenas.join(gold, on=["question_id", "unit_id"], how="anti")
    assert is_gold["axis"].null_count() == is_gold.height
    assert negatives["axis"].null_count() == negatives["rank"].null_count() == 0
    assert set(negatives.filter(arena="random")["axis"]) == {"random"}
    assert set(negatives.filter(arena="siblings")["axis"]) >= {"period", "metric", "entity"}


def test_an_arena_holds_the_gold_unit_once(project, asked, visible):
    arenas = read_arenas(project, asked, visible=visible)
    first = asked.gold.filter(pl.col("position") == 1)
    for arena in ("random", "siblings"):
        held = arenas.filter(arena=arena).join(first, on=["question_id", "unit_id"], how="semi")
        assert held.height == arenas.filter(arena=arena)["question_id"].n_unique()


def test_negatives_are_those_of_the_pool_of_the_first_gold_unit(project, asked):
    negatives = read_negatives(project, asked)
    assert negatives.sort("question_id", "axis", "rank").equals(negatives)
    own = asked.gold.select("question_id", "unit_id")
    assert negatives.join(own, on=["question_id", "unit_id"], how="semi").is_empty()


def test_random_negatives_are_drawn_for_every_first_gold_unit(project, asked):
    random = read_random(project)
    first = set(asked.gold.filter(pl.col("position") == 1)["unit_id"])
    assert set(random["unit_id"]) == first
    assert random.filter(pl.col("unit_id") == pl.col("negative_unit_id")).is_empty()


def test_what_the_asker_may_not_see_is_no_candidate(project, asked, visible):
    hidden = sorted(visible)[:3]
    arenas = read_arenas(project, asked, visible=visible - set(hidden))
    whole = read_arenas(project, asked, visible=visible)
    assert arenas.equals(whole.filter(~pl.col("unit_id").is_in(hidden)))


def test_every_random_arena_has_settings_of_its_own(project):
    arenas = random_arenas(project)
    declared = project.declared.negatives
    assert [(name, n) for name, n, _ in arenas] == [
        ("random", declared.random),
        *((f"random@{n}", n) for n in declared.random_arenas),
    ]
    assert len({settings_id for _, _, settings_id in arenas}) == len(arenas)
