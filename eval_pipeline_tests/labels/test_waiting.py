"""Pairs on which the judge has said nothing yet."""

from typing import Any

import polars as pl

from eval_pipeline.judging.asking import verdict_id_of
from eval_pipeline.labels.waiting import pairs_without_verdict

QUESTIONS = pl.DataFrame({"question_id": ["q1", "q2"], "text": ["What was the revenue?", "How high was the cost?"]})
UNITS = pl.DataFrame(
    {"unit_id": ["a", "b", "copy"], "picture_hash": ["pa", "pb", "pa"], "text_hash": ["ta", "tb", "ta"]}
)


def a_verdict(text: str, place: str, *, verb: str = "label", judge_id: str = "jd_1") -> str:
    return verdict_id_of(verb=verb, text=text, picture_hash=f"p{place}", text_hash=f"t{place}", judge_id=judge_id)


def waiting(pairs: list[tuple[str, str]], verdicts: list[str], **given: Any) -> list[tuple[str, str]]:
    candidates = pl.DataFrame(pairs, schema=["question_id", "unit_id"], orient="row")
    found = pairs_without_verdict(
        candidates=candidates,
        questions=QUESTIONS,
        units=UNITS,
        verdicts=pl.DataFrame({"verdict_id": verdicts}, schema={"verdict_id": pl.String}),
        judge_id=given.get("judge_id", "jd_1"),
    )
    assert found.columns == ["question_id", "unit_id"]
    return found.rows()


REVENUE = "What was the revenue?"


def test_a_pair_waits_until_this_judge_has_labelled_it() -> None:
    pairs = [("q1", "b"), ("q1", "a")]
    assert waiting(pairs, []) == [("q1", "a"), ("q1", "b")]
    assert waiting(pairs, [a_verdict(REVENUE, "a")]) == [("q1", "b")]
    assert waiting(pairs, [a_verdict(REVENUE, "a"), a_verdict(REVENUE, "b")]) == []


def test_another_version_or_another_verb_is_no_label() -> None:
    said = [a_verdict(REVENUE, "a", verb="answers"), a_verdict(REVENUE, "a", judge_id="jd_2")]
    assert waiting([("q1", "a")], said) == [("q1", "a")]
    assert waiting([("q1", "a")], said, judge_id="jd_2") == []


def test_a_copy_is_answered_with_its_original() -> None:
    assert waiting([("q1", "a"), ("q1", "copy"), ("q2", "copy")], [a_verdict(REVENUE, "a")]) == [("q2", "copy")]


def test_a_pair_named_by_several_sources_waits_once_and_units_out_of_force_never() -> None:
    assert waiting([("q1", "a"), ("q1", "a"), ("q1", "gone")], []) == [("q1", "a")]
