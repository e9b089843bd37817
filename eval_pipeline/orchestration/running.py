"""Run the graph in this process, as `eval-pipeline run` and `demo` do.

Two runs under one night id: up to `page_templates`, then the rest. In one in-process run Dagster records the version
of the externally observed `template_members` before this run has reported it, and shows all that follows as stale.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import dagster as dg

from eval_pipeline.foundation import errors
from eval_pipeline.foundation.errors import EvalPipelineError, GateFailed, UnknownName
from eval_pipeline.foundation.ids import BUCKETS
from eval_pipeline.foundation.settings import ProjectPaths, find_project
from eval_pipeline.orchestration.assembly import build_definitions
from eval_pipeline.orchestration.backfilling import BY_TEMPLATE, contiguous_ranges, stale_buckets
from eval_pipeline.orchestration.checking import check_declaration
from eval_pipeline.orchestration.instance import open_instance
from eval_pipeline.orchestration.partitions import range_tags
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


def run_project(
    paths: ProjectPaths,
    *,
    select: Sequence[str] | None = None,
    buckets: Sequence[str] | None = None,
    quiet: bool = False,
) -> FinishedRun:
    """Materialise assets of a project over all buckets, or over some: one run per range without a gap.

    Args:
        paths: the project.
        select: asset names; None for all.
        buckets: names of buckets; None for all. Name only assets by bucket with it: others run once per range.
        quiet: no progress lines.

    Raises:
        ConfigError: there is no `eval.yaml`, or it says something that is not allowed.
        UnknownName: a name in `select` is no asset.
        GateFailed: a blocking check did not pass.
        StepFailed: a step raised.
    """
    paths = find_project(paths.home)
    check_declaration(paths)
    definitions = build_definitions(home=paths.home)
    job = definitions.resolve_job_def(NIGHTLY_JOB)
    wanted = choose_assets(definitions, select)
    night = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    run_ids, failed = [], []
    with open_instance(paths) as instance:
        for part, (first, last) in _parts(wanted, BUCKETS if buckets is None else buckets):
            result = job.execute_in_process(
                instance=instance,
                asset_selection=[dg.AssetKey(name) for name in part],
                tags={**range_tags(first, last), "night_id": night},
                run_config={
                    "loggers": {"console": {"config": {"log_level": "CRITICAL"}}} if quiet else {"progress": {}}
                },
                raise_on_error=False,
            )
            run_ids.append(result.run_id)
            failed += _failed_checks(result)
            _raise_failure(result, failed)
    return FinishedRun(dagster_run_ids=tuple(run_ids), failed_checks=tuple(failed))


def _parts(wanted: Sequence[str], buckets: Sequence[str]) -> list[tuple[list[str], tuple[str, str]]]:
    """Assets and range of each run, in order: up to the templates, then the rest."""
    parts = [[n for n in wanted if n in FIRST_PART], [n for n in wanted if n not in FIRST_PART]]
    return [(part, found) for part in parts if part for found in contiguous_ranges(buckets)]


def run_stale(paths: ProjectPaths, *, quiet: bool = False) -> tuple[list[str], FinishedRun]:
    """Backfill exactly the buckets that a template change has left stale; nothing runs where there is none.

    Returns:
        The buckets, and the runs over them: pools, questions and whether these are well posed.

    Raises:
        GateFailed: a blocking check did not pass.
        StepFailed: a step raised.
    """
    paths = find_project(paths.home)
    with open_instance(paths) as instance:
        stale = stale_buckets(instance)
    return stale, run_project(paths, select=BY_TEMPLATE, buckets=stale, quiet=quiet)


def choose_assets(definitions: dg.Definitions, select: Sequence[str] | None) -> list[str]:
    """Names of the assets to run, sorted; an asset brings those that its step makes beside it.

    Raises:
        UnknownName: a name in `select` is no asset.
    """
    graph = definitions.resolve_asset_graph()
    known = {key.to_user_string(): key for key in graph.executable_asset_keys}
    for name in select or ():
        if name not in known:
            message = f"no asset is called {name!r}; there are {', '.join(sorted(known))}"
            raise UnknownName(message, name=name)
    chosen = known.values() if select is None else [known[name] for name in select]
    return sorted({key.to_user_string() for one in chosen for key in graph.get(one).execution_set_asset_keys})


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
        kind = _kind_of(cause.cls_name if cause else None)
        message = f"step {event.step_key} failed: {text}; see the run in the Dagster UI ('eval-pipeline up')"
        if kind is GateFailed:
            raise GateFailed(message)
        raise StepFailed(message, traceback=error.to_string() if error else "", exit_code=kind.exit_code)
    message = f"blocking checks failed: {', '.join(failed) or 'see the Dagster UI'}"
    raise GateFailed(message)


def _kind_of(name: str | None) -> type[EvalPipelineError]:
    """Our error of that name; the root for any other, which is our fault."""
    found = getattr(errors, name or "", None)
    return found if isinstance(found, type) and issubclass(found, EvalPipelineError) else EvalPipelineError


class StepFailed(EvalPipelineError):
    """A step of the graph raised; the message carries its cause.

    Attributes:
        traceback: Dagster's rendering of the error.
        exit_code: that of the cause: 2 where the user's input was wrong.
    """

    def __init__(self, message: str, *, traceback: str, exit_code: int = EvalPipelineError.exit_code) -> None:
        super().__init__(message)
        self.traceback = traceback
        self.exit_code = exit_code
