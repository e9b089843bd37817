"""One partitions definition, so that one run may span it."""

import dagster as dg

from eval_pipeline.foundation.ids import BUCKETS, bucket_of
from eval_pipeline.orchestration.partitions import AFTER_VECTORS, BUCKET, IN_ONE_RUN, RANGE_TAGS


def test_buckets_are_the_ledgers(definitions):
    assert BUCKET.get_partition_keys() == list(BUCKETS)
    assert bucket_of("any id") in BUCKETS
    used = {node.partitions_def for node in definitions.resolve_asset_graph().asset_nodes} - {None}
    assert used == {BUCKET}


def test_range_spans_all_buckets():
    assert {
        "dagster/asset_partition_range_start": BUCKETS[0],
        "dagster/asset_partition_range_end": BUCKETS[-1],
    } == RANGE_TAGS


def test_every_asset_by_bucket_runs_in_one_run(definitions):
    nodes = [node for node in definitions.resolve_asset_graph().asset_nodes if node.partitions_def]
    assert {node.backfill_policy for node in nodes if node.is_executable} == {IN_ONE_RUN}


def test_template_side_comes_after_all_vectors():
    assert AFTER_VECTORS.asset_key == dg.AssetKey("page_vectors")
    assert isinstance(AFTER_VECTORS.partition_mapping, dg.AllPartitionMapping)
