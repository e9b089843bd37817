"""Which questions a contract counts in which arena, and by what its figures are split."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from eval_pipeline.tasks.contracts import Contract
from eval_pipeline.tasks.splits import assign_splits

NAIVE = "random"
REGRESSION = "regression"
NO_NEGATIVES, NO_TEMPLATE = "no hard negatives", "no template"
"""Slice values of questions without the thing that the slice is named after."""
NO_ELIGIBLE = "no_eligible_evidence"
EXCLUSION = {"question_id": pl.String, "arena": pl.String, "reason": pl.String}
REASONS = {"gold_fails": "gold fails", "answerable": "answerable", "unresolved": "unresolved", "no_gold": "no_gold"}


@dataclass(frozen=True, kw_only=True)
class Cohort:
    """Questions of one contract.

    Attributes:
        questions: question_id and one column per declared slice, and `document`, `entity` for resampling: every
            question as it was written, and the qualified ones that came into the contract's slice.
        as_written: the same columns; only questions as they were written: those that the naive arenas ask.
        excluded: question_id, arena, reason: questions that do not count in an arena.
    """

    questions: pl.DataFrame
    as_written: pl.DataFrame
    excluded: pl.DataFrame

    def arenas_of(self, contract: Contract) -> list[tuple[tuple[str, ...], pl.DataFrame]]:
        """Arenas of a contract with the questions that are asked in them: the naive ones, then the others."""
        naive = tuple(arena for arena in contract.arenas if arena.startswith(NAIVE))
        own = tuple(arena for arena in contract.arenas if not arena.startswith(NAIVE))
        return [(names, rows) for names, rows in ((naive, self.as_written), (own, self.questions)) if names]


def choose_cohort(
    *,
    contract: Contract,
    questions: pl.DataFrame,
    posed: pl.DataFrame,
    gold: pl.DataFrame,
    units: pl.DataFrame,
    negatives: pl.DataFrame,
    effective: pl.DataFrame,
    visible: frozenset[str],
) -> Cohort:
    """Say who counts where.

    In the naive arenas (`random`, `random@N`) every question counts as it was written, as in the usual test. In the
    others only the contract's slice does, and in `siblings` only questions with enough effective negatives. Questions
    from tickets are asked by contracts on the regression slice and by no other.

    Args:
        contract: slice, declared slices, splits.
        questions: rows of questions.question in force, with `template_id` (null without one).
        posed: rows of questions.well_posedness in force under the contract's judge and policy.
        gold: question_id, position, unit_id.
        units: UNIT_IN_FORCE.
        negatives: question_id, axis of the hard negatives of its first gold unit.
        effective: question_id, status of effective pools.
        visible: units that the asker may see; a question whose gold units are all above that counts nowhere.
    """
    questions = questions.filter(
        (pl.col("relation") == contract.relation) & (pl.col("query_form") == contract.query_form)
    )
    rows = questions.join(posed.select("question_id", "outcome", "slice"), on="question_id", how="left").sort(
        "question_id"
    )
    in_slice = pl.col("slice").fill_null("") == contract.questions.slice
    is_child = pl.col("origin") == "qualified"
    is_asked = (pl.col("origin") == "ticket") == (contract.questions.slice == REGRESSION)
    rows = rows.filter((~is_child | in_slice) & is_asked)
    own = [arena for arena in contract.arenas if not arena.startswith(NAIVE)]
    short = effective.filter(pl.col("status") != "enough").select("question_id", reason="status")
    seen = gold.filter(pl.col("unit_id").is_in(sorted(visible)))
    unseen = rows.join(gold, on="question_id", how="semi").join(seen, on="question_id", how="anti")
    rows_seen = rows.join(unseen, on="question_id", how="anti")
    excluded = [
        _exclude(unseen.select("question_id", pl.lit(NO_ELIGIBLE).alias("reason")), contract.arenas),
        _exclude(rows_seen.filter(~in_slice).select("question_id", reason=_reason()), own),
        _exclude(
            short.join(rows_seen.filter(in_slice), on="question_id", how="semi"), [a for a in own if a == "siblings"]
        ),
    ]
    described = _with_slices(rows, contract=contract, gold=gold, units=units, negatives=negatives)
    return Cohort(
        questions=described,
        as_written=described.join(rows.filter(is_child), on="question_id", how="anti"),
        excluded=pl.concat(excluded).sort("question_id", "arena"),
    )


def _reason() -> pl.Expr:
    outcome = pl.col("outcome").replace_strict(REASONS, default=pl.col("outcome"), return_dtype=pl.String)
    moved = pl.col("slice").is_not_null() & (pl.col("slice") != "main")
    return pl.when(moved).then(pl.lit("answerable")).otherwise(outcome.fill_null("waiting"))


def _exclude(rows: pl.DataFrame, arenas: Sequence[str]) -> pl.DataFrame:
    named = pl.DataFrame({"arena": list(arenas)}, schema={"arena": pl.String})
    return rows.join(named, how="cross").select(list(EXCLUSION))


def _with_slices(
    rows: pl.DataFrame, *, contract: Contract, gold: pl.DataFrame, units: pl.DataFrame, negatives: pl.DataFrame
) -> pl.DataFrame:
    first = gold.filter(pl.col("position") == 1).select("question_id", "unit_id")
    facts = units.select("unit_id", "media_type", "access", document="document_id", entity=_facet("entity"))
    axes = negatives.group_by("question_id").agg(axis=pl.col("axis").unique().sort())
    splits = assign_splits(rows["question_id"].to_list(), contract.splits)
    described = (
        rows.select("question_id", "relation", "query_form", template=pl.col("template_id").fill_null(NO_TEMPLATE))
        .join(first, on="question_id", how="left")
        .join(facts, on="unit_id", how="left")
        .join(axes, on="question_id", how="left")
        .join(splits, on="question_id", how="left")
        .with_columns(axis=pl.coalesce("axis", pl.concat_list(pl.lit(NO_NEGATIVES))))
    )
    wanted = [*contract.slices, *([contract.resampling.unit] if contract.resampling.unit != "question" else [])]
    return described.select("question_id", *dict.fromkeys(name for name in wanted if name in described.columns))


def _facet(name: str) -> pl.Expr:
    return pl.col("facets").str.json_path_match(f"$.{name}")
