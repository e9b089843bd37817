"""One document changes: exactly the buckets of the templates that it touches are reported, and shown as stale."""

import dagster as dg
from dagster._core.definitions.data_version import CachingStaleStatusResolver, StaleStatus
from dagster._core.loader import LoadingContextForTest

from eval_pipeline.foundation.ids import BUCKETS
from eval_pipeline.orchestration.assembly import build_definitions
from eval_pipeline.orchestration.instance import open_instance
from eval_pipeline.orchestration.reading import members_in_force
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.running import FIRST_PART, run_project

BUCKETED = ("hard_negatives", "candidate_questions")


def _stale(paths):
    """Buckets that Dagster shows as stale, per asset."""
    graph = build_definitions(home=paths.home).resolve_asset_graph()
    with open_instance(paths) as instance:
        resolver = CachingStaleStatusResolver(instance, graph, LoadingContextForTest(instance))
        return {
            name: {bucket for bucket in BUCKETS if resolver.get_status(dg.AssetKey(name), bucket) != StaleStatus.FRESH}
            for name in BUCKETED
        }


def _state(paths):
    members = members_in_force(Project(home=str(paths.home)))
    return dict(members.select("template_id", "members_hash").unique().iter_rows()), dict(
        members.select("template_id", "template_bucket").unique().iter_rows()
    )


def test_a_changed_document_makes_exactly_its_buckets_stale(copy_road):
    paths = copy_road()
    assert _stale(paths) == {name: set() for name in BUCKETED}
    before, bucket_of = _state(paths)
    table = paths.home / "corpus" / "metadata.csv"
    lines = table.read_text().splitlines()
    (paths.home / "corpus" / "juniper-fold-logistics-2024-q2.pdf").unlink()
    table.write_text("\n".join(line for line in lines if "juniper-fold-logistics-2024-q2" not in line) + "\n")
    run_project(paths, select=FIRST_PART, quiet=True)
    after, _ = _state(paths)
    touched = {bucket_of[template] for template, state in before.items() if after.get(template) != state}
    assert touched
    assert _stale(paths) == dict.fromkeys(BUCKETED, touched)
