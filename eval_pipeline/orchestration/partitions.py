"""The one partitions definition (ADR 0004): 16 buckets by hash of a document's or a template's id."""

import warnings

import dagster as dg

from eval_pipeline.foundation.ids import BUCKETS

# `backfill_policy` is marked beta; the notice would come once per asset and process, in every log of the UI.
warnings.filterwarnings("ignore", message="Parameter `backfill_policy`", category=dg.BetaWarning)

BUCKET = dg.StaticPartitionsDefinition(list(BUCKETS))
IN_ONE_RUN = dg.BackfillPolicy.single_run()


def range_tags(first: str, last: str) -> dict[str, str]:
    """Tags of one run over a range of buckets, both ends included."""
    return {"dagster/asset_partition_range_start": first, "dagster/asset_partition_range_end": last}


RANGE_TAGS = range_tags(BUCKETS[0], BUCKETS[-1])

AFTER_VECTORS = dg.AssetDep("page_vectors", partition_mapping=dg.AllPartitionMapping())
"""Order only: template-side buckets come after every corpus-side bucket. A backfill from the UI finds its targets by
walking from partitioned asset to partitioned asset and would not cross the unpartitioned `page_templates`.
`page_vectors` has a constant data version, so nothing becomes stale through it (ADR 0004)."""

CONSTANT_VERSION = dg.DataVersion("see template_members")
"""Data version of assets behind which `template_members` says what changed."""
