"""Which run a ranking belongs to, and what a run still lacks."""

from typing import NamedTuple

import polars as pl

from eval_pipeline.foundation import ids
from eval_pipeline.runs import appearance, arenas, controls, fusion, tokens
from eval_pipeline.runs.eligibility import Clearance
from eval_pipeline.runs.stage_names import ARENA_PREFIX, FINAL

CODE_VERSION = ".".join(("1", *(module.CODE_VERSION for module in (appearance, arenas, controls, fusion, tokens))))
"""Version of the code that ranks and orders arenas; raised when the same variant may rank otherwise."""


class OpenWork(NamedTuple):
    """What a run still lacks.

    Attributes:
        questions: rows of the questions to rank.
        arenas: rows of the arenas to order, of these questions only.
    """

    questions: pl.DataFrame
    arenas: pl.DataFrame


def retrieval_run_id_of(
    variant_id: str,
    batch_id: str,
    *,
    depth: int,
    clearance: Clearance | None = None,
    arena_settings_id: str | None = None,
    basis: str | None = None,
) -> str:
    """Id of a run: hash of variant, corpus snapshot, depth, asker, arena settings, `basis` and code version.

    `basis` names all arenas together; `run_variant` gives it for controls that read all questions, whose run is
    therefore another one whenever a question is.
    """
    content: dict[str, ids.Jsonable] = {
        "variant_id": variant_id,
        "batch_id": batch_id,
        "depth": depth,
        "clearance_id": clearance.clearance_id if clearance else None,
        "arena_settings_id": arena_settings_id,
        "basis": basis,
        "code_version": CODE_VERSION,
    }
    return ids.content_id("run", content)


def not_yet_run(
    *, questions: pl.DataFrame, arenas: pl.DataFrame, ranked: pl.DataFrame, is_control: bool = False
) -> OpenWork:
    """Leave out what a run holds already.

    Args:
        questions: question_id and whatever `run_variant` reads.
        arenas: question_id, arena, unit_id; further columns are kept.
        ranked: question_id, stage of the run (`runs.question_ranking`), empty answers included.
        is_control: True for controls, which rank nothing outside arenas.

    Returns:
        Arenas that are not stored yet, and questions that lack their final ranking or one of these arenas.
    """
    held = ranked.select("question_id", "stage")
    missing = arenas.with_columns(stage=pl.format(ARENA_PREFIX + "{}", "arena")).join(
        held, on=["question_id", "stage"], how="anti"
    )
    missing = missing.join(questions.select("question_id"), on="question_id", how="semi")
    final = held.filter(pl.col("stage") == FINAL)
    unranked = questions.clear() if is_control else questions.join(final, on="question_id", how="anti")
    wanted = pl.concat([unranked.select("question_id"), missing.select("question_id")]).unique()
    return OpenWork(
        questions=questions.join(wanted, on="question_id", how="semi"),
        arenas=missing.drop("stage"),
    )
