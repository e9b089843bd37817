"""From ranked, labelled units to one value or one named reason per question and measure."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from eval_pipeline.foundation.errors import MeasureUndefined
from eval_pipeline.metrics.measures.measure import Measure
from eval_pipeline.metrics.rows import add_running_counts, add_ties, check_ranked, condense, flag_rows
from eval_pipeline.tasks.contracts import Policies

CODE_VERSION = "1"
"""Raised when a value may change; takes part in receipt ids."""

SCORED = "scored"
NO_GOLD, WAITING, NO_RELEVANT = "no_gold", "waiting", "no_relevant"
QUESTION_NOT_RUN, TIED, TIED_BEYOND_DEPTH = "question_not_run", "tied", "tied_beyond_depth"
NOTHING_RANKED, ACCESS_UNKNOWN = "nothing_ranked", "access_unknown"

JOINT_SETS_SCHEMA = {"question_id": pl.String, "joint_set_id": pl.String, "unit_id": pl.String}

QUESTION_COLUMNS: dict[str, tuple[type[pl.DataType], object]] = {
    "is_run": (pl.Boolean, True),
    "n_candidates": (pl.Int64, None),
    "n_relevant": (pl.Int64, 0),
    "n_supporting": (pl.Int64, 0),
    "n_gold": (pl.Int64, 0),
    "n_joint": (pl.Int64, 0),
    "excluded": (pl.String, None),
}
"""Optional columns of questions, with type and the value that an absent column or a null stands for."""


@dataclass(frozen=True, kw_only=True)
class _View:
    """Rows as one family of measures reads them.

    Attributes:
        rows: flagged rows, cut to what is read.
        suffix: of columns made from them.
    """

    rows: pl.DataFrame
    suffix: str


def score_questions(
    *,
    measures: Sequence[Measure],
    ranked: pl.DataFrame,
    questions: pl.DataFrame,
    policies: Policies,
    limit: int,
    joint_sets: pl.DataFrame | None = None,
    over_ties: bool = False,
) -> pl.DataFrame:
    """Score every measure on every question.

    Args:
        measures: with cut-offs k <= limit.
        ranked: columns question_id, rank (1, 2, 3, ... per question), unit_id, grade (null without a label); where
            known is_gold, is_waiting (its judge has not answered yet), is_hidden (the asker may not see it); `score`
            where `over_ties`. Rows of questions that are not in `questions` are ignored.
        questions: column question_id, unique; where known is_run (False: not in the run at all, which is not an empty
            answer), n_candidates, n_relevant (R), n_supporting, n_gold, n_joint (jointly sufficient sets), all counted
            among the candidates, and excluded (a reason to leave the question out; null for none).
        policies: of the contract.
        limit: ranked units read per question.
        joint_sets: columns question_id, joint_set_id, unit_id.
        over_ties: True for controls: units that share a score are in no order, and the value is the expectation.

    Returns:
        question_id, measure, value (null with a reason), reason (`scored` or why not), n_unjudged (units without a
        label in the first k, 0 for measures that read none), and is_missing, is_no_relevant, is_waiting, is_censored:
        what the policies touched. Sorted by measure in given order, then question id.

    Raises:
        InputError: a unit is listed twice for a question, or ranks have gaps.
        MeasureUndefined: a policy says `error` and its case is there; names how often and where first.
    """
    asked = _complete_questions(questions)
    rows = ranked.join(asked.select("question_id"), on="question_id", how="semi")
    check_ranked(rows)
    flagged = flag_rows(rows)
    asked = _count_ranked(asked, flagged)
    joint = joint_sets if joint_sets is not None else pl.DataFrame(schema=JOINT_SETS_SCHEMA)
    views = _views(flagged, joint, policies=policies, limit=limit, over_ties=over_ties)
    for view in views:
        asked = asked.join(
            _aggregate(view, measures, over_ties=over_ties), on="question_id", how="left", maintain_order="left"
        )
    knows_access = "is_hidden" in ranked.columns
    scored = [
        _score_one(asked, measure, policies=policies, over_ties=over_ties, knows_access=knows_access)
        for measure in measures
    ]
    return pl.concat(scored)


def _complete_questions(questions: pl.DataFrame) -> pl.DataFrame:
    columns = [
        (pl.col(name) if name in questions.columns else pl.lit(None)).cast(dtype).fill_null(default).alias(name)
        if default is not None
        else (pl.col(name) if name in questions.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, (dtype, default) in QUESTION_COLUMNS.items()
    ]
    return questions.select("question_id", *columns).sort("question_id")


def _count_ranked(asked: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    counts = rows.group_by("question_id").agg(n_ranked=pl.len().cast(pl.Int64), has_gold=pl.col("is_gold").any())
    joined = asked.join(counts, on="question_id", how="left", maintain_order="left")
    return joined.with_columns(pl.col("n_ranked").fill_null(0), pl.col("has_gold").fill_null(value=False)).with_columns(
        is_censored=pl.col("is_run") & (pl.col("n_gold") > 0) & ~pl.col("has_gold")
    )


def _views(
    rows: pl.DataFrame, joint_sets: pl.DataFrame, *, policies: Policies, limit: int, over_ties: bool
) -> list[_View]:
    """Rows as they came (for top, judged, leak and the counts), and as `unjudged: condense` wants them."""
    shapes = {"raw": rows}
    if policies.unjudged == "condense":
        # Read first, then condense: a contract reads `limit` units, labelled or not.
        read = rows if over_ties else rows.filter(pl.col("rank") <= limit)
        shapes["condensed"] = condense(read)
    views = []
    for suffix, shape in shapes.items():
        if not over_ties:
            shape = shape.filter(pl.col("rank") <= limit)  # noqa: PLW2901  # ties reach past the limit, plain rows do not
        counted = add_running_counts(shape, joint_sets)
        views.append(_View(rows=add_ties(counted) if over_ties else counted, suffix=suffix))
    return views


def _reads(measure: Measure, policies: Policies) -> str:
    condenses = policies.unjudged == "condense" and measure.kind.reads_labels and measure.kind.name != "judged"
    return "condensed" if condenses else "raw"


def _aggregate(view: _View, measures: Sequence[Measure], *, over_ties: bool) -> pl.DataFrame:
    """Parts of every measure over one view, and per cut-off how many units wait, lack a label or share a score."""
    cuts = sorted({measure.cut for measure in measures})
    parts = {}
    for measure in measures:
        kind = measure.kind
        make = kind.expected if over_ties and kind.expected is not None else kind.part
        parts[f"{view.suffix}:{measure}"] = make(measure.cut)
    for cut in cuts:
        within = pl.col("rank") <= cut
        parts[f"{view.suffix}:waiting@{cut}"] = (pl.col("is_waiting") & within).any()
        parts[f"{view.suffix}:unjudged@{cut}"] = (~pl.col("is_judged") & within).sum().cast(pl.Int64)
        if over_ties:
            tied = (pl.col("tie_size") > 1) & within
            parts[f"{view.suffix}:tied@{cut}"] = tied.any()
            parts[f"{view.suffix}:last@{cut}"] = (pl.col("in_last_tie") & within).any()
    return view.rows.group_by("question_id").agg(**parts)


def _score_one(
    asked: pl.DataFrame, measure: Measure, *, policies: Policies, over_ties: bool, knows_access: bool
) -> pl.DataFrame:
    kind, cut = measure.kind, measure.cut
    view = _reads(measure, policies)
    base = pl.col("n_relevant") + (pl.col("n_joint") if kind.counts_joint else 0)
    reads_labels = pl.lit(kind.reads_labels)
    frame = asked.with_columns(
        is_missing=~pl.col("is_run"),
        is_no_relevant=(base == 0) & pl.lit(kind.needs_relevant),
        is_waiting=pl.col(f"{view}:waiting@{cut}").fill_null(value=False) & reads_labels,
        n_unjudged=pl.when(reads_labels).then(pl.col(f"raw:unjudged@{cut}").fill_null(0)).otherwise(0),
    )
    _refuse_errors(frame, measure, policies)
    reason = _reason(frame.columns, measure, policies, view=view, over_ties=over_ties, knows_access=knows_access)
    value = kind.finish(cut, pl.col(f"{view}:{measure}").fill_null(0.0))
    return (
        frame.with_columns(reason=reason, value=value.cast(pl.Float64))
        .with_columns(
            reason=pl.when((pl.col("reason") == SCORED) & pl.col("value").is_null())
            .then(pl.lit(NOTHING_RANKED))
            .otherwise("reason"),
            value=pl.when(pl.col("reason") == SCORED).then("value"),
            measure=pl.lit(str(measure)),
        )
        .select(
            "question_id",
            "measure",
            "value",
            "reason",
            "n_unjudged",
            "is_missing",
            "is_no_relevant",
            "is_waiting",
            "is_censored",
        )
    )


def _reason(
    columns: Sequence[str], measure: Measure, policies: Policies, *, view: str, over_ties: bool, knows_access: bool
) -> pl.Expr:
    """The first that holds: excluded, not run, no gold, waiting, nothing relevant, undecided ties; else `scored`."""
    kind, cut = measure.kind, measure.cut
    cases: list[tuple[pl.Expr, pl.Expr]] = [(pl.col("excluded").is_not_null(), pl.col("excluded"))]
    if kind.name == "leak" and not knows_access:
        cases.append((pl.lit(value=True), pl.lit(ACCESS_UNKNOWN)))
    if policies.missing_question == "exclude":
        cases.append((pl.col("is_missing"), pl.lit(QUESTION_NOT_RUN)))
    if kind.needs_gold:
        cases.append((pl.col("n_gold") == 0, pl.lit(NO_GOLD)))
    cases.append((pl.col("is_waiting"), pl.lit(WAITING)))
    if policies.no_relevant == "exclude":
        cases.append((pl.col("is_no_relevant"), pl.lit(NO_RELEVANT)))
    if over_ties and f"{view}:last@{cut}" in columns:
        is_cut = (pl.col("n_candidates") > pl.col("n_ranked")).fill_null(value=True)
        cases.append((is_cut & pl.col(f"{view}:last@{cut}").fill_null(value=False), pl.lit(TIED_BEYOND_DEPTH)))
        if kind.expected is None:
            cases.append((pl.col(f"{view}:tied@{cut}").fill_null(value=False), pl.lit(TIED)))
    reason = pl.lit(SCORED)
    for condition, name in reversed(cases):
        reason = pl.when(condition).then(name).otherwise(reason)
    return reason


def _refuse_errors(frame: pl.DataFrame, measure: Measure, policies: Policies) -> None:
    """Raise where a policy says `error` and its case is there."""
    touched = {
        "missing_question": pl.col("is_missing"),
        "no_relevant": pl.col("is_no_relevant") & ~pl.col("is_missing"),
        "unjudged": (pl.col("n_unjudged") > 0) & ~pl.col("is_waiting"),
    }
    for policy, case in touched.items():
        if getattr(policies, policy) != "error":
            continue
        found = frame.filter(case & pl.col("excluded").is_null())
        if found.height:
            message = (
                f"{measure}: {found.height} questions are touched by policy {policy}: error, first "
                f"{found.item(0, 'question_id')}; mend them or declare another policy in the contract"
            )
            raise MeasureUndefined(message, reason=policy)
