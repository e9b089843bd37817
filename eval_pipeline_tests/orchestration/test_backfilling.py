"""A template change, driven through Dagster: which buckets it leaves stale, and what a backfill of these redoes."""

import dagster as dg
import polars as pl
import pytest
from dagster._core.definitions.data_version import CachingStaleStatusResolver, StaleStatus
from dagster._core.loader import LoadingContextForTest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.ids import BUCKETS
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.connection import session
from eval_pipeline.orchestration.assembly import build_definitions
from eval_pipeline.orchestration.backfilling import BY_TEMPLATE, READS_MEMBERS, contiguous_ranges, stale_buckets
from eval_pipeline.orchestration.instance import open_instance
from eval_pipeline.orchestration.partitions import range_tags
from eval_pipeline.orchestration.reading import members_in_force, read_vectors, template_state
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.running import run_project, run_stale
from eval_pipeline.orchestration.schedules import NIGHTLY_JOB
from eval_pipeline.orchestration.template_changes import TEMPLATE_CHANGE, TEMPLATE_CHANGE_BUCKETS
from eval_pipeline.receipts.tracing import trace
from eval_pipeline.templates.stage import assign_templates

DECLARED = "templates: {features: [layout], cut: auto, min_members: 2}"
CHANGES = [{"cut": cut} for cut in (0.2, 0.15, 0.1, 0.3, 0.4, 0.05)] + [{"min_members": n} for n in (5, 4, 3)]


@pytest.mark.parametrize(
    ("buckets", "expected"),
    [
        ([], []),
        (["03"], [("03", "03")]),
        (["05", "03", "04"], [("03", "05")]),
        (["15", "00", "01", "09", "09"], [("00", "01"), ("09", "09"), ("15", "15")]),
        (list(BUCKETS), [("00", "15")]),
    ],
)
def test_ranges_without_a_gap(buckets, expected):
    assert contiguous_ranges(buckets) == expected


@given(chosen=st.sets(st.sampled_from(BUCKETS)))
def test_ranges_hold_exactly_the_buckets(chosen):
    held = [
        bucket for first, last in contiguous_ranges(sorted(chosen)) for bucket in BUCKETS if first <= bucket <= last
    ]
    assert held == sorted(chosen)


def _observe(instance, bucket, version):
    tags = {"dagster/data_version": version}
    instance.report_runless_asset_event(dg.AssetObservation("template_members", partition=bucket, tags=tags))


def test_a_bucket_is_stale_until_both_of_its_readers_have_seen_the_members():
    """Observed again as it was, it is fresh; a project that was never observed has nothing to backfill."""
    specs = [dg.AssetSpec("template_members", partitions_def=dg.StaticPartitionsDefinition(list(BUCKETS)))]

    def make(name):
        @dg.asset(name=name, deps=["template_members"], partitions_def=specs[0].partitions_def)
        def made() -> None:
            pass

        return made

    assets = [make(name) for name in READS_MEMBERS]
    with dg.DagsterInstance.ephemeral() as instance:
        assert stale_buckets(instance) == []
        _observe(instance, "03", "v1")
        assert stale_buckets(instance) == ["03"]
        for asset in assets:
            dg.materialize([asset, *specs], instance=instance, partition_key="03")
        assert stale_buckets(instance) == []
        _observe(instance, "03", "v2")
        _observe(instance, "07", "v1")
        assert stale_buckets(instance) == ["03", "07"]
        dg.materialize([assets[0], *specs], instance=instance, partition_key="03")
        assert stale_buckets(instance) == ["03", "07"]
        dg.materialize([assets[1], *specs], instance=instance, partition_key="03")
        assert stale_buckets(instance) == ["07"]
        _observe(instance, "03", "v3")
        _observe(instance, "03", "v2")
        assert stale_buckets(instance) == ["07"]


def _choose_change(project):
    """Declared settings that touch some templates and leave others: as the UI would be told, before it is done."""
    encoders, declared = project.encoders(), project.declared.templates
    units, state = project.read("corpus/units_in_force"), template_state(project)
    vectors = {name: read_vectors(project, encoders[name]) for name in declared.features}
    for change in CHANGES:
        output = assign_templates(
            units=units, vectors=vectors, state=state, config=declared.model_copy(update=change), sequence=1
        )
        fates = output.tables["templates.template_succession"]
        if fates["is_touched"].any() and not fates["is_touched"].all():
            return change, fates
    pytest.fail("no declared change touches some templates and leaves others")


