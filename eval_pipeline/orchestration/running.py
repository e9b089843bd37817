"""Run the graph in this process, as `eval-pipeline run` and `demo` do.

Two runs under one night id: up to `page_templates`, then the rest. In one in-process run Dagster records the version
of the externally observed `template_members` before this run has reported it, and shows all that follows as stale.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import dagster as dg

from eval_pipeline.foundation.errors import GateFailed, UnknownName
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.orchestration.assembly import build_definitions
from eval_pipeline.orchestration.instance import open_instance
from eval_pipeline.orchestration.partitions import RANGE_TAGS
from eval_pipeline.orchestration.schedules import NIGHTLY_JOB

FIRST_PART = ("documents", "pages", "page_text", "page_vectors", "page_templates")


@dataclass(frozen=True, kw_only=True)
class FinishedRun:
    """What a run in this process left behind.

    Attributes:
        dagster_run_ids: ids of the runs, in order.
        failed_checks: names of checks that did not pass.
    """

    dagster_run_ids: tuple[str, ...]
    failed_checks: tuple[str, ...]


def run_project(paths: ProjectPaths, *, select: Sequence[str] | None = None, quiet: bool = False) -> FinishedRun:
    """Materialise assets of a project over all buckets.

    Args:
        paths: the project.
        select: asset names; None for all.
        quiet: no progress lines.

    Raises:
        UnknownName: a name in `select` is no asset.
        GateFailed: a blocking check did not pass.
    """
    definitions = build_definitions(home=paths.home)
    job = definitions.resolve_job_def(NIGHTLY_JOB)
    known = [key.to_user_string() for key in job.asset_layer.executable_asset_keys]
    wanted = list(select or known)
    for name in wanted:
        if name not in known:
            message = f"no asset is called {name!r}; there are {', '.join(sorted(known))}"
            raise UnknownName(message, name=name)
    night = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    run_ids, failed = [], []
    with open_instance(paths) as instance:
        for part in ([n for n in wanted if n in FIRST_PART], [n for n in wanted if n not in FIRST_PART]):
            if not part:
                continue
            result = job.execute_in_process(
                instance=instance,
                asset_selection=[dg.AssetKey(name) for name in part],
                tags={**RANGE_TAGS, "night_id": night},
                run_config={
                    "loggers": {"console": {"config": {"log_level": "CRITICAL"}}} if quiet else {"progress": {}}
                },
                raise_on_error=False,
            )
            run_ids.append(result.run_id)
            failed += _failed_checks(result)
            _raise_failure(result, failed)
    return FinishedRun(dagster_run_ids=tuple(run_ids), failed_checks=tuple(failed))


def _failed_checks(result: dg.ExecuteInProcessResult) -> list[str]:
    return [check.check_name for check in result.get_asset_check_evaluations() if not check.passed]


def _raise_failure(result: dg.ExecuteInProcessResult, failed: Sequence[str]) -> None:
    if result.success:
        return
    for event in result.get_step_failure_events():
        error = event.step_failure_data.error
        cause = error.cause if error and error.cause else error
        text = cause.message.strip() if cause else "no message"
        if failed and "blocking" in text.lower():
            break
        message = f"step {event.step_key} failed: {text}; see the run in the Dagster UI ('eval-pipeline up')"
        raise StepFailed(message, traceback=error.to_string() if error else "")
    message = f"blocking checks failed: {', '.join(failed) or 'see the Dagster UI'}"
    raise GateFailed(message)


class StepFailed(GateFailed):
    """A step of the graph raised; the message carries its cause.

    Attributes:
        traceback: Dagster's rendering of the error.
    """

    exit_code = 1

    def __init__(self, message: str, *, traceback: str) -> None:
        super().__init__(message)
        self.traceback = traceback
