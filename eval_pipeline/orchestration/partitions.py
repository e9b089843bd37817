"""The one partitions definition (ADR 0004): 16 buckets by hash of a document's or a template's id."""

import dagster as dg

from eval_pipeline.foundation.ids import BUCKETS

BUCKET = dg.StaticPartitionsDefinition(list(BUCKETS))
IN_ONE_RUN = dg.BackfillPolicy.single_run()

RANGE_TAGS = {
    "dagster/asset_partition_range_start": BUCKETS[0],
    "dagster/asset_partition_range_end": BUCKETS[-1],
}
