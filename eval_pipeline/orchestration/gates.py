"""Every blocking rule, asked again by whoever rests on it: Dagster's checks stop the run in which they fail, only."""

from eval_pipeline.orchestration.checks.corpus import lost_documents
from eval_pipeline.orchestration.checks.metrics import leaking_figures, read_present, rejectable_negatives
from eval_pipeline.orchestration.checks.negatives import unaccounted_places
from eval_pipeline.orchestration.checks.questions import unanswered_main_questions
from eval_pipeline.orchestration.resources import Project


def open_gates(project: Project) -> list[str]:
    """Rules that do not hold now, in words; empty when all hold."""
    told = []
    if (lost := lost_documents(project)).height:
        told.append(f"{lost.height} documents are neither read nor refused, first {lost.item(0, 'source_path')}")
    if (missing := unaccounted_places(project)).height:
        told.append(f"{missing.height} pools have places without negative and without reason")
    if (bad := unanswered_main_questions(project)).height:
        told.append(f"{bad.height} questions of the main set are not answered by their own page")
    return told + _in_figures(project)


def _in_figures(project: Project) -> list[str]:
    present = read_present(project)
    told = [
        f"{item.task}: something changed since the last figures; materialise 'variant_runs' and what follows"
        for item in present
        if not item.is_scored
    ]
    if (leaks := leaking_figures(present)).height:
        told.append(f"{leaks.height} figures of leak@k are above 0: an asker got what they may not see")
    if project.declared.negatives.strict:
        told += [f"{task}: {found.reason}" for task, found in rejectable_negatives(present) if found.is_rejectable]
    return told
