"""Run a variant over questions: what every stage ranked, and how it ordered the candidates of every arena."""

import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from eval_pipeline.foundation import ids
from eval_pipeline.foundation.errors import RetrievalFailed
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import RankedUnit, Retriever, StagedRanking
from eval_pipeline.foundation.tables import runs as tables
from eval_pipeline.runs.announcing import announce, announce_scores
from eval_pipeline.runs.controls import Control
from eval_pipeline.runs.eligibility import Clearance
from eval_pipeline.runs.fusion import sort_units
from eval_pipeline.runs.open_work import CODE_VERSION, not_yet_run, retrieval_run_id_of
from eval_pipeline.runs.ranking_rows import RankingRows
from eval_pipeline.runs.run_rows import RunRows
from eval_pipeline.runs.stage_names import ARENA_PREFIX, ELIGIBLE
from eval_pipeline.runs.variants import Variant

__all__ = ["CODE_VERSION", "not_yet_run", "retrieval_run_id_of", "run_variant"]

CHUNK = 128
"""Questions that a retriever may search at once; it bounds memory and changes no result."""


def run_variant(
    *,
    variant: Variant,
    retriever: Retriever | Control,
    questions: pl.DataFrame,
    arenas: pl.DataFrame,
    batch_id: str,
    depth: int,
    clearance: Clearance | None = None,
    arena_settings_id: str | None = None,
) -> StageOutput:
    """Rank for the questions passed in, and for no others.

    A retriever gives one ranking per stage to `depth`, and one per arena: by `score` where it offers it, else by
    restriction of its list before the final policy. A candidate that it did not return has no rank. A control scores
    arenas only. Nothing here depends on the order of the rows or on what else is asked, except for a control that
    reads all questions: pass it all of them, its run is named by them.

    Args:
        variant: the configuration.
        retriever: what `build_retriever` made of it.
        questions: question_id, text, gold_unit_id (null without one; read by controls only).
        arenas: question_id, arena, unit_id; rows of other questions are passed over.
        batch_id: corpus snapshot.
        depth: places kept per stage, at least 1.
        clearance: as whom the questions are asked; None for an asker who may see everything.
        arena_settings_id: what the arenas were made under (pool settings, template version); it takes part in the
            run's id, as other arenas over the same corpus are another run.

    Returns:
        runs.variant, runs.retrieval_run, runs.question_ranking, runs.ranking, runs.failed_question, runs.timing; the
        summary holds counts and, for retrievers, the median and the 95th percentile of milliseconds per question. A
        question that was not answered has a row with the reason and no ranking at all: it is asked again.
    """
    asked = questions.sort("question_id")
    mine = arenas.join(asked.select("question_id"), on="question_id", how="semi").sort(
        "question_id", "arena", "unit_id"
    )
    rows = RunRows(rankings=RankingRows(variant=variant))
    basis = None
    if variant.is_control:
        basis = basis_of(mine) if _reads_all(retriever) else None
        _run_control(retriever, asked, mine, rows.rankings)  # type: ignore[arg-type]  # controls go by the flag
    else:
        _run_retriever(retriever, asked, mine, depth, rows)  # type: ignore[arg-type]  # as above
    run_id = retrieval_run_id_of(
        variant.variant_id,
        batch_id,
        depth=depth,
        clearance=clearance,
        arena_settings_id=arena_settings_id,
        basis=basis,
    )
    return StageOutput(
        tables={
            tables.VARIANT.name: variant.to_table_row(),
            tables.RETRIEVAL_RUN.name: _run_row(run_id, variant, batch_id, depth),
            tables.QUESTION_RANKING.name: rows.rankings.question_rankings(run_id),
            tables.RANKING.name: rows.rankings.rankings(),
            tables.FAILED_QUESTION.name: rows.failures.to_frame(run_id),
            tables.TIMING.name: rows.timings.to_frame(run_id),
        },
        inputs=(variant.variant_id, batch_id),
        summary={
            "variant": variant.name,
            "questions": asked.height,
            "rankings": len(rows.rankings.ranking_ids),
            **rows.failures.count(),
            **rows.timings.summarise(),
        },
    )


