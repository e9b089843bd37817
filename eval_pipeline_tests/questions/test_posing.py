"""Well-posedness with stub judges: every row of MEASURES 2."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import PageContent, Verdict
from eval_pipeline.foundation.tables.judging import VERDICT
from eval_pipeline.foundation.tables.questions import QUESTION, QUESTION_GOLD, WELL_POSEDNESS
from eval_pipeline.foundation.tables.views import UNIT_IN_FORCE
from eval_pipeline.questions import outcomes, posing, qualifying
from eval_pipeline.questions.posing import pose_questions

NOW = datetime(2026, 1, 5, 2, 0, tzinfo=UTC)
AXES = ("period", "metric", "entity")
FACETS = {"period": "2024-Q3", "metric": "revenue", "entity": "acme"}
Say = Callable[[str, str], str]


class StubJudge:
    """Answers by a function of (question, unit id); `fail` raises."""

    judge_id, name, kind = "jd_stub", "stub", "stub"

    def __init__(self, say: Say) -> None:
        self.say = say
        self.asked: list[tuple[str, str]] = []

    def settings(self) -> Mapping[str, str | int | float | bool | None]:
        return {}

    def answers(self, question: str, page: PageContent) -> Verdict:
        self.asked.append((question, page.unit_id))
        said = self.say(question, page.unit_id)
        if said == "fail":
            message = "cut reply"
            raise JudgeFailed(message, reason="cut")
        return Verdict(outcome=said, reason="stub")  # type: ignore[arg-type]  # the stub may say anything

    def label(self, question: str, page: PageContent) -> Verdict:
        raise NotImplementedError


def a_unit(unit_id: str, *, facets: Mapping[str, str] = FACETS) -> dict[str, Any]:
    return dict.fromkeys(UNIT_IN_FORCE.schema, "x") | {
        "unit_id": unit_id,
        "page_number": 1,
        "picture_hash": f"pic-{unit_id}",
        "text_hash": f"txt-{unit_id}",
        "facets": json.dumps(facets),
        "access_groups": "[]",
    }


def a_question(
    question_id: str = "q1", *, origin: str = "written", named: Sequence[str] = ("metric",)
) -> dict[str, Any]:
    return {
        "question_id": question_id,
        "text": "What was the revenue?",
        "origin": origin,
        "writer": "rules/1",
        "named_axes": json.dumps(list(named)),
        "query_form": "question text",
        "relation": "evidence",
    }


def pose(
    say: Say,
    *,
    questions: Sequence[Mapping[str, Any]] | None = None,
    gold: Sequence[str] = ("g",),
    negatives: Sequence[tuple[str, int, str]] = (("period", 1, "p1"), ("metric", 1, "m1"), ("entity", 1, "e1")),
    policy: Literal["drop", "promote"] = "drop",
    known: pl.DataFrame | None = None,
    judge: StubJudge | None = None,
) -> StageOutput:
    asked = questions if questions is not None else [a_question()]
    pool = (
        [
            {"unit_id": gold[0], "pool_id": "pool", "axis": axis, "rank": rank, "negative_unit_id": unit}
            for axis, rank, unit in negatives
        ]
        if gold
        else []
    )
    schema = {
        "unit_id": pl.String,
        "pool_id": pl.String,
        "axis": pl.String,
        "rank": pl.Int64,
        "negative_unit_id": pl.String,
    }
    return pose_questions(
        questions=QUESTION.frame(asked),
        gold=QUESTION_GOLD.frame(
            [
                {"question_id": row["question_id"], "position": place, "unit_id": unit}
                for row in asked
                for place, unit in enumerate(gold, start=1)
            ]
        ),
        pools=pl.DataFrame(pool, schema=schema),
        unit_pools=pl.DataFrame(
            [{"unit_id": gold[0], "pool_id": "pool"}] if gold else [],
            schema={"unit_id": pl.String, "pool_id": pl.String},
        ),
        units=UNIT_IN_FORCE.frame(
            [a_unit(unit) for unit in dict.fromkeys([*gold, *(unit for _, _, unit in negatives)])]
        ),
        judge=judge or StubJudge(say),
        pages=lambda unit_ids: {
            unit: PageContent(unit_id=unit, text="ACME Corp\nRevenue 5", text_quality="good") for unit in unit_ids
        },
        known=VERDICT.empty() if known is None else known,
        axes=AXES,
        policy=policy,
        now=NOW,
    )


def rows_of(output: StageOutput) -> list[dict[str, Any]]:
    return output.tables["questions.well_posedness"].to_dicts()


def saying(**said: str) -> Say:
    return lambda _question, unit: said.get(unit, "no")


@pytest.mark.parametrize(
    ("said", "outcome", "slice_", "reason", "n_judged"),
    [
        ({"g": "yes"}, "well_posed", "main", "well posed", 3),
        ({"g": "no", "p1": "yes"}, "gold_fails", None, "gold does not answer its own question", 0),
        ({"g": "yes", "m1": "abstain"}, "unresolved", None, "the judge abstained on 1 of 3 negatives", 3),
        ({"g": "abstain"}, "unresolved", None, "the judge abstained on the gold unit", 3),
    ],
)
def test_outcome_without_a_yes(
    said: dict[str, str], outcome: str, slice_: str | None, reason: str, n_judged: int
) -> None:
    (row,) = rows_of(pose(saying(**said)))
    assert (row["outcome"], row["slice"], row["reason"], row["n_judged"]) == (outcome, slice_, reason, n_judged)
    assert row["failing_axes"] == "[]"
    assert row["child_question_id"] is None


@pytest.mark.parametrize("said", [{"g": "yes", "e1": "fail"}, {"g": "yes", "p1": "yes", "e1": "fail"}, {"g": "fail"}])
@pytest.mark.parametrize("origin", ["written", "import", "ticket"])
def test_a_question_that_waits_has_no_row_and_is_decided_when_its_judge_has_answered(
    said: dict[str, str], origin: str
) -> None:
    first = pose(saying(**said), questions=[a_question(origin=origin)])
    assert rows_of(first) == []
    assert first.summary["n_waiting"] == 1
    mended = said | {unit: "yes" if unit == "g" else "no" for unit, answer in said.items() if answer == "fail"}
    again = pose(saying(**mended), questions=[a_question(origin=origin)], known=first.tables["judging.verdict"])
    whole = pose(saying(**mended), questions=[a_question(origin=origin)])
    assert rows_of(again) == rows_of(whole) != []
    assert again.summary["n_waiting"] == 0


def test_a_parent_waits_with_its_child() -> None:
    def say(question: str, unit: str) -> str:
        if "Q3 2024" in question and unit == "e1":
            return "fail"
        return "yes" if unit == "g" or (unit == "p1" and "Q3 2024" not in question) else "no"

    output = pose(say)
    assert rows_of(output) == []
    assert output.tables["questions.question"].height == output.tables["questions.question_gold"].height == 0
    assert output.summary["n_waiting"] == 2


def test_the_others_are_decided_while_one_waits() -> None:
    other = a_question("q2") | {"text": "How high was the cost?"}

    def say(question: str, unit: str) -> str:
        return "fail" if "cost" in question else ("yes" if unit == "g" else "no")

    (row,) = rows_of(pose(say, questions=[a_question(), other]))
    assert row["question_id"] == "q1"


def test_gold_that_fails_is_the_only_pair_asked() -> None:
    judge = StubJudge(saying(g="no"))
    pose(saying(), judge=judge)
    assert judge.asked == [("What was the revenue?", "g")]


def test_reason_is_the_first_yes_in_declared_axis_order_and_all_axes_are_stored() -> None:
    negatives = (("entity", 1, "e1"), ("period", 2, "p2"), ("period", 1, "p1"), ("metric", 1, "m1"))
    output = pose(saying(g="yes", e1="yes", p2="yes"), negatives=negatives)
    parent = next(row for row in rows_of(output) if row["question_id"] == "q1")
    assert parent["reason"] == "answerable from distractor on axis=period"
    assert parent["failing_unit_id"] == "p2"
    assert parent["failing_axes"] == '["period","entity"]'


@pytest.mark.parametrize("gold", ["yes", "abstain"])
def test_a_yes_outranks_an_abstention(gold: str) -> None:
    row = next(row for row in rows_of(pose(saying(g=gold, p1="yes", m1="abstain"))) if row["question_id"] == "q1")
    assert row["outcome"] == "answerable"
    assert row["n_abstained"] == 1
    assert row["gold_abstained"] is (gold == "abstain")


def test_failing_parent_is_under_specified_and_its_well_posed_child_goes_to_main() -> None:
    def say(question: str, unit: str) -> str:
        return "yes" if unit == "g" or (unit == "p1" and "Q3 2024" not in question) else "no"

    output = pose(say)
    (child,) = output.tables["questions.question"].to_dicts()
    assert child["text"] == "What was the revenue in Q3 2024?"
    assert child["parent_question_id"] == "q1"
    assert child["origin"] == "qualified"
    assert child["named_axes"] == '["metric","period"]'
    rows = {row["question_id"]: row for row in rows_of(output)}
    assert (rows["q1"]["slice"], rows["q1"]["child_question_id"]) == ("under-specified", child["question_id"])
    assert (rows[child["question_id"]]["outcome"], rows[child["question_id"]]["slice"]) == ("well_posed", "main")
    assert output.tables["questions.question_gold"].rows() == [(child["question_id"], 1, "g")]


def test_qualification_adds_only_the_axes_that_failed_and_recurs_until_named() -> None:
    def say(question: str, unit: str) -> str:
        if unit == "g":
            return "yes"
        if unit == "p1":
            return "no" if "Q3 2024" in question else "yes"
        return "yes" if unit == "e1" and "ACME" not in question and "Q3 2024" in question else "no"

    output = pose(say)
    texts = sorted(output.tables["questions.question"]["text"])
    assert texts == ["What was the revenue in Q3 2024 for ACME?", "What was the revenue in Q3 2024?"]
    assert sorted(row["slice"] for row in rows_of(output)) == ["main", "under-specified", "under-specified"]


@pytest.mark.parametrize(("policy", "slice_", "promoted"), [("drop", None, "[]"), ("promote", "main", '["p1"]')])
def test_fully_qualified_child_that_is_still_answered_follows_the_policy(
    policy: Literal["drop", "promote"], slice_: str | None, promoted: str
) -> None:
    output = pose(saying(g="yes", p1="yes"), questions=[a_question(named=AXES)], policy=policy)
    (row,) = rows_of(output)
    assert (row["outcome"], row["slice"], row["promoted_unit_ids"]) == ("answerable", slice_, promoted)
    assert row["child_question_id"] is None


def test_parent_with_a_child_is_never_dropped_and_promotes_nothing() -> None:
    rows = rows_of(pose(saying(g="yes", p1="yes"), policy="promote"))
    parent = next(row for row in rows if row["question_id"] == "q1")
    child = next(row for row in rows if row["question_id"] != "q1")
    assert (parent["slice"], parent["promoted_unit_ids"]) == ("under-specified", "[]")
    assert (child["slice"], child["promoted_unit_ids"]) == ("main", '["p1"]')


@pytest.mark.parametrize(
    ("origin", "slice_", "promoted"), [("import", "main", '["p1"]'), ("ticket", "regression", "[]")]
)
def test_peoples_questions_are_never_reworded_or_dropped(origin: str, slice_: str, promoted: str) -> None:
    output = pose(saying(g="yes", p1="yes"), questions=[a_question(origin=origin)])
    (row,) = rows_of(output)
    assert (row["outcome"], row["slice"], row["promoted_unit_ids"]) == ("answerable", slice_, promoted)
    assert output.tables["questions.question"].height == 0


def test_import_whose_gold_fails_keeps_its_slice_and_its_reason() -> None:
    (row,) = rows_of(pose(saying(g="no"), questions=[a_question(origin="import")]))
    assert (row["outcome"], row["slice"]) == ("gold_fails", "main")


def test_import_without_gold_is_recorded() -> None:
    (row,) = rows_of(pose(saying(), questions=[a_question(origin="import")], gold=(), negatives=()))
    assert (row["outcome"], row["slice"], row["pool_id"]) == ("no_gold", "main", "")


def test_other_gold_units_are_never_negatives_and_any_may_answer() -> None:
    judge = StubJudge(saying(g2="yes"))
    output = pose(saying(), gold=("g", "g2"), negatives=(("period", 1, "g2"), ("period", 2, "p1")), judge=judge)
    (row,) = rows_of(output)
    assert (row["outcome"], row["n_judged"]) == ("well_posed", 1)
    assert sorted(unit for _, unit in judge.asked) == ["g", "g2", "p1"]


def test_an_outcome_is_kept_under_the_version_of_every_rule_that_made_it() -> None:
    (row,) = rows_of(pose(saying(g="yes"), negatives=()))
    assert row["posing_version"] == posing.CODE_VERSION
    assert posing.CODE_VERSION.split(".")[1:] == [outcomes.CODE_VERSION, qualifying.CODE_VERSION]
    assert "posing_version" in WELL_POSEDNESS.key


def test_without_hard_negatives_it_is_well_posed_only_vacuously() -> None:
    (row,) = rows_of(pose(saying(g="yes"), negatives=()))
    assert (row["outcome"], row["reason"], row["pool_id"]) == ("well_posed", "well posed, no hard negatives", "pool")


def test_only_pairs_without_a_verdict_are_asked() -> None:
    first = pose(saying(g="yes", p1="yes"))
    judge = StubJudge(saying())
    again = pose(saying(), known=first.tables["judging.verdict"], judge=judge)
    assert judge.asked == []
    assert again.tables["judging.verdict"].height == 0
    assert again.tables["questions.well_posedness"].equals(first.tables["questions.well_posedness"])
    grown = StubJudge(saying())
    more = (("period", 1, "p1"), ("period", 2, "p9"), ("metric", 1, "m1"), ("entity", 1, "e1"))
    pose(saying(), known=first.tables["judging.verdict"], judge=grown, negatives=more)
    assert {unit for _, unit in grown.asked} == {"p9"}


@given(
    said=st.fixed_dictionaries(
        {unit: st.sampled_from(["yes", "no", "abstain", "fail"]) for unit in ("g", "p1", "m1", "e1")}
    )
)
def test_outcomes_agree_with_the_plain_rule(said: dict[str, str]) -> None:
    rows = [row for row in rows_of(pose(saying(**said))) if row["question_id"] == "q1"]
    negatives = [said[unit] for unit in ("p1", "m1", "e1")]
    if said["g"] == "fail" or (said["g"] != "no" and "fail" in negatives):
        assert rows == []
        return
    (row,) = rows
    if said["g"] == "no":
        expected = "gold_fails"
    elif "yes" in negatives:
        expected = "answerable"
    else:
        expected = "unresolved" if "abstain" in [said["g"], *negatives] else "well_posed"
    assert row["outcome"] == expected
    assert (row["slice"] == "main") is (expected == "well_posed")
