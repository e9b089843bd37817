"""What people are asked to label: the random audit and the priority queue, which never share a question."""

from collections.abc import Collection

import polars as pl

from eval_pipeline.foundation.ids import hash_unit
from eval_pipeline.labels.deciding import REVIEWER_KINDS
from eval_pipeline.labels.in_force import CONTESTED, labels_in_force
from eval_pipeline.labels.rows import PERSON_KINDS, standing_labels

CODE_VERSION = "1"
AUDIT, PRIORITY = "audit", "priority"
QUEUES = (AUDIT, PRIORITY)
KEY = ["question_id", "unit_id"]

DISAGREE, UNGRADED, BOUNDARY, RETRIEVED = range(4)
"""Why a pair is in the priority queue, most urgent first: the judges (or the verbs of one) disagree; no judge grades
it; a judge calls it sufficient or supporting; only that a variant brought it back among its first k."""

ANSWERS_SCHEMA = {
    "question_id": pl.String,
    "unit_id": pl.String,
    "judge": pl.String,
    "verb": pl.String,
    "outcome": pl.String,
    "reason": pl.String,
}
"""What judges said of pairs: one row per pair, judge and verb."""


def lay_queues(
    *,
    candidates: pl.DataFrame,
    rankings: pl.DataFrame,
    drawn: Collection[str],
    answers: pl.DataFrame,
    k: int,
    seed: int,
) -> pl.DataFrame:
    """Put every pair worth a person's time into its queue.

    Audit: of every drawn question every unit that some variant has among its first k, in an order by hash, question
    after question: wherever people stop, what they have done is still a random sample of whole questions but one.
    Priority: pairs of the other questions that can change a result.

    Args:
        candidates: question_id, unit_id of the candidate pool; further columns are ignored.
        rankings: question_id, variant_name, rank, unit_id of final lists.
        drawn: questions of the random audit.
        answers: see ANSWERS_SCHEMA.
        k: largest cut-off that is measured.
        seed: of the hash order.

    Returns:
        question_id, unit_id, queue, urgency (see DISAGREE and the others; null in the audit), n_variants, best_rank
        (null where no variant has it among its first k), place (1-based order within the queue); sorted by queue and
        place.
    """
    top = (
        rankings.filter(pl.col("rank") <= k)
        .group_by(KEY)
        .agg(n_variants=pl.col("variant_name").n_unique().cast(pl.Int64), best_rank=pl.col("rank").min())
    )
    pairs = pl.concat([candidates.select(KEY), top.select(KEY)]).unique().join(top, on=KEY, how="left")
    pairs = pairs.with_columns(
        pl.col("n_variants").fill_null(0), is_drawn=pl.col("question_id").is_in(sorted(drawn))
    ).join(_urgencies(answers), on=KEY, how="left")
    pairs = pairs.with_columns(pl.col("urgency").fill_null(UNGRADED))
    in_top = pl.col("n_variants") > 0
    audit = pairs.filter(pl.col("is_drawn") & in_top).with_columns(urgency=pl.lit(None, pl.Int64))
    priority = pairs.filter(~pl.col("is_drawn") & (in_top | (pl.col("urgency") < RETRIEVED)))
    return pl.concat([_in_hash_order(audit, seed), _by_urgency(priority, seed)]).select(
        *KEY, "queue", "urgency", "n_variants", "best_rank", "place"
    )


def open_pairs(
    queued: pl.DataFrame, *, labels: pl.DataFrame, author: str, author_kind: str, people_per_pair: int = 1
) -> pl.DataFrame:
    """Pairs that wait for this person, contested ones first.

    A pair waits while fewer than `people_per_pair` people have labelled it, or while it is contested. Whoever has a
    standing label on a pair is not asked again. A stand-in reviewer is no person, but what it disagrees on is
    contested all the same (MEASURES 3).

    Args:
        queued: see `lay_queues`.
        labels: rows of `labels.label`.
        author: who asks.
        author_kind: as what.
        people_per_pair: wanted voices.

    Returns:
        The rows of `queued` that are open, with `is_contested`, in the order in which to show them within each queue.
    """
    voices = standing_labels(labels.filter(pl.col("author_kind").is_in(list(PERSON_KINDS))))
    voices = voices.filter(pl.col("grade").is_not_null())
    is_mine = (pl.col("author") == author) & (pl.col("author_kind") == author_kind)
    people = voices.filter(pl.col("author_kind").is_in(list(REVIEWER_KINDS)))
    n_people = people.group_by(KEY).agg(n_people=pl.struct("author", "author_kind").n_unique().cast(pl.Int64))
    contested = labels_in_force(labels=voices, judge_name="").filter(pl.col("state") == CONTESTED)
    return (
        queued.join(voices.filter(is_mine), on=KEY, how="anti")
        .join(n_people, on=KEY, how="left")
        .join(contested.select(*KEY, is_contested=pl.lit(value=True)), on=KEY, how="left")
        .with_columns(pl.col("n_people").fill_null(0), pl.col("is_contested").fill_null(value=False))
        .filter((pl.col("n_people") < people_per_pair) | pl.col("is_contested"))
        .drop("n_people")
        .sort("queue", "is_contested", "place", descending=[False, True, False])
    )


def _urgencies(answers: pl.DataFrame) -> pl.DataFrame:
    """Urgency by pair that some judge was asked about."""
    grades = answers.filter(pl.col("verb") == "label")
    said_yes = answers.filter(pl.col("verb") == "answers").select(
        *KEY, "judge", says=pl.when(pl.col("outcome") == "yes").then(1).when(pl.col("outcome") == "no").then(0)
    )
    both = grades.join(said_yes, on=[*KEY, "judge"], how="left")
    is_graded = pl.col("outcome") != "abstain"
    verbs_differ = is_graded & (pl.col("says") != (pl.col("outcome") == "sufficient").cast(pl.Int32))
    return both.group_by(KEY).agg(
        urgency=pl.when((pl.col("outcome").filter(is_graded).n_unique() > 1) | verbs_differ.any())
        .then(DISAGREE)
        .when(is_graded.not_().any())
        .then(UNGRADED)
        .when(pl.col("outcome").is_in(["sufficient", "supporting"]).any())
        .then(BOUNDARY)
        .otherwise(RETRIEVED)
        .cast(pl.Int64)
    )


def _in_hash_order(pairs: pl.DataFrame, seed: int) -> pl.DataFrame:
    by_question = pl.Series([hash_unit(seed, "audit", name) for name in pairs["question_id"]], dtype=pl.Float64)
    ordered = pairs.with_columns(by_question.alias("of_question"), _pair_hashes(pairs, seed).alias("of_pair"))
    return _placed(ordered.sort("of_question", "question_id", "of_pair", "unit_id"), AUDIT)


def _by_urgency(pairs: pl.DataFrame, seed: int) -> pl.DataFrame:
    ordered = pairs.with_columns(pl.lit(0.0).alias("of_question"), _pair_hashes(pairs, seed).alias("of_pair")).sort(
        "urgency", "n_variants", "best_rank", "of_pair", *KEY, descending=[False, True, *[False] * 4], nulls_last=True
    )
    return _placed(ordered, PRIORITY)


def _placed(ordered: pl.DataFrame, queue: str) -> pl.DataFrame:
    return ordered.with_columns(queue=pl.lit(queue), place=pl.int_range(1, pl.len() + 1, dtype=pl.Int64))


def _pair_hashes(pairs: pl.DataFrame, seed: int) -> pl.Series:
    return pl.Series([hash_unit(seed, "pair", *row) for row in pairs.select(KEY).iter_rows()], dtype=pl.Float64)
