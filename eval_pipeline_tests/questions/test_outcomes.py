"""Outcomes from what a judge said."""

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
