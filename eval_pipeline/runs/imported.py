"""Run files taken in as the rankings of a variant: every line is used, or refused by number with the reason."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from eval_pipeline.corpus.refusals import to_quarantine
from eval_pipeline.foundation import ids
from eval_pipeline.foundation.errors import TableError
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import corpus as corpus_tables
from eval_pipeline.foundation.tables import runs as tables
from eval_pipeline.runs.eligibility import Clearance
from eval_pipeline.runs.imported_lists import ImportedLists
from eval_pipeline.runs.open_work import retrieval_run_id_of
from eval_pipeline.runs.page_numbers import suggest_page_base
from eval_pipeline.runs.ranking_rows import RankingRows
from eval_pipeline.runs.run_file import RunFile
from eval_pipeline.runs.run_lines import LookedUp, look_up
from eval_pipeline.runs.unit_names import name_units
from eval_pipeline.runs.variants import RUN_FILE, Variant

__all__ = ["RunFile", "import_run"]

CODE_VERSION = "1"
OTHER_SNAPSHOT = "other-snapshot"
"""Note of rankings that were made on another corpus snapshot and are read all the same."""


def import_run(
    *,
    declared: RunFile,
    home: Path,
    questions: pl.DataFrame,
    units: pl.DataFrame,
    arenas: pl.DataFrame,
    batch_id: str,
    depth: int,
    variant: Variant | None = None,
    clearance: Clearance | None = None,
    arena_settings_id: str | None = None,
    visible: frozenset[str] | None = None,
) -> StageOutput:
    """Take in the files of one variant as its stages and, by restriction or by their scores, as rankings of the arenas.

    Scores decide, as 64-bit numbers, ties by unit id; the rank column does not. A unit listed twice for a question
    counts once, where it stands first in the file; the other lines are refused. A unit whose id equals the question's
    is a unit like any other. Questions that the file leaves out have no rows: they were not run.

    Args:
        declared: the files and how they name units.
        home: project folder.
        questions: question_id, declared_id (null without one), and gold_unit_id where gold is known, by which a wrong
            first page number is noticed; a question is named by either id.
        units: rows of the view `corpus.unit_in_force`.
        arenas: question_id, arena, unit_id.
        batch_id: corpus snapshot that is evaluated.
        depth: places kept.
        variant: the variant that declares the files; None makes one that is named by their content.
        clearance: as whom the questions are asked; None for an asker who may see everything.
        arena_settings_id: what the arenas were made under.
        visible: units that the asker may see; with it the stages `returned` and `eligible` are kept as well.

    Returns:
        runs.variant, runs.retrieval_run, runs.question_ranking, runs.ranking and corpus.quarantine.

    Raises:
        TableError: a file cannot be read as a whole, no line names a unit of the corpus, pages are counted from
            another number, it was made on another snapshot, or a line is bad, and `on_error` or `on_other_snapshot`
            is `stop`; names the first lines and why.
    """
    notes = _check_snapshot(declared, batch_id)
    files = _look_up_all(declared, home, questions, units)
    answer = files[declared.path]
    notes += _check_pages(declared, answer, questions, units)
    variant = variant or _variant_of(declared, {path: found.content_hash for path, found in files.items()})
    lists = ImportedLists(
        declared=declared, files=files, units=units, visible=visible, notes=notes, rows=RankingRows(variant=variant)
    )
    lists.add_stages(depth)
    lists.add_arenas(arenas)
    run_id = retrieval_run_id_of(
        variant.variant_id, batch_id, depth=depth, clearance=clearance, arena_settings_id=arena_settings_id
    )
    run = {"retrieval_run_id": run_id, "variant_id": variant.variant_id, "batch_id": batch_id, "depth": depth}
    refusals = [refusal for found in files.values() for refusal in found.to_refusals(run_id)]
    return StageOutput(
        tables={
            tables.VARIANT.name: variant.to_table_row(),
            tables.RETRIEVAL_RUN.name: tables.RETRIEVAL_RUN.frame([run]),
            tables.QUESTION_RANKING.name: lists.rows.question_rankings(run_id),
            tables.RANKING.name: lists.rows.rankings(),
            corpus_tables.QUARANTINE.name: to_quarantine(refusals),
        },
        inputs=(variant.variant_id, batch_id),
        summary=_summarise(declared, files, questions),
    )


def _summarise(
    declared: RunFile, files: Mapping[str, LookedUp], questions: pl.DataFrame
) -> dict[str, int | float | str]:
    good = files[declared.path].good
    n_run = good["question_id"].n_unique()
    tied = good.filter(pl.struct("question_id", "score").is_duplicated())
    return {
        "variant": declared.name,
        "lines": good.height,
        "lines refused": sum(found.refused.height for found in files.values()),
        "lines with a tied score": tied.height,
        "questions": n_run,
        "questions not run": questions["question_id"].n_unique() - n_run,
    }


def _check_snapshot(declared: RunFile, batch_id: str) -> list[str]:
    if declared.corpus_snapshot in (None, batch_id):
        return []
    if declared.on_other_snapshot == "go_on":
        return [OTHER_SNAPSHOT]
    message = (
        f"{declared.path} was made on corpus snapshot {declared.corpus_snapshot}, the present one is {batch_id}; let "
        "the retriever search the present corpus, which 'eval-pipeline arenas export' names, or declare "
        "on_other_snapshot: go_on"
    )
    raise TableError(message, path=declared.path)


def _look_up_all(declared: RunFile, home: Path, questions: pl.DataFrame, units: pl.DataFrame) -> dict[str, LookedUp]:
    names = name_units(units=units, style=declared.units, page_base=declared.page_base)
    paths = [declared.path, *declared.stages.values(), *([declared.scores] if declared.scores else [])]
    return {
        path: look_up(path=path, home=home, questions=questions, names=names, on_error=declared.on_error)
        for path in dict.fromkeys(paths)
    }


def _check_pages(declared: RunFile, answer: LookedUp, questions: pl.DataFrame, units: pl.DataFrame) -> list[str]:
    if "#page" not in declared.units or "gold_unit_id" not in questions.columns:
        return []
    gold = questions.select("question_id", unit_id="gold_unit_id").drop_nulls()
    base = declared.page_base
    told = suggest_page_base(ranked=answer.good, gold=gold, units=units, page_base=base)
    if told is None:
        return []
    if declared.on_error == "go_on":
        return [f"page numbers: {told}"]
    message = f"{declared.path}: {told}; declare page_base: {1 - base}, or on_error: go_on where {base} is right"
    raise TableError(message, path=declared.path)


def _variant_of(declared: RunFile, content_hashes: Mapping[str, str]) -> Variant:
    configuration = {
        "type": RUN_FILE,
        "code_version": CODE_VERSION,
        "content_hashes": dict(content_hashes),
        "units": declared.units,
        "page_base": declared.page_base,
        "on_error": declared.on_error,
        "stages": dict(declared.stages),
    }
    content = {"name": declared.name, "configuration": configuration, "encoder_id": None}
    return Variant(
        variant_id=ids.content_id("var", content),
        name=declared.name,
        kind=RUN_FILE,
        configuration=configuration,
        is_control=False,
        encoder_id=None,
    )
