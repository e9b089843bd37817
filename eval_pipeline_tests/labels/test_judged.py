from collections.abc import Sequence
from datetime import datetime

import polars as pl
import pytest

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.judging import VERDICT
from eval_pipeline.labels.judged import labels_from_verdicts


@pytest.fixture
def label(now: datetime):  # type: ignore[no-untyped-def]  # the inner function is typed
    def make(*said: tuple[str, str, str], pairs: Sequence[tuple[str, str, str]] | None = None) -> StageOutput:
        """Verdicts as (unit, verb, outcome)."""
        rows = [
            {
                "verdict_id": f"v-{unit}-{verb}",
                "verb": verb,
                "question_id": "q",
                "unit_id": unit,
                "judge_id": "jdg",
                "outcome": outcome,
                "reason": "because",
                "decided_at_utc": now,
            }
            for unit, verb, outcome in said
        ]
        frame = None
        if pairs is not None:
            frame = pl.DataFrame(pairs, schema=["question_id", "unit_id", "verdict_id"], orient="row")
        return labels_from_verdicts(
            verdicts=VERDICT.frame(rows), judge_names={"jdg": "text"}, relation_of={"q": "evidence"}, pairs=frame
        )

    return make


def grades(output: StageOutput) -> dict[str, str]:
    return dict(output.tables["labels.label"].select("unit_id", "grade").iter_rows())


def test_the_verb_label_gives_the_grade(label) -> None:  # type: ignore[no-untyped-def]
    output = label(("a", "label", "sufficient"), ("b", "label", "supporting"), ("c", "label", "abstain"))
    assert grades(output) == {"a": "sufficient", "b": "supporting"}
    assert output.summary == {"abstained": 1, "labels": 2}
    row = output.tables["labels.label"].row(0, named=True)
    assert (row["author_kind"], row["author"], row["judge_id"], row["reason"]) == ("judge", "text", "jdg", "because")


def test_verbs_that_disagree_make_no_label(label) -> None:  # type: ignore[no-untyped-def]
    output = label(
        ("a", "label", "supporting"),
        ("a", "answers", "yes"),
        ("b", "label", "sufficient"),
        ("b", "answers", "no"),
        ("c", "label", "sufficient"),
        ("c", "answers", "yes"),
        ("d", "label", "irrelevant"),
        ("d", "answers", "abstain"),
    )
    assert grades(output) == {"c": "sufficient", "d": "irrelevant"}
    assert output.summary["verbs disagree"] == 2


def test_an_answer_alone_is_a_label_only_where_it_is_yes(label) -> None:  # type: ignore[no-untyped-def]
    output = label(("a", "answers", "yes"), ("b", "answers", "no"), ("c", "answers", "abstain"))
    assert grades(output) == {"a": "sufficient"}
    assert output.summary == {"abstained": 1, "answers no, not graded": 1, "labels": 1}


def test_pairs_with_the_same_content_share_a_verdict(label) -> None:  # type: ignore[no-untyped-def]
    pairs = [("q", "a", "v-a-label"), ("q", "copy", "v-a-label"), ("unknown", "a", "v-a-label")]
    assert grades(label(("a", "label", "supporting"), pairs=pairs)) == {"a": "supporting", "copy": "supporting"}


def test_no_verdicts_no_labels(label) -> None:  # type: ignore[no-untyped-def]
    assert label().tables["labels.label"].height == 0
