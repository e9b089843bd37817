from collections.abc import Sequence
from datetime import datetime

import polars as pl
import pytest

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.judging import VERDICT
from eval_pipeline.labels.in_force import labels_in_force
from eval_pipeline.labels.judged import labels_from_verdicts


@pytest.fixture
def label(now: datetime):  # type: ignore[no-untyped-def]  # the inner function is typed
    def make(
        *said: tuple[str, str, str],
        pairs: Sequence[tuple[str, str, str]] | None = None,
        existing: pl.DataFrame | None = None,
        judge_id: str = "jdg",
    ) -> StageOutput:
        """Verdicts as (unit, verb, outcome)."""
        rows = [
            {
                "verdict_id": f"v-{unit}-{verb}",
                "verb": verb,
                "question_id": "q",
                "unit_id": unit,
                "judge_id": judge_id,
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
            verdicts=VERDICT.frame(rows),
            judge_names={judge_id: "text"},
            relation_of={"q": "evidence"},
            pairs=frame,
            existing=existing,
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


BOTH_VERBS = (("a", "label", "supporting"), ("a", "answers", "yes"))


@pytest.mark.parametrize("first", BOTH_VERBS)
def test_a_label_is_taken_back_once_the_other_verb_disagrees_whichever_came_first(label, first) -> None:  # type: ignore[no-untyped-def]
    night_1 = label(first).tables["labels.label"]
    output = label(*BOTH_VERBS, existing=night_1)
    taken_back = output.tables["labels.label"].row(0, named=True)
    assert (taken_back["grade"], taken_back["replaces_label_id"]) == (None, night_1.item(0, "label_id"))
    assert taken_back["reason"] == "verbs disagree"
    assert output.summary == {"labels": 0, "taken back": 1, "verbs disagree": 1}
    both = pl.concat([night_1, output.tables["labels.label"]])
    assert labels_in_force(labels=both, judge_name="text").is_empty()
    assert label(*BOTH_VERBS, existing=both).tables["labels.label"].is_empty()  # said once
    assert label(*BOTH_VERBS).tables["labels.label"].is_empty()  # both asked in one night: nothing to take back


def test_labels_that_still_hold_and_those_of_other_judges_are_left_alone(label) -> None:  # type: ignore[no-untyped-def]
    before = label(("a", "label", "supporting"), ("b", "label", "sufficient"), judge_id="former")
    held = label(("b", "label", "sufficient"))
    existing = pl.concat([before.tables["labels.label"], held.tables["labels.label"]])
    output = label(*BOTH_VERBS, ("b", "label", "sufficient"), ("b", "answers", "yes"), existing=existing)
    assert output.tables["labels.label"].equals(held.tables["labels.label"])


def test_an_abstention_on_the_grade_takes_back_what_the_answer_alone_had_given(label) -> None:  # type: ignore[no-untyped-def]
    night_1 = label(("a", "answers", "yes")).tables["labels.label"]
    output = label(("a", "answers", "yes"), ("a", "label", "abstain"), existing=night_1)
    assert grades(output) == {"a": None}
