"""Exactly the buckets whose templates changed are reported, tagged for sensors, and told in words."""

from datetime import UTC, datetime

import dagster as dg
import polars as pl
import pytest

from eval_pipeline.foundation.ids import BUCKETS, bucket_of
from eval_pipeline.orchestration.reading import members_in_force, newest_template_state, read_vectors, template_state
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.template_changes import (
    TEMPLATE_CHANGE,
    TEMPLATE_CHANGE_BUCKETS,
    change_tags,
    report_changed_buckets,
    states_to_report,
    tell_change,
)
from eval_pipeline.templates.stage import assign_templates

KEY = dg.AssetKey("template_members")


def _states(**states):
    """Templates `t_<bucket>_<n>` with their state."""
    rows = [(name, name.split("_")[1], state) for name, state in states.items()]
    return pl.DataFrame(rows, schema=["template_id", "bucket", "state"], orient="row")


@pytest.fixture
def instance():
    """Dagster's storage in memory."""
    with dg.DagsterInstance.ephemeral() as made:
        yield made


def _observations(instance):
    return instance.fetch_observations(dg.AssetRecordsFilter(asset_key=KEY), limit=1000).records


def test_at_first_every_bucket_is_reported_then_none(instance):
    states = _states(t_00_a="m1", t_03_a="m2")
    assert report_changed_buckets(instance, states) == list(BUCKETS)
    assert report_changed_buckets(instance, states) == []
    assert report_changed_buckets(instance, states.reverse()) == []
    assert len(_observations(instance)) == len(BUCKETS)


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ({"t_00_a": "other", "t_00_b": "m2", "t_03_a": "m3"}, ["00"]),
        ({"t_00_a": "m1", "t_00_b": "m2"}, ["03"]),
        ({"t_00_a": "m1", "t_00_b": "m2", "t_03_a": "m3", "t_07_a": "m4"}, ["07"]),
        ({"t_00_a": "m1", "t_03_a": "other"}, ["00", "03"]),
        ({"t_00_a": "m2", "t_00_b": "m1", "t_03_a": "m3"}, ["00"]),
        ({"t_00_a": "m1", "t_00_b": "m2", "t_03_a": "m3"}, []),
    ],
)
def test_only_touched_buckets_are_reported_again(instance, states, expected):
    report_changed_buckets(instance, _states(t_00_a="m1", t_00_b="m2", t_03_a="m3"))
    assert report_changed_buckets(instance, _states(**states), template_version_id="tver_2") == expected
    tagged = [record.asset_observation for record in _observations(instance)]
    assert sorted(item.partition for item in tagged if item.tags.get(TEMPLATE_CHANGE) == "tver_2") == expected


def test_a_step_killed_between_two_reports_leaves_the_rest_to_the_next(instance, monkeypatch):
    report_changed_buckets(instance, _states(t_00_a="m1", t_03_a="m2"))
    told, report = [], instance.report_runless_asset_event

    def killed_at_the_second(event):
        if told:
            raise KeyboardInterrupt
        told.append(event.partition)
        report(event)

    monkeypatch.setattr(instance, "report_runless_asset_event", killed_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        report_changed_buckets(instance, _states(t_00_a="x", t_03_a="y"), template_version_id="tver_2")
    monkeypatch.undo()
    assert told == ["00"]
    assert report_changed_buckets(instance, _states(t_00_a="x", t_03_a="y"), template_version_id="tver_2") == ["03"]


def test_a_materialisation_is_tagged_only_where_something_changed():
    assert change_tags("tver_1", []) == {}
    assert change_tags("tver_1", ["00", "07"]) == {TEMPLATE_CHANGE: "tver_1", TEMPLATE_CHANGE_BUCKETS: "00-07"}
    every = dg.MaterializeResult(tags=change_tags("tver_1", list(BUCKETS)))  # Dagster takes tags of at most 63 signs
    assert every.tags[TEMPLATE_CHANGE_BUCKETS].split("-") == list(BUCKETS)


@pytest.mark.parametrize(
    "name", ["A", "A/2024", "../up", "Münch & Söhne.pdf", "a.b.c", "会社/二〇二四", "", " ", "x" * 400]
)
def test_a_partition_key_is_two_digits_whatever_things_are_called(name):
    assert bucket_of(name) in BUCKETS
    assert all(len(bucket) == 2 and bucket.isascii() and bucket.isdigit() for bucket in BUCKETS)


@pytest.mark.road
def test_a_state_covers_members_encoder_and_where_it_can_cut_the_quota(road_home, copy_road):
    project = Project(home=str(road_home))
    members = members_in_force(project)
    states = states_to_report(project, members)
    assert set(states["template_id"]) == set(members["template_id"])
    assert states.equals(states_to_report(project, members.reverse()))
    other = copy_road()
    project = Project(home=str(other.home))
    declared = other.config.read_text()
    for before, after, is_same in [
        ("max: 500", "max: 499", True),
        ("max: 500", "max: 2", False),
        ("k: 3", "k: 2", False),
    ]:
        assert before in declared
        other.config.write_text(declared.replace(before, after))
        now = states_to_report(project, members)
        assert now.equals(states) is is_same, after
        assert set(now["state"]).isdisjoint(states["state"]) is not is_same


@pytest.mark.road
def test_a_change_is_told_in_tables(copy_road):
    paths = copy_road()
    project = Project(home=str(paths.home))
    state = template_state(project)
    told = tell_change(project, state, sequence=1, changed=["00", "03"])
    assert told["buckets changed"].value == "2: 00, 03"
    assert told["template version"].value.startswith(f"{state.template_version_id} (first clustering")
    announced = told["announced after this batch"].value
    assert all(template in announced for template in state.templates["template_id"])
    assert told["pages of no known template"].value == state.assignments.filter(pl.col("template_id").is_null()).height


@pytest.mark.road
def test_settings_that_return_bring_the_old_version_back_and_tell_what_changed(copy_road):
    """X, then Y, then X: the ids of X are back, nothing is written, and the table goes from Y to X (ADR 0008)."""
    paths = copy_road()
    project = Project(home=str(paths.home))
    before, members = template_state(project), members_in_force(project)
    other = project.declared.templates.model_copy(update={"epoch": 2, "min_members": 50})
    encoders = project.encoders()
    changed = assign_templates(
        units=project.read("corpus/units_in_force"),
        vectors={name: read_vectors(project, encoders[name]) for name in other.features},
        state=before,
        config=other,
        sequence=1,
    )
    with project.session() as ledger:
        stamp = {"asset": "page_templates", "partition": None, "code_version": "t", "dagster_run_id": "t"}
        ledger.record(output=changed, made_at=datetime(2026, 1, 1, tzinfo=UTC), **stamp)
    newest, state = newest_template_state(project), template_state(project)
    assert newest.version["parent_version_id"] == before.template_version_id == state.template_version_id
    assert members_in_force(project).equals(members)
    told = tell_change(project, state, sequence=1, changed=[])
    assert f"in force again instead of {newest.template_version_id}" in told["template version"].value
    came_back = set(state.templates["template_id"]) - set(newest.templates["template_id"])
    assert came_back
    assert all(template in told["became of the version before"].value for template in came_back)
