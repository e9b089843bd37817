"""The candidates of a question side by side: does the page look like the answer, and does it contain it?"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from eval_pipeline.foundation.frames import Table, integer, real, text
from eval_pipeline.foundation.ids import canonical_json

GOLD, NEGATIVE, RETURNED = "gold", "negative", "returned"

CANDIDATE = Table(
    name="receipts.candidate_row",
    grain="one row per question x candidate",
    key=("question_id", "unit_id"),
    columns=(
        text("question_id", "Question."),
        text("unit_id", "Page."),
        text("role", "What it is to the question, the first that holds.", allowed=(GOLD, NEGATIVE, RETURNED)),
        text("axis", "Axis on which a hard negative differs; null for others.", nullable=True),
        integer("axis_rank", "Its rank on that axis; null for others.", nullable=True),
        real("similarity", "Cosine similarity to the first gold page; null without a vector.", nullable=True),
        integer(
            "corpus_rank", "Place among all pages by similarity to the first gold page; null for it.", nullable=True
        ),
        integer("n_corpus", "Pages ranked so: all but gold; null where `corpus_rank` is.", nullable=True),
        text("grade", "Label in force; null without one, or where persons disagree.", nullable=True),
        text("author_kind", "Who labelled; null without a label.", nullable=True),
        text("places", "Place in the final list by variant that returned it, as canonical JSON."),
    ),
)


def tabulate_candidates(
    *,
    gold: pl.DataFrame,
    negatives: pl.DataFrame,
    returned: pl.DataFrame,
    labels: pl.DataFrame,
    similar: pl.DataFrame,
    axes: Sequence[str],
    n_returned: int,
) -> pl.DataFrame:
    """Lay out gold, hard negatives and what came back, question by question.

    Args:
        gold: question_id, position, unit_id.
        negatives: question_id, unit_id, axis, rank.
        returned: question_id, variant, rank, unit_id: final lists, to any depth.
        labels: question_id, unit_id, grade, author_kind: labels in force.
        similar: unit_id (gold), negative_unit_id, similarity, corpus_rank, n_corpus; see `negatives.hardness`.
        axes: declared axes, in order.
        n_returned: first places of each list that make a row; further ones only show where a row's page stands.

    Returns:
        CANDIDATE; per question gold units in order, hard negatives by declared axis and rank, then what came back by
        best place.
    """
    first = dict(gold.filter(pl.col("position") == 1).select("question_id", "unit_id").iter_rows())
    places = _places(returned)
    graded = {
        (question_id, unit_id): (grade, kind)
        for question_id, unit_id, grade, kind in labels.select(
            "question_id", "unit_id", "grade", "author_kind"
        ).iter_rows()
    }
    near = {(row[0], row[1]): row[2:] for row in similar.iter_rows()}
    rows = []
    for question_id, unit_id, role, axis, rank in _roles(gold, negatives, returned, axes, n_returned):
        similarity, corpus_rank, n_corpus = near.get((first.get(question_id), unit_id), (None, None, None))
        if unit_id == first.get(question_id):
            similarity = 1.0
        grade, kind = graded.get((question_id, unit_id), (None, None))
        found = {
            "question_id": question_id,
            "unit_id": unit_id,
            "role": role,
            "axis": axis,
            "axis_rank": rank,
            "similarity": similarity,
            "corpus_rank": corpus_rank,
            "n_corpus": n_corpus,
            "grade": grade,
            "author_kind": kind,
            "places": canonical_json(places.get((question_id, unit_id), {})),
        }
        rows.append(found)
    return CANDIDATE.frame(rows)


Role = tuple[str, str, str, str | None, int | None]


def _roles(
    gold: pl.DataFrame, negatives: pl.DataFrame, returned: pl.DataFrame, axes: Sequence[str], n_returned: int
) -> Iterator[Role]:
    """Every page of every question once, under its first role, in the order to show them."""
    order = {axis: place for place, axis in enumerate(axes)}
    keyed: list[tuple[tuple[Any, ...], Role]] = []
    for question_id, position, unit_id in gold.select("question_id", "position", "unit_id").iter_rows():
        keyed.append(((question_id, 0, position), (question_id, unit_id, GOLD, None, None)))
    for question_id, unit_id, axis, rank in negatives.select("question_id", "unit_id", "axis", "rank").iter_rows():
        key = (question_id, 1, order.get(axis, len(order)), axis, rank)
        keyed.append((key, (question_id, unit_id, NEGATIVE, axis, rank)))
    best = returned.filter(pl.col("rank") <= n_returned).group_by("question_id", "unit_id").agg(pl.col("rank").min())
    for question_id, unit_id, rank in best.select("question_id", "unit_id", "rank").iter_rows():
        keyed.append(((question_id, 2, rank, unit_id), (question_id, unit_id, RETURNED, None, None)))
    seen: set[tuple[str, str]] = set()
    for _, role in sorted(keyed, key=lambda pair: pair[0]):
        if role[:2] not in seen:
            seen.add(role[:2])
            yield role


def _places(returned: pl.DataFrame) -> Mapping[tuple[str, str], dict[str, int]]:
    found: dict[tuple[str, str], dict[str, int]] = {}
    rows = returned.select("question_id", "unit_id", "variant", "rank").iter_rows()
    for question_id, unit_id, variant, rank in rows:
        found.setdefault((question_id, unit_id), {})[variant] = rank
    return found