def _declare(paths, change):
    key, value = next(iter(change.items()))
    told = {"cut": "auto", "min_members": 2, key: value}
    changed = f"templates: {{features: [layout], cut: {told['cut']}, min_members: {told['min_members']}}}"
    text = paths.config.read_text()
    assert DECLARED in text
    paths.config.write_text(text.replace(DECLARED, changed))


def _headers(paths):
    return {header.commit_id: header for header in map(commits.read_header, commits.list_applied(paths))}


def _rows(paths):
    with session(paths) as ledger:
        return {name: ledger.table(name) for name in TABLES}


def _touched(fates):
    """Buckets that hold a template whose members changed."""
    return fates.filter("is_touched")["bucket"].unique().sort().to_list()


def _figures(paths):
    """Figures of the evaluations in force, in a fixed order."""
    with session(paths) as ledger:
        turns, evaluations = ledger.table("metrics.evaluation_turn"), ledger.table("metrics.evaluation")
        metrics = ledger.table("metrics.metric")
    last = turns.filter(pl.col("turn") == pl.col("turn").max().over("contract_id")).select("evaluation_id", "turn")
    names = ["variant_id", "arena", "slice", "slice_value", "measure", "estimate", "low", "high", "reason"]
    kept = metrics.join(last, on="evaluation_id").join(evaluations, on="evaluation_id")
    return kept.select("contract_id", *names, "turn", "template_version_id").sort("contract_id", *names[:5])


def _as_dagster_shows(paths, name):
    """Buckets that the UI shows as stale."""
    graph = build_definitions(home=paths.home).resolve_asset_graph()
    with open_instance(paths) as instance:
        resolver = CachingStaleStatusResolver(instance, graph, LoadingContextForTest(instance))
        return [bucket for bucket in BUCKETS if resolver.get_status(dg.AssetKey(name), bucket) != StaleStatus.FRESH]


def _materialise(paths, names, *, run_config=None, **tags):
    job = build_definitions(home=paths.home).resolve_job_def(NIGHTLY_JOB)
    with open_instance(paths) as instance:
        return job.execute_in_process(
            instance=instance,
            asset_selection=[dg.AssetKey(name) for name in names],
            tags=tags or range_tags(BUCKETS[0], BUCKETS[-1]),
            run_config=run_config or {},
        )


def _tags_and_metadata(result):
    (event,) = [event for event in result.all_events if event.is_step_materialization]
    return event.materialization.tags, event.materialization.metadata


@pytest.mark.road
def test_a_template_change_runs_only_the_touched_buckets_and_templates(copy_road):
    """Issue 4: the list of partitions run and of templates recomputed, and all else as it was."""
    paths = copy_road()
    project = Project(home=str(paths.home))
    change, fates = _choose_change(project)
    old_version, before, known = template_state(project).template_version_id, _rows(paths), _headers(paths)
    _declare(paths, change)
    tags, metadata = _tags_and_metadata(_materialise(paths, ["page_templates"]))

    touched = _touched(fates)
    assert tags[TEMPLATE_CHANGE] == template_state(project).template_version_id
    assert tags[TEMPLATE_CHANGE_BUCKETS].split("-") == touched
    shown = metadata["became of the version before"].value
    assert all(template in shown for template in fates.filter("is_touched")["template_id"])
    for name in READS_MEMBERS:
        assert _as_dagster_shows(paths, name) == touched
    with open_instance(paths) as instance:
        assert stale_buckets(instance) == touched

    ran = [_materialise(paths, BY_TEMPLATE, **range_tags(*ends)) for ends in contiguous_ranges(touched)]
    assert [_as_dagster_shows(paths, name) for name in READS_MEMBERS] == [[], []]
    made = [header for key, header in _headers(paths).items() if key not in known]
    assert {header.partition for header in made if header.asset in BY_TEMPLATE} <= set(touched)
    events = [event for result in ran for event in result.all_events if event.is_step_materialization]
    after = _rows(paths)
    recomputed = {
        name: sorted(set(_new(before, after, name)["template_id"]))
        for name in ("negatives.pooled_template", "questions.sampled_template")
    }
    holds = set(members_in_force(project)["template_id"])
    expected = sorted(set(fates.filter("is_touched")["template_id"]) & holds)
    told = {
        "partitions run": sorted({event.partition for event in events}),
        "templates recomputed": recomputed["negatives.pooled_template"],
    }
    assert told == {"partitions run": touched, "templates recomputed": expected}
    assert recomputed["questions.sampled_template"] == expected
    _nothing_else_changed(before, after, expected, members_in_force(project))
    _old_receipts_lead_to(paths, before, old_version)


