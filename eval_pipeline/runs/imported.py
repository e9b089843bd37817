"""A run file taken in as the rankings of a variant: every line is used, or refused by number with the reason."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from eval_pipeline.corpus.refusals import Refusal, to_quarantine
from eval_pipeline.foundation import ids
from eval_pipeline.foundation.errors import TableError
from eval_pipeline.foundation.files import resolve_inside
from eval_pipeline.foundation.ordering import rank_by_score
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import RankedUnit
from eval_pipeline.foundation.tables import corpus as corpus_tables
from eval_pipeline.foundation.tables import runs as tables
from eval_pipeline.runs.open_work import retrieval_run_id_of
from eval_pipeline.runs.ranking_rows import RankingRows
from eval_pipeline.runs.run_files import REFUSED_SCHEMA, read_run_file
from eval_pipeline.runs.stage_names import ARENA_PREFIX, FINAL
from eval_pipeline.runs.unit_names import UnitStyle, name_units
from eval_pipeline.runs.variants import Variant

CODE_VERSION = "1"
KIND = "run-file"
SHOWN = 3


@dataclass(frozen=True, kw_only=True)
class RunFile:
    """A declared run file.

    Attributes:
        name: name of the variant.
        path: file, relative to the project folder.
        units: how it names units.
        page_base: number of the first page, where units are named by page.
        on_error: `stop` refuses the file at the first bad line; `go_on` takes the good lines and stores the bad ones.
    """

    name: str
    path: str
    units: UnitStyle = "unit_id"
    page_base: Literal[0, 1] = 1
    on_error: Literal["stop", "go_on"] = "stop"


def import_run(
    *,
    declared: RunFile,
    home: Path,
    questions: pl.DataFrame,
    units: pl.DataFrame,
    arenas: pl.DataFrame,
    batch_id: str,
    depth: int,
) -> StageOutput:
    """Take in one run file as the stage `final` and, by restriction, as rankings of the arenas.

    Scores decide, as 64-bit numbers, ties by unit id; the rank column does not. A unit listed twice for a question
    counts once, where it stands first in the file; the other lines are refused. A unit whose id equals the question's
    is a unit like any other. Questions that the file leaves out have no rows: they were not run.

    Args:
        declared: the file and how it names units.
        home: project folder.
        questions: question_id, declared_id (null without one); a question is named by either.
        units: rows of the view `corpus.unit_in_force`.
        arenas: question_id, arena, unit_id.
        batch_id: corpus snapshot that was searched.
        depth: places kept.

    Returns:
        runs.variant, runs.retrieval_run, runs.question_ranking, runs.ranking and corpus.quarantine.

    Raises:
        TableError: the file cannot be read as a whole, no line names a unit of the corpus, or a line is bad and
            `on_error` is `stop`; names the first lines and why.
    """
    path = resolve_inside(home, declared.path)
    read = read_run_file(path)
    named = _name_questions(_name_lines(read.lines, units, declared), questions)
    good, refused = _refuse(named, pl.DataFrame(read.refused, schema=REFUSED_SCHEMA))
    _stop_where_told(declared, good, refused)
    variant = _variant_of(declared, ids.hash_file(path))
    rows = _rank(variant, good, arenas, depth)
    run_id = retrieval_run_id_of(variant.variant_id, batch_id, depth=depth)
    run = {"retrieval_run_id": run_id, "variant_id": variant.variant_id, "batch_id": batch_id, "depth": depth}
    return StageOutput(
        tables={
            tables.VARIANT.name: variant.to_table_row(),
            tables.RETRIEVAL_RUN.name: tables.RETRIEVAL_RUN.frame([run]),
            tables.QUESTION_RANKING.name: rows.question_rankings(run_id),
            tables.RANKING.name: rows.rankings(),
            corpus_tables.QUARANTINE.name: to_quarantine(_refusals(declared, refused, ids.hash_file(path))),
        },
        inputs=(variant.variant_id, batch_id),
        summary={
            "variant": declared.name,
            "lines": good.height,
            "lines refused": refused.height,
            "questions": good["question_id"].n_unique(),
            "questions not run": questions.height - good["question_id"].n_unique(),
        },
    )


def _name_lines(lines: pl.DataFrame, units: pl.DataFrame, declared: RunFile) -> pl.DataFrame:
    names = name_units(units=units, style=declared.units, page_base=declared.page_base)
    known = pl.DataFrame(
        {"unit_ref": list(names.unit_of), "unit_id": list(names.unit_of.values())},
        schema={"unit_ref": pl.String, "unit_id": pl.String},
    )
    found = lines.join(known, on="unit_ref", how="left", maintain_order="left")
    unknown = found.filter(pl.col("unit_id").is_null())["unit_ref"].unique().sort().to_list()
    why = pl.DataFrame(
        {"unit_ref": unknown, "why_unit": [names.explain(name) for name in unknown]},
        schema={"unit_ref": pl.String, "why_unit": pl.String},
    )
    return found.join(why, on="unit_ref", how="left", maintain_order="left")


def _name_questions(lines: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame:
    own = questions.select(pl.col("question_id").alias("question_ref"), "question_id")
    theirs = questions.drop_nulls("declared_id").select(pl.col("declared_id").alias("question_ref"), "question_id")
    known = pl.concat([own, theirs]).unique().filter(pl.col("question_ref").is_unique())
    return lines.join(known, on="question_ref", how="left", maintain_order="left")


def _refuse(named: pl.DataFrame, unread: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    is_repeated = pl.struct("question_id", "unit_id").is_first_distinct().not_()
    ruled = named.sort("line").with_columns(
        reason=pl.when(pl.col("question_id").is_null())
        .then(pl.lit("unknown question"))
        .when(pl.col("unit_id").is_null())
        .then(pl.lit("unknown unit"))
        .when(is_repeated)
        .then(pl.lit("unit listed twice")),
        detail=pl.when(pl.col("question_id").is_null())
        .then(pl.format("{} names no single question of this project", "question_ref"))
        .when(pl.col("unit_id").is_null())
        .then(pl.col("why_unit"))
        .otherwise(pl.format("{} was listed before for {}", "unit_ref", "question_ref")),
    )
    bad = ruled.filter(pl.col("reason").is_not_null()).select("line", "reason", "detail")
    good = ruled.filter(pl.col("reason").is_null()).select("question_id", "unit_id", "score")
    return good, pl.concat([unread, bad]).sort("line")


def _stop_where_told(declared: RunFile, good: pl.DataFrame, refused: pl.DataFrame) -> None:
    if refused.is_empty() or (declared.on_error == "go_on" and not good.is_empty()):
        return
    first = [f"line {line}: {reason} ({detail})" for line, reason, detail in refused.head(SHOWN).iter_rows()]
    what = "no line can be used" if good.is_empty() else f"{refused.height} lines cannot be used"
    message = f"{declared.path}: {what}: {'; '.join(first)}; mend the file, or declare on_error: go_on"
    raise TableError(message, path=declared.path, line=int(refused["line"][0]))


def _variant_of(declared: RunFile, content_hash: str) -> Variant:
    configuration = {
        "type": KIND,
        "code_version": CODE_VERSION,
        "content_hash": content_hash,
        "units": declared.units,
        "page_base": declared.page_base,
        "on_error": declared.on_error,
    }
    content = {"name": declared.name, "configuration": configuration, "encoder_id": None}
    return Variant(
        variant_id=ids.content_id("var", content),
        name=declared.name,
        kind=KIND,
        configuration=configuration,
        is_control=False,
        encoder_id=None,
    )


def _rank(variant: Variant, good: pl.DataFrame, arenas: pl.DataFrame, depth: int) -> RankingRows:
    ranked = rank_by_score(good)
    rows = RankingRows(variant=variant)
    _add(rows, ranked.filter(pl.col("rank") <= depth).with_columns(stage=pl.lit(FINAL)))
    asked = arenas.join(ranked.select("question_id").unique(), on="question_id", how="semi")
    inside = asked.select("question_id", "unit_id", pl.format(ARENA_PREFIX + "{}", "arena").alias("stage"))
    placed = inside.join(ranked, on=["question_id", "unit_id"])
    _add(rows, placed)
    empty = inside.select("question_id", "stage").unique().join(placed, on=["question_id", "stage"], how="anti")
    for question_id, stage in empty.sort("question_id", "stage").iter_rows():
        rows.add(question_id, stage, (), ())
    return rows


def _add(rows: RankingRows, placed: pl.DataFrame) -> None:
    ordered = placed.sort("question_id", "stage", "rank")
    groups = ordered.group_by("question_id", "stage", maintain_order=True).agg("unit_id", "score")
    for question_id, stage, unit_ids, scores in groups.iter_rows():
        units = [RankedUnit(unit_id=unit, score=score) for unit, score in zip(unit_ids, scores, strict=True)]
        rows.add(question_id, stage, units, ())


def _refusals(declared: RunFile, refused: pl.DataFrame, content_hash: str) -> list[Refusal]:
    return [
        Refusal(
            source_path=declared.path,
            place=f"line {line}",
            reason=reason,
            detail=detail,
            next_step="mend the line in the run file and import it again",
            content_hash=content_hash,
        )
        for line, reason, detail in refused.iter_rows()
    ]
