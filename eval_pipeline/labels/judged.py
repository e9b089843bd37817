"""Pre-labels: what a judge's verdicts say about a pair."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import labels as tables
from eval_pipeline.labels.rows import JUDGE_KIND, Judgment, standing_labels, to_label_rows

CODE_VERSION = "2"
GRADED = "labels"
TAKEN_BACK = "taken back"


def labels_from_verdicts(
    *,
    verdicts: pl.DataFrame,
    judge_names: Mapping[str, str],
    relation_of: Mapping[str, str],
    pairs: pl.DataFrame | None = None,
    existing: pl.DataFrame | None = None,
) -> StageOutput:
    """Turn verdicts into labels.

    The verb `label` gives the grade. `answers = yes` and `sufficient` mean the same: where one judge's two verbs
    disagree, no label is made and a person decides. `answers = yes` alone gives `sufficient`; `answers = no` alone
    gives none, as it does not tell supporting from irrelevant. An abstention gives none. Where the verbs were asked in
    different nights, a label that one of them gave alone is taken back once both together give none: what is in force
    does not depend on which was asked first.

    Args:
        verdicts: rows of `judging.verdict`.
        judge_names: name by judge id.
        relation_of: relation by question id; verdicts of other questions are passed over.
        pairs: question_id, unit_id, verdict_id: pairs that share a verdict because question text and page content are
            the same; None takes the pair that stands in the verdict.
        existing: rows of `labels.label`; of these only labels of the same judge versions matter. None where there
            were none before.

    Returns:
        labels.label with author kind `judge`, retractions (null grade) among them; the summary counts labels,
        abstentions, disagreements of verbs and, where there were any, retractions.
    """
    rows = verdicts
    if pairs is not None:
        kept = verdicts.drop("question_id", "unit_id")
        rows = pairs.select("question_id", "unit_id", "verdict_id").unique().join(kept, on="verdict_id")
    rows = rows.filter(pl.col("question_id").is_in(list(relation_of)))
    by_pair: dict[tuple[str, str, str], dict[str, dict[str, Any]]] = {}
    for row in rows.sort("question_id", "unit_id", "judge_id", "verb", "verdict_id").iter_rows(named=True):
        by_pair.setdefault((row["question_id"], row["unit_id"], row["judge_id"]), {})[row["verb"]] = row
    standing = _standing_of_judges(existing)
    judgments, counts = [], Counter({GRADED: 0})
    for (question_id, unit_id, judge_id), verbs in by_pair.items():
        grade, outcome = _grade(verbs)
        counts[outcome] += 1
        if grade is not None:
            said = verbs.get("label") or verbs["answers"]
            judgments.append(_judgment(said, grade, judge_names[judge_id], relation_of[question_id]))
            continue
        before = standing.get((question_id, unit_id, relation_of[question_id], judge_id), ())
        taken_back = list(_retractions(before, verbs, outcome))
        judgments += taken_back
        counts.update([TAKEN_BACK] * len(taken_back))
    return StageOutput(tables={tables.LABEL.name: to_label_rows(judgments)}, summary=dict(sorted(counts.items())))


def _grade(verbs: Mapping[str, Mapping[str, Any]]) -> tuple[str | None, str]:
    label = verbs["label"]["outcome"] if "label" in verbs else None
    answer = verbs["answers"]["outcome"] if "answers" in verbs else None
    if label == "abstain" or (label is None and answer == "abstain"):
        return None, "abstained"
    if label is None:
        return ("sufficient", GRADED) if answer == "yes" else (None, "answers no, not graded")
    if answer in ("yes", "no") and (answer == "yes") != (label == "sufficient"):
        return None, "verbs disagree"
    return label, GRADED


def _judgment(row: Mapping[str, Any], grade: str, name: str, relation: str) -> Judgment:
    return Judgment(
        question_id=row["question_id"],
        unit_id=row["unit_id"],
        relation=relation,
        grade=grade,
        author_kind=JUDGE_KIND,
        author=name,
        judge_id=row["judge_id"],
        reason=row["reason"],
        decided_at_utc=row["decided_at_utc"],
    )


def _standing_of_judges(existing: pl.DataFrame | None) -> dict[tuple[str, ...], list[dict[str, Any]]]:
    """Graded labels that judges hold, by question, unit, relation and judge version."""
    held: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    if existing is None:
        return held
    of_judges = (pl.col("author_kind") == JUDGE_KIND) & pl.col("judge_id").is_not_null()
    for row in standing_labels(existing.filter(of_judges)).iter_rows(named=True):
        if row["grade"] is not None:
            held.setdefault((row["question_id"], row["unit_id"], row["relation"], row["judge_id"]), []).append(row)
    return held


def _retractions(
    before: Sequence[Mapping[str, Any]], verbs: Mapping[str, Mapping[str, Any]], outcome: str
) -> Iterator[Judgment]:
    """A retraction of each label that the verbs together no longer give; decided when the later verb was."""
    decided_at = max(row["decided_at_utc"] for row in verbs.values())
    for row in before:
        yield Judgment(
            question_id=row["question_id"],
            unit_id=row["unit_id"],
            relation=row["relation"],
            grade=None,
            author_kind=JUDGE_KIND,
            author=row["author"],
            judge_id=row["judge_id"],
            reason=outcome,
            replaces_label_id=row["label_id"],
            decided_at_utc=decided_at,
        )
