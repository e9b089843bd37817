"""How like the answer the candidates look, and whether they contain it: for tables that people read."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.negatives.hardness import measure_hardness, rank_pairs, summarise_hardness
from eval_pipeline.orchestration.evaluating import Ground, lay_ground
from eval_pipeline.orchestration.naming import caption_of, source_of
from eval_pipeline.orchestration.reading import read_vectors
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_reading import visible_to, visible_to_all
from eval_pipeline.receipts.candidate_table import tabulate_candidates
from eval_pipeline.report.candidates import CandidateTable, lay_candidates

N_RETURNED = 5
COMPARED = ("siblings", "random")
"""Arenas whose negatives are ranked among all pages: random pages stand beside the hard ones."""


def read_visible_vectors(project: Project, ground: Ground) -> UnitVectors:
    """Vectors of the pages that the contract's asker may see: the corpus that similarity is ranked in."""
    vectors = read_vectors(project, project.encoder())
    visible = visible_to(project, ground.contract, ground.units)
    kept = np.array([unit_id in visible for unit_id in vectors.unit_ids.tolist()], dtype=bool)
    if kept.all():
        return vectors
    return UnitVectors(unit_ids=vectors.unit_ids[kept], matrix=vectors.matrix[kept], encoder_id=vectors.encoder_id)


def read_hardness(ground: Ground, vectors: UnitVectors) -> pl.DataFrame:
    """Hardness by axis of the negatives that the questions of the siblings arena are read against.

    Args:
        ground: an evaluation.
        vectors: see `read_visible_vectors`.

    Returns:
        `negatives.hardness.HARDNESS`, with random pages of the same questions as the axis `random`.
    """
    out = ground.cohort.excluded.filter(pl.col("arena") == "siblings")
    counted = ground.cohort.questions.select("question_id").join(out, on="question_id", how="anti")
    first = ground.asked.gold.filter(pl.col("position") == 1).select("question_id", gold="unit_id")
    rows = (
        ground.arenas.filter(pl.col("arena").is_in(COMPARED) & pl.col("axis").is_not_null())
        .join(counted, on="question_id", how="semi")
        .join(first, on="question_id")
        .select("question_id", "axis", unit_id="gold", negative_unit_id="unit_id")
    )
    return summarise_hardness(measure_hardness(negatives=rows, vectors=vectors))


def read_candidates(
    project: Project, ground: Ground, vectors: UnitVectors, question_ids: Sequence[str]
) -> pl.DataFrame:
    """The candidate table of some questions: gold, hard negatives, what came back, all within the asker's clearance.

    Args:
        project: the project.
        ground: an evaluation that asks them.
        vectors: see `read_visible_vectors`.
        question_ids: the questions; the cost is in proportion to them.

    Returns:
        `receipts.candidate_table.CANDIDATE`.
    """
    wanted = pl.DataFrame({"question_id": sorted(set(question_ids))}, schema={"question_id": pl.String})
    seen = ground.units.select("unit_id").filter(
        pl.col("unit_id").is_in(sorted(visible_to(project, ground.contract, ground.units)))
    )
    gold = ground.asked.gold.join(wanted, on="question_id", how="semi")
    negatives = ground.arenas.filter((pl.col("arena") == "siblings") & pl.col("axis").is_not_null())
    negatives = negatives.join(wanted, on="question_id", how="semi")
    returned = _read_returned(project, ground, wanted).join(seen, on="unit_id", how="semi")
    pages = [gold, negatives, returned.filter(pl.col("rank") <= N_RETURNED)]
    shown = pl.concat(frame.select("question_id", negative_unit_id="unit_id") for frame in pages)
    first = gold.filter(pl.col("position") == 1).select("question_id", "unit_id")
    pairs = shown.join(first, on="question_id").select("unit_id", "negative_unit_id").unique()
    return tabulate_candidates(
        gold=gold.join(seen, on="unit_id", how="semi"),
        negatives=negatives,
        returned=returned,
        labels=ground.labels.join(wanted, on="question_id", how="semi"),
        similar=rank_pairs(pairs=pairs, vectors=vectors),
        axes=project.declared.axes,
        n_returned=N_RETURNED,
    )


def _read_returned(project: Project, ground: Ground, wanted: pl.DataFrame) -> pl.DataFrame:
    frames = [
        pl.DataFrame(schema={"variant": pl.String, "question_id": pl.String, "rank": pl.Int64, "unit_id": pl.String})
    ]
    for run in ground.runs:
        if not run.variant.is_control:
            lists = project.read("runs/final_lists", retrieval_run_id=run.retrieval_run_id, frames={"wanted": wanted})
            frames.append(lists.select(pl.lit(run.variant.name).alias("variant"), "question_id", "rank", "unit_id"))
    return pl.concat(frames)


def name_variants(ground: Ground) -> list[str]:
    """Names of the declared variants, in declared order; no controls."""
    return [run.variant.name for run in ground.runs if not run.variant.is_control]


def lay_tables(project: Project, ground: Ground, candidates: pl.DataFrame) -> dict[str, CandidateTable]:
    """Candidate tables by question, of pages that the askers of all contracts may see.

    Args:
        project: the project.
        ground: the evaluation that they were read under.
        candidates: see `read_candidates`.
    """
    visible, axes = visible_to_all(project, ground.units), project.declared.axes
    met = ground.units.filter(pl.col("unit_id").is_in(candidates["unit_id"].unique().to_list()))
    told = {
        row["unit_id"]: (caption_of(row, axes), source_of(row))
        for row in met.iter_rows(named=True)
        if row["unit_id"] in visible
    }
    return {
        str(question_id): lay_candidates(rows, variants=name_variants(ground), told=told)
        for (question_id,), rows in candidates.group_by("question_id", maintain_order=True)
    }


def find_ground(project: Project, question_id: str) -> Ground:
    """The evaluation that asks a question: the first contract that counts it, else the first that poses it.

    Raises:
        UnknownName: no contract asks it now.
    """
    posing = []
    for contract in project.contracts:
        ground = lay_ground(project, contract)
        if question_id in ground.cohort.questions["question_id"]:
            return ground
        if question_id in ground.asked.questions["question_id"]:
            posing.append(ground)
    if posing:
        return posing[0]
    message = f"no contract asks {question_id!r} now; 'eval-pipeline trace {question_id}' shows what became of it"
    raise UnknownName(message, name=question_id)
