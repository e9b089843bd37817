"""The nightly: one run over the whole range, once per day."""

from datetime import UTC, datetime

import dagster as dg

from eval_pipeline.foundation.config import ScheduleConfig
from eval_pipeline.orchestration.partitions import RANGE_TAGS
from eval_pipeline.orchestration.schedules import NIGHTLY_JOB, build_schedule


def test_one_night_is_one_run_over_all_buckets():
    made = build_schedule(ScheduleConfig(cron="30 3 * * *", timezone="Europe/Berlin"))
    assert (made.cron_schedule, made.execution_timezone, made.job_name) == ("30 3 * * *", "Europe/Berlin", NIGHTLY_JOB)
    with dg.build_schedule_context(scheduled_execution_time=datetime(2026, 1, 2, 3, 30, tzinfo=UTC)) as context:
        (request,) = made.evaluate_tick(context).run_requests
    assert request.run_key == "2026-01-02"
    assert {name: request.tags[name] for name in RANGE_TAGS} == RANGE_TAGS
    assert request.tags["night_id"] == "2026-01-02"


def test_it_is_off_until_someone_switches_it_on():
    assert build_schedule(ScheduleConfig()).default_status == dg.DefaultScheduleStatus.STOPPED
