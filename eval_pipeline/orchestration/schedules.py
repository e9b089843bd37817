"""The nightly: one run over the whole bucket range."""

import dagster as dg

from eval_pipeline.foundation.config import ScheduleConfig
from eval_pipeline.orchestration.partitions import RANGE_TAGS

NIGHTLY_JOB = "nightly"


def build_schedule(declared: ScheduleConfig) -> dg.ScheduleDefinition:
    """The nightly schedule, at the declared time; it starts stopped and is switched on in the UI."""

    @dg.schedule(
        name="nightly_schedule",
        job_name=NIGHTLY_JOB,
        cron_schedule=declared.cron,
        execution_timezone=declared.timezone,
        description="Evaluates everything that is new since the last night.",
    )
    def nightly_schedule(context: dg.ScheduleEvaluationContext) -> dg.RunRequest:
        night = context.scheduled_execution_time.date().isoformat()
        return dg.RunRequest(run_key=night, tags={**RANGE_TAGS, "night_id": night})

    return nightly_schedule
