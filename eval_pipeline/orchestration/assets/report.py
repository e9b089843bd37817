"""The page that people read."""

import dagster as dg

from eval_pipeline.foundation.errors import GateFailed
from eval_pipeline.foundation.files import write_atomically
from eval_pipeline.orchestration.gates import open_figure_gates, open_gates
from eval_pipeline.orchestration.report_reading import read_report
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.report import building

GROUP = "report"


@dg.asset(group_name=GROUP, code_version=building.CODE_VERSION, deps=["metric_tables"])
def evaluation_report(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """One self-contained HTML page over all contracts. One file; the same evaluation gives the same bytes.

    Raises:
        GateFailed: a blocking check does not hold now; a later run may not step over a failed check.
    """
    failed = [*open_gates(project), *open_figure_gates(project)]
    if failed:
        message = f"no report: {'; '.join(failed)}"
        raise GateFailed(message)
    place = project.paths.report
    page = building.build_report(read_report(project)).encode()
    if not place.exists() or place.read_bytes() != page:
        write_atomically(place, page)
    return dg.MaterializeResult(
        metadata={"report": dg.MetadataValue.path(str(place)), "size_bytes": len(page)},
    )
