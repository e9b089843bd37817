"""Which buckets a template change has left stale, and a backfill of exactly these.

What the UI calls a backfill of stale partitions: runs over ranges of buckets of the assets that work on templates. The
ledger says which templates inside a bucket changed, and only these are worked on.
"""

from collections.abc import Sequence

import dagster as dg

from eval_pipeline.foundation.ids import BUCKETS

BY_TEMPLATE = ("hard_negatives", "candidate_questions", "well_posed_questions")
"""Assets by bucket of templates, in the order in which they rest on each other."""
READS_MEMBERS = BY_TEMPLATE[:2]
_VERSION = "dagster/data_version"
_POINTER = "dagster/input_event_pointer/template_members"


def stale_buckets(instance: dg.DagsterInstance) -> list[str]:
    """Buckets whose templates are others than when their pools or questions were last made, sorted.

    The same that Dagster shows as stale: `template_members` was observed after a materialisation, with another version
    than before it; or there is no materialisation. Nothing is stale before the first observation.
    """
    return [bucket for bucket in BUCKETS if any(_is_stale(instance, name, bucket) for name in READS_MEMBERS)]


def _is_stale(instance: dg.DagsterInstance, asset: str, bucket: str) -> bool:
    newest, newest_id = _observed(instance, bucket, before=None)
    if newest is None:
        return False
    pointer = _pointer(instance, asset, bucket)
    if pointer is None:
        return True
    return newest_id > pointer and newest != _observed(instance, bucket, before=pointer + 1)[0]


def _observed(instance: dg.DagsterInstance, bucket: str, *, before: int | None) -> tuple[str | None, int]:
    """Version and storage id of the last observation of a bucket's members before a storage id; None without one."""
    wanted = dg.AssetRecordsFilter(
        asset_key=dg.AssetKey("template_members"), asset_partitions=[bucket], before_storage_id=before
    )
    for record in instance.fetch_observations(wanted, limit=1).records:
        if record.asset_observation is not None:
            return record.asset_observation.tags.get(_VERSION), record.storage_id
    return None, 0


def _pointer(instance: dg.DagsterInstance, asset: str, bucket: str) -> int | None:
    """Storage id of the observation that the last materialisation of a bucket has seen; None without one."""
    wanted = dg.AssetRecordsFilter(asset_key=dg.AssetKey(asset), asset_partitions=[bucket])
    for record in instance.fetch_materializations(wanted, limit=1).records:
        if record.asset_materialization is not None:
            told = (record.asset_materialization.tags or {}).get(_POINTER, "")
            return int(told) if told.isdigit() else None
    return None


def contiguous_ranges(buckets: Sequence[str]) -> list[tuple[str, str]]:
    """First and last bucket of every range without a gap: Dagster makes one run of each."""
    places = sorted({BUCKETS.index(bucket) for bucket in buckets})
    ranges: list[tuple[int, int]] = []
    for place in places:
        if ranges and ranges[-1][1] == place - 1:
            ranges[-1] = (ranges[-1][0], place)
        else:
            ranges.append((place, place))
    return [(BUCKETS[first], BUCKETS[last]) for first, last in ranges]