def _new(before, after, name):
    key = list(TABLES[name].key)
    return after[name].join(before[name], on=key, how="anti", nulls_equal=True)


def _nothing_else_changed(before, after, touched, members):
    """No pool, verdict or outcome of a page of an untouched template was made, and no row of old was lost."""
    gone = {name: _new(after, before, name).height for name in TABLES}
    assert set(gone.values()) == {0}
    home = dict(members.select("unit_id", "template_id").iter_rows())
    pools = _new(before, after, "negatives.unit_pool")
    assert {home[unit] for unit in pools["unit_id"]} == set(touched)
    gold = dict(after["questions.question_gold"].filter(position=1).select("question_id", "unit_id").iter_rows())
    for name in ("questions.well_posedness", "judging.verdict"):
        assert {home[gold[question]] for question in _new(before, after, name)["question_id"]} <= set(touched), name
    assert after["judging.verdict"]["verdict_id"].is_unique().all()


def _old_receipts_lead_to(paths, before, old_version):
    receipts = before["receipts.receipt"].filter(pl.col("pool_id").is_not_null())
    with session(paths) as ledger:
        for receipt_id in receipts["receipt_id"].sort().gather_every(max(1, receipts.height // 5)).to_list():
            told = trace(ledger, receipt_id)
            pools = told.find_all("pool")
            assert pools[0].facts["template_version_id"] == old_version
            under = {node.facts["template_version_id"] for node in told.find_all("template")}
            assert old_version in under


@pytest.mark.road
def test_the_command_line_backfills_the_same_and_a_second_time_nothing(copy_road):
    paths = copy_road()
    project = Project(home=str(paths.home))
    change, fates = _choose_change(project)
    _declare(paths, change)
    run_project(paths, select=["page_templates"], quiet=True)
    stale, finished = run_stale(paths, quiet=True)
    assert stale == _touched(fates)
    assert len(finished.dagster_run_ids) == len(contiguous_ranges(stale))
    known = _headers(paths).keys()
    assert run_stale(paths, quiet=True)[0] == []
    run_project(paths, select=["page_templates", *BY_TEMPLATE], quiet=True)  # over all buckets, with nothing to do
    assert _headers(paths).keys() == known


@pytest.mark.road
def test_clustered_again_from_the_launchpad_without_effect_nothing_is_stale(copy_road):
    """First of the very pages that the version was made from: nothing at all. Then by the epoch: a version, no work."""
    paths = copy_road()
    project = Project(home=str(paths.home))
    version, known = template_state(project).template_version_id, _headers(paths).keys()
    asked = {"ops": {"page_templates": {"config": {"recluster": True}}}}
    tags, _ = _tags_and_metadata(_materialise(paths, ["page_templates"], run_config=asked))
    assert TEMPLATE_CHANGE not in tags
    assert _headers(paths).keys() == known
    paths.config.write_text(paths.config.read_text().replace("min_members: 2}", "min_members: 2, epoch: 2}"))
    tags, metadata = _tags_and_metadata(_materialise(paths, ["page_templates"]))
    assert TEMPLATE_CHANGE not in tags
    assert "new settings: epoch" in metadata["template version"].value
    state = template_state(project)
    assert state.version["parent_version_id"] == version
    assert stale_buckets_of(paths) == []
    assert len(_headers(paths)) == len(known) + 1
    before = _figures(paths)
    run_project(paths, quiet=True)
    after = _figures(paths)  # of another clustering, and the same
    assert set(after["turn"]) == {2}
    assert set(after["template_version_id"]) == {state.template_version_id}
    assert after.drop("turn", "template_version_id").equals(before.drop("turn", "template_version_id"))


def stale_buckets_of(paths):
    with open_instance(paths) as instance:
        return stale_buckets(instance)
