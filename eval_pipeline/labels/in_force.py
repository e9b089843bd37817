"""Which label of a pair is in force: a view over columns, never over the order of insertion (MEASURES 3)."""

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from eval_pipeline.foundation import ids
from eval_pipeline.labels.rows import GIVEN_KINDS, JUDGE_KIND, PAIR, PERSON_KINDS, standing_labels

CODE_VERSION = "1"
SCHEMA = {
    "question_id": pl.String,
    "unit_id": pl.String,
    "relation": pl.String,
    "grade": pl.String,
    "label_id": pl.String,
    "author_kind": pl.String,
    "author": pl.String,
    "state": pl.String,
}
LEVELS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("adjudicated", PERSON_KINDS),
    ("given", GIVEN_KINDS),
    ("pre-label", (JUDGE_KIND,)),
)
CONTESTED = "contested"


def labels_in_force(*, labels: pl.DataFrame, judge_name: str, judge_id: str | None = None) -> pl.DataFrame:
    """The label in force of every labelled pair.

    Per author the row counts that none replaces; a retraction (null grade) takes the author's voice away. Persons come
    before tickets and imports, these before the judge that the contract names; other judges do not count. Within a
    level, voices that differ make the pair `contested` until one grade is held by at least two authors and by more
    than any other grade.

    Args:
        labels: rows of `labels.label` in any order.
        judge_name: the judge that the contract names.
        judge_id: its version; None takes every version of that name, and versions that differ are contested.

    Returns:
        question_id, unit_id, relation, grade (null when contested), label_id, author_kind, author, state
        (`adjudicated`, `given`, `pre-label`, `contested`); sorted by pair. Where several labels agree, the smallest
        label id stands for them. Pairs without a voice have no row.
    """
    is_judge = pl.col("author_kind") == JUDGE_KIND
    is_named = pl.col("author") == judge_name
    if judge_id is not None:
        is_named &= pl.col("judge_id") == judge_id
    voices = standing_labels(labels).filter(pl.col("grade").is_not_null() & (~is_judge | is_named))
    columns = [*PAIR, "grade", "label_id", "author_kind", "author", "judge_id"]
    rows = [_decide(group) for group in _pairs(voices.select(columns))]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row").sort(*PAIR)


def label_snapshot_id(in_force: pl.DataFrame) -> str:
    """Id of the set of labels in force: hash of pairs, label ids and grades, in any order."""
    rows = in_force.select("question_id", "unit_id", "relation", "label_id", "grade").iter_rows()
    return ids.set_id("labels", (ids.canonical_json(list(row)) for row in rows))


def _pairs(voices: pl.DataFrame) -> Iterator[list[dict[str, Any]]]:
    group: list[dict[str, Any]] = []
    for row in voices.sort(*PAIR, "label_id").iter_rows(named=True):
        if group and any(group[0][name] != row[name] for name in PAIR):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _decide(voices: Sequence[dict[str, Any]]) -> tuple[object, ...]:
    for state, kinds in LEVELS:
        level = [voice for voice in voices if voice["author_kind"] in kinds]
        if level:
            return _row(level, state)
    message = f"label of an unknown author kind: {voices[0]}"
    raise AssertionError(message)


def _row(level: Sequence[dict[str, Any]], state: str) -> tuple[object, ...]:
    grade = _winner(level)
    chosen = next(voice for voice in level if grade is None or voice["grade"] == grade)
    shown = CONTESTED if grade is None else state
    pair = tuple(chosen[name] for name in PAIR)
    return (*pair, grade, chosen["label_id"], chosen["author_kind"], chosen["author"], shown)


def _winner(level: Sequence[dict[str, Any]]) -> str | None:
    authors: dict[str, set[tuple[str, str, str | None]]] = {}
    for voice in level:
        authors.setdefault(voice["grade"], set()).add((voice["author_kind"], voice["author"], voice["judge_id"]))
    if len(authors) == 1:
        return next(iter(authors))
    counts = sorted(((len(names), grade) for grade, names in authors.items()), reverse=True)
    (most, grade), (second, _) = counts[0], counts[1]
    return grade if most >= 2 and most > second else None
