"""Outcomes from what a judge said."""

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.questions.completeness import main_without_answering_gold
from eval_pipeline.questions.outcomes import Judged, decide_outcome


def test_judged_keeps_order_and_each_axis_once() -> None:
    judged = Judged(gold="yes", negatives=(("period", "a", "yes"), ("period", "b", "yes"), ("metric", "c", "no")))
    assert judged.answering == (("period", "a"), ("period", "b"))
    assert judged.failing_axes == ("period",)
    assert judged.is_answerable


def test_a_missing_verdict_waits_even_beside_a_yes() -> None:
    judged = Judged(gold="yes", negatives=(("period", "a", "yes"), ("metric", "c", None)))
    assert judged.is_waiting
    assert not judged.is_answerable
    assert decide_outcome({"origin": "written"}, judged, policy="drop", has_child=False)["outcome"] == "waiting"


def test_promoted_units_are_sorted_and_distinct() -> None:
    judged = Judged(gold="yes", negatives=(("period", "b", "yes"), ("metric", "a", "yes"), ("entity", "b", "yes")))
    decided = decide_outcome({"origin": "qualified"}, judged, policy="promote", has_child=False)
    assert (decided["promoted_unit_ids"], decided["slice"]) == ('["a","b"]', "main")


@pytest.mark.parametrize("policy", ["drop", "promote"])
def test_a_question_whose_gold_was_not_said_to_answer_is_never_promoted_into_the_main_set(policy: Any) -> None:
    judged = Judged(gold="abstain", negatives=(("period", "a", "yes"),))
    for origin in ("written", "qualified"):
        decided = decide_outcome({"origin": origin}, judged, policy=policy, has_child=False)
        assert (decided["outcome"], decided["slice"]) == ("answerable", None)  # a yes outranks an abstention
        assert (decided["promoted_unit_ids"], decided["gold_abstained"]) == ("[]", True)
        parent = decide_outcome({"origin": origin}, judged, policy=policy, has_child=True)
        assert (parent["outcome"], parent["slice"]) == ("answerable", "under-specified")
    silent = Judged(gold="abstain", negatives=(("period", "a", "no"),))
    decided = decide_outcome({"origin": "written"}, silent, policy=policy, has_child=False)
    assert (decided["outcome"], decided["slice"]) == ("unresolved", None)
    imported = decide_outcome({"origin": "import"}, judged, policy=policy, has_child=False)
    assert (imported["slice"], imported["promoted_unit_ids"]) == ("main", '["a"]')  # people named its evidence


@given(
    gold=st.sampled_from(["yes", "no", "abstain", "none", None]),
    said=st.lists(st.sampled_from(["yes", "no", "abstain", None]), max_size=3),
    policy=st.sampled_from(["drop", "promote"]),
    has_child=st.booleans(),
)
def test_the_main_set_passes_its_own_gate_whatever_a_judge_says(
    gold: str | None, said: list[str | None], policy: Any, has_child: bool
) -> None:
    judged = Judged(gold=gold, negatives=tuple(("period", f"u{n}", one) for n, one in enumerate(said)))
    decided = decide_outcome({"origin": "written"}, judged, policy=policy, has_child=has_child and judged.is_answerable)
    posed = pl.DataFrame([{"question_id": "q", **decided}])
    questions = pl.DataFrame({"question_id": ["q"], "origin": ["written"]})
    assert main_without_answering_gold(posed=posed, questions=questions).is_empty()
