"""Exactly the buckets whose templates changed members are reported."""

import dagster as dg
import polars as pl
import pytest

from eval_pipeline.foundation.ids import BUCKETS
from eval_pipeline.orchestration.assets.templates import report_changed_buckets, template_members

KEY = dg.AssetKey("template_members")


def _members(**states):
    """Templates `t_<bucket>_<n>` with their members hash."""
    rows = [(name, name.split("_")[1], state) for name, state in states.items()]
    return pl.DataFrame(rows, schema=["template_id", "bucket", "members_hash"], orient="row")


@pytest.fixture
def instance():
    """Dagster's storage in memory."""
    with dg.DagsterInstance.ephemeral() as made:
        yield made


def _n_observations(instance):
    return len(instance.fetch_observations(dg.AssetRecordsFilter(asset_key=KEY), limit=1000).records)


def test_at_first_every_bucket_is_reported_then_none(instance):
    members = _members(t_00_a="m1", t_03_a="m2")
    assert report_changed_buckets(instance, members) == list(BUCKETS)
    assert report_changed_buckets(instance, members) == []
    assert report_changed_buckets(instance, members.reverse()) == []
    assert _n_observations(instance) == len(BUCKETS)


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
    report_changed_buckets(instance, _members(t_00_a="m1", t_00_b="m2", t_03_a="m3"))
    assert report_changed_buckets(instance, _members(**states)) == expected


def test_it_is_an_external_asset_by_bucket():
    assert template_members.key == KEY
    assert template_members.partitions_def.get_partition_keys() == list(BUCKETS)
