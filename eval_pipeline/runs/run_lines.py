"""Lines of a run file, looked up: which question and unit each one means, and why the others are refused."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from eval_pipeline.corpus.refusals import Refusal
from eval_pipeline.foundation import ids
from eval_pipeline.foundation.errors import TableError
from eval_pipeline.foundation.files import resolve_inside
from eval_pipeline.runs.run_files import REFUSED_SCHEMA, read_run_file
from eval_pipeline.runs.unit_names import UnitNames

SHOWN = 3
EXPLAINED = 50
"""Unknown names that are compared with the known ones for a suggestion."""
KEPT_PER_REASON = 200
"""Refused lines that are stored one by one; further ones are counted in a row of their own."""


@dataclass(frozen=True, kw_only=True)
class LookedUp:
    """One run file, looked up.

    Attributes:
        path: file, relative to the project folder.
        content_hash: SHA-256 of its bytes.
        good: question_id, unit_id, score of the lines that can be used; each pair once.
        refused: line, reason, detail of the others.
    """

    path: str
    content_hash: str
    good: pl.DataFrame
    refused: pl.DataFrame

    def to_refusals(self, found_under: str) -> list[Refusal]:
        """Rows for the quarantine: the first of each reason one by one, the others as one row with their number."""
        place = pl.int_range(1, pl.len() + 1).over("reason")
        numbered = self.refused.with_columns(place=place)
        kept = numbered.filter(pl.col("place") <= KEPT_PER_REASON)
        more = numbered.filter(pl.col("place") > KEPT_PER_REASON).group_by("reason").len().sort("reason")
        rows = [(f"line {line}", reason, detail) for line, reason, detail, _ in kept.iter_rows()]
        rows += [("further lines", reason, f"{n:,} more lines of this kind") for reason, n in more.iter_rows()]
        return [
            Refusal(
                source_path=self.path,
                place=where,
                reason=reason,
                detail=detail,
                next_step="mend the line in the run file and run again",
                content_hash=self.content_hash,
                found_under=found_under,
            )
            for where, reason, detail in rows
        ]


def look_up(
    *, path: str, home: Path, questions: pl.DataFrame, names: UnitNames, on_error: Literal["stop", "go_on"]
) -> LookedUp:
    """Read a run file and find the question and the unit that every line names.

    Args:
        path: file, relative to the project folder.
        home: project folder.
        questions: question_id, declared_id (null without one); a question is named by either.
        names: units by the names that the file uses.
        on_error: `stop` refuses the file at the first bad line; `go_on` takes the good ones.

    Raises:
        TableError: the file cannot be read as a whole, no line can be used, or a line is bad and `on_error` is `stop`.
    """
    place = resolve_inside(home, path)
    read = read_run_file(place)
    named = _name_questions(_name_units(read.lines, names), questions)
    good, refused = _refuse(named, pl.DataFrame(read.refused, schema=REFUSED_SCHEMA))
    found = LookedUp(path=path, content_hash=ids.hash_file(place), good=good, refused=refused)
    _stop_where_told(found, on_error)
    return found


def _name_units(lines: pl.DataFrame, names: UnitNames) -> pl.DataFrame:
    known = pl.DataFrame(
        {"unit_ref": list(names.unit_of), "unit_id": list(names.unit_of.values())},
        schema={"unit_ref": pl.String, "unit_id": pl.String},
    )
    found = lines.join(known, on="unit_ref", how="left", maintain_order="left")
    unknown = found.filter(pl.col("unit_id").is_null())["unit_ref"].unique(maintain_order=True).to_list()
    told = [names.explain(name) for name in unknown[:EXPLAINED]]
    told += [f"{name!r} is no {names.style} of this corpus" for name in unknown[EXPLAINED:]]
    why = pl.DataFrame({"unit_ref": unknown, "why_unit": told}, schema={"unit_ref": pl.String, "why_unit": pl.String})
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


def _stop_where_told(found: LookedUp, on_error: str) -> None:
    if found.refused.is_empty() or (on_error == "go_on" and not found.good.is_empty()):
        return
    first = [f"line {line}: {reason} ({detail})" for line, reason, detail in found.refused.head(SHOWN).iter_rows()]
    what = "no line can be used" if found.good.is_empty() else f"{found.refused.height} lines cannot be used"
    message = f"{found.path}: {what}: {'; '.join(first)}; mend the file, or declare on_error: go_on"
    raise TableError(message, path=found.path, line=int(found.refused["line"][0]))
