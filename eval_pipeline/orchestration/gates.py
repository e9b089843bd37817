"""Every blocking rule, asked again by whoever rests on it: Dagster's checks stop the run in which they fail, only."""

from eval_pipeline.foundation.errors import GateFailed
from eval_pipeline.foundation.ids import BUCKETS
from eval_pipeline.orchestration.checks.corpus import lost_documents
from eval_pipeline.orchestration.checks.metrics import leaked_units, read_present, rejectable_negatives
from eval_pipeline.orchestration.checks.negatives import unaccounted_places
from eval_pipeline.orchestration.checks.questions import unanswered_main_questions
from eval_pipeline.orchestration.resources import Project


def refuse_half_described(project: Project) -> None:
    """Stop where units of documents in force have not been described: they would be missing in silence.

    Raises:
        GateFailed: names how many.
    """
    told = undescribed(project)
    if told:
        raise GateFailed("; ".join(told))


def refuse_open_gates(project: Project) -> None:
    """Stop where a rule of the corpus, the pools or the questions does not hold now.

    Raises:
        GateFailed: names every such rule.
    """
    told = open_gates(project)
    if told:
        raise GateFailed("; ".join(told))


def undescribed(project: Project) -> list[str]:
    """Units in force without facets, in words."""
    waiting = project.read("corpus/units_to_describe", buckets=list(BUCKETS))
    return [f"{waiting.height} units are not described yet; materialise 'page_text'"] if waiting.height else []


def open_gates(project: Project) -> list[str]:
    """Rules of the corpus, the pools and the questions that do not hold now, in words; empty when all hold."""
    with project.together():
        return _open_gates(project)


def _open_gates(project: Project) -> list[str]:
    told = undescribed(project)
    if (lost := lost_documents(project)).height:
        told.append(f"{lost.height} documents are neither read nor refused, first {lost.item(0, 'source_path')}")
    if (missing := unaccounted_places(project)).height:
        told.append(f"{missing.height} pools have places without negative and without reason")
    if (bad := unanswered_main_questions(project)).height:
        told.append(f"{bad.height} questions of the main set are not answered by their own page")
    return told


def open_figure_gates(project: Project) -> list[str]:
    """Rules of the figures that do not hold now, in words; empty when all hold."""
    present = read_present(project)
    told = [
        f"{item.task}: something changed since the last figures; materialise 'variant_runs' and what follows"
        for item in present
        if not item.is_scored
    ]
    if (leaks := leaked_units(project)).height:
        told.append(f"{leaks.height} times an asker got a page that they may not see")
    if project.declared.negatives.strict:
        told += [f"{task}: {found.reason}" for task, found in rejectable_negatives(present) if found.is_rejectable]
    return told