def _run_retriever(retriever: Retriever, asked: pl.DataFrame, arenas: pl.DataFrame, depth: int, rows: RunRows) -> None:
    candidates = _candidates_by_question(arenas)
    for chunk in asked.select("question_id", "text").iter_slices(CHUNK):
        started = time.perf_counter()
        announce(retriever, chunk["text"].to_list(), depth)
        share = (time.perf_counter() - started) / chunk.height
        announce_scores(retriever, _wanted_scores(chunk, candidates))
        for question_id, text in chunk.iter_rows():
            try:
                answer = _answer(retriever, text, depth, candidates.get(question_id, {}))
            except RetrievalFailed as failure:
                rows.failures.add(question_id, failure)
                continue
            rows.timings.add(question_id, answer.ranking.elapsed_s, share + answer.elapsed_s)
            for stage, units in [*answer.ranking.stages.items(), *answer.arenas.items()]:
                rows.rankings.add(question_id, stage, units, answer.ranking.notes)


class _Answer(NamedTuple):
    """What a retriever said to one question: all of it, or nothing."""

    ranking: StagedRanking
    arenas: Mapping[str, Sequence[RankedUnit]]
    elapsed_s: float


def _answer(retriever: Retriever, text: str, depth: int, candidates: Mapping[str, Sequence[str]]) -> _Answer:
    started = time.perf_counter()
    ranking = retriever.rank(text, depth)
    elapsed = time.perf_counter() - started
    ordered = {
        ARENA_PREFIX + arena: _order_arena(retriever, text, members, ranking) for arena, members in candidates.items()
    }
    return _Answer(ranking=ranking, arenas=ordered, elapsed_s=elapsed)


def _wanted_scores(chunk: pl.DataFrame, candidates: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, list[str]]:
    wanted: dict[str, set[str]] = {}
    for question_id, text in chunk.iter_rows():
        for members in candidates.get(question_id, {}).values():
            wanted.setdefault(text, set()).update(members)
    return {text: sorted(members) for text, members in wanted.items()}


def _order_arena(
    retriever: Retriever, text: str, members: Sequence[str], answer: StagedRanking
) -> Sequence[RankedUnit]:
    scores = retriever.score(text, members)
    if scores is None:
        wanted = set(members)
        return [unit for unit in answer.stages[ELIGIBLE] if unit.unit_id in wanted]
    return sort_units([RankedUnit(unit_id=unit_id, score=float(score)) for unit_id, score in scores.items()])


def _run_control(control: Control, asked: pl.DataFrame, arenas: pl.DataFrame, rows: RankingRows) -> None:
    gold = asked.filter(pl.col("gold_unit_id").is_not_null()).select("question_id", "gold_unit_id")
    scored = control.score_arenas(arenas.join(gold, on="question_id", maintain_order="left"))
    places = scored.select("question_id", "arena", "unit_id", "score")
    for (question_id, arena), part in places.partition_by(
        "question_id", "arena", as_dict=True, maintain_order=True
    ).items():
        pairs = part.select("unit_id", "score").iter_rows()
        units = sort_units([RankedUnit(unit_id=unit_id, score=score) for unit_id, score in pairs])
        rows.add(str(question_id), ARENA_PREFIX + str(arena), units, ())


def _candidates_by_question(arenas: pl.DataFrame) -> Mapping[str, Mapping[str, list[str]]]:
    grouped: dict[str, dict[str, list[str]]] = {}
    for question_id, arena, unit_id in arenas.select("question_id", "arena", "unit_id").iter_rows():
        grouped.setdefault(question_id, {}).setdefault(arena, []).append(unit_id)
    return grouped


def _reads_all(retriever: Retriever | Control) -> bool:
    return bool(getattr(retriever, "reads_all_questions", False))


def basis_of(arenas: pl.DataFrame) -> str:
    """Name of all arenas together: what the run of a control that reads all questions is named by.

    Args:
        arenas: question_id, arena, unit_id; other columns are passed over.
    """
    rows = arenas.select("question_id", "arena", "unit_id").iter_rows()
    return ids.set_id("basis", ("\x1f".join(row) for row in rows))


def _run_row(run_id: str, variant: Variant, batch_id: str, depth: int) -> pl.DataFrame:
    row = {"retrieval_run_id": run_id, "variant_id": variant.variant_id, "batch_id": batch_id, "depth": depth}
    return tables.RETRIEVAL_RUN.frame([row])
