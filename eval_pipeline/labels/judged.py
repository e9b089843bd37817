"""Pre-labels: what a judge's verdicts say about a pair."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import polars as pl

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import labels as tables
from eval_pipeline.labels.rows import JUDGE_KIND, Judgment, to_label_rows

CODE_VERSION = "1"
GRADED = "labels"


def labels_from_verdicts(
    *,
    verdicts: pl.DataFrame,
    judge_names: Mapping[str, str],
    relation_of: Mapping[str, str],
    pairs: pl.DataFrame | None = None,
) -> StageOutput:
    """Turn verdicts into labels.

    The verb `label` gives the grade. `answers = yes` and `sufficient` mean the same: where one judge's two verbs
    disagree, no label is made and a person decides. `answers = yes` alone gives `sufficient`; `answers = no` alone
    gives none, as it does not tell supporting from irrelevant. An abstention gives none.

    Args:
        verdicts: rows of `judging.verdict`.
        judge_names: name by judge id.
        relation_of: relation by question id; verdicts of other questions are passed over.
        pairs: question_id, unit_id, verdict_id: pairs that share a verdict because question text and page content are
            the same; None takes the pair that stands in the verdict.

    Returns:
        labels.label with author kind `judge`; the summary counts labels, abstentions and disagreements of verbs.
    """
    rows = verdicts
    if pairs is not None:
        kept = verdicts.drop("question_id", "unit_id")
        rows = pairs.select("question_id", "unit_id", "verdict_id").unique().join(kept, on="verdict_id")
    rows = rows.filter(pl.col("question_id").is_in(list(relation_of)))
    by_pair: dict[tuple[str, str, str], dict[str, dict[str, Any]]] = {}
    for row in rows.sort("question_id", "unit_id", "judge_id", "verb", "verdict_id").iter_rows(named=True):
        by_pair.setdefault((row["question_id"], row["unit_id"], row["judge_id"]), {})[row["verb"]] = row
    judgments, counts = [], Counter({GRADED: 0})
    for (question_id, _, judge_id), verbs in by_pair.items():
        grade, outcome = _grade(verbs)
        counts[outcome] += 1
        if grade is not None:
            said = verbs.get("label") or verbs["answers"]
            judgments.append(_judgment(said, grade, judge_names[judge_id], relation_of[question_id]))
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
