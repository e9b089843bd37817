"""Who said what of which pair and when; what was taken back is still there."""

from typing import Any

import polars as pl

from eval_pipeline.labels.deciding import Voice, voices_of
from eval_pipeline.labels.rows import PERSON_KINDS, standing_labels
from eval_pipeline.report.review.basis import Pair


def standing_of(labels: pl.DataFrame, *, author: str, author_kind: str) -> pl.DataFrame:
    """Labels of one reviewer that stand, retracted ones left out."""
    standing = standing_labels(labels.filter(_is_of(author, author_kind)))
    return standing.filter(pl.col("grade").is_not_null())


def history_of(labels: pl.DataFrame, *, author: str, author_kind: str, n: int = 50) -> list[dict[str, Any]]:
    """The reviewer's own rows, and those of other persons on pairs that the reviewer has decided: newest first.

    What others say of a pair is not told to whoever has yet to decide it.

    Args:
        labels: rows of `labels.label`.
        author: the reviewer.
        author_kind: `human` or `developer`.
        n: rows to tell.

    Returns:
        Columns of `labels.label`, `stands` (neither replaced nor a retraction) and `is_mine`.
    """
    standing = set(standing_labels(labels)["label_id"].to_list())
    decided = standing_of(labels, author=author, author_kind=author_kind).select("question_id", "unit_id")
    is_mine = _is_of(author, author_kind)
    others = labels.filter(~is_mine & pl.col("author_kind").is_in(list(PERSON_KINDS)))
    others = others.join(decided, on=["question_id", "unit_id"], how="semi")
    rows = pl.concat([labels.filter(is_mine), others]).sort("decided_at_utc", "label_id", descending=True).head(n)
    return [
        {
            **row,
            "stands": row["label_id"] in standing and row["grade"] is not None,
            "is_mine": row["author"] == author and row["author_kind"] == author_kind,
        }
        for row in rows.iter_rows(named=True)
    ]


def pairs_of(
    question_id: str, *, queued: pl.DataFrame, labels: pl.DataFrame, author: str, author_kind: str
) -> list[tuple[Pair, str, Voice | None]]:
    """Pairs of a question in queue order: pair, queue, the reviewer's own standing label."""
    rows = queued.filter(pl.col("question_id") == question_id).sort("queue", "place")
    found = []
    for question, unit, queue in rows.select("question_id", "unit_id", "queue").iter_rows():
        voices = voices_of(labels, question, unit)
        mine = next((one for one in voices if one.author == author and one.author_kind == author_kind), None)
        found.append(((question, unit), queue, mine))
    return found


def _is_of(author: str, author_kind: str) -> pl.Expr:
    return (pl.col("author") == author) & (pl.col("author_kind") == author_kind)
