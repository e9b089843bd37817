from typing import Any

import pytest

from eval_pipeline.foundation.errors import RetrievalFailed
from eval_pipeline.foundation.protocols import StagedRanking
from eval_pipeline.runs.http_replies import ReplyReader
from eval_pipeline.runs.unit_names import UnitNames

NAMES = UnitNames(unit_of={"pa": "u_a", "pb": "u_b", "pc": "u_c"}, ambiguous=frozenset(), style="declared_id")
STRICT, LAX = ReplyReader(names=NAMES, on_error="stop"), ReplyReader(names=NAMES, on_error="go_on")


def unit(name: object, score: object) -> dict[str, object]:
    return {"unit": name, "score": score}


def listed(answer: StagedRanking) -> dict[str, list[tuple[str, float]]]:
    return {stage: [(unit.unit_id, unit.score) for unit in units] for stage, units in answer.stages.items()}


def test_scores_decide_and_another_order_is_noted() -> None:
    answer = STRICT.read_ranking({"units": [unit("pb", 1), unit("pa", 2.5), unit("pc", 1)]}, 10)
    assert listed(answer) == {"returned": [("u_a", 2.5), ("u_b", 1.0), ("u_c", 1.0)]}
    assert answer.notes == ("reordered-by-score",)


def test_names_alone_keep_their_order() -> None:
    answer = STRICT.read_ranking({"units": ["pc", "pa", "pb"]}, 2)
    assert listed(answer) == {"returned": [("u_c", -1.0), ("u_a", -2.0)]}
    assert answer.notes == ("ranks-only",)


def test_stages_keep_their_order_and_their_time() -> None:
    stages = [
        {"name": "image.exact", "units": [unit("pa", 1)], "elapsed_s": 0.25},
        {"name": "lexical", "units": []},
        {"name": "fused", "units": [unit("pa", 0.1)], "elapsed_s": "fast"},
    ]
    answer = STRICT.read_ranking({"stages": stages}, 10)
    assert listed(answer) == {"image.exact": [("u_a", 1.0)], "lexical": [], "fused": [("u_a", 0.1)]}
    assert answer.elapsed_s == {"image.exact": 0.25}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (unit("PA", 1), "unknown unit"),
        (unit("pb", 1), "unit listed twice"),
        (unit("pa", float("nan")), "score is not a finite number"),
        (unit("pa", float("inf")), "score is not a finite number"),
        (unit("pa", "1"), "malformed entry"),
        (unit("pa", True), "malformed entry"),
        (unit(7, 1), "malformed entry"),
        ("pa", "malformed entry"),
    ],
)
def test_a_bad_entry_fails_the_question_or_is_left_out_and_counted(entry: Any, reason: str) -> None:
    reply = {"units": [unit("pb", 2), entry]}
    with pytest.raises(RetrievalFailed, match="1 entries cannot be used") as caught:
        STRICT.read_ranking(reply, 10)
    assert caught.value.reason == reason
    answer = LAX.read_ranking(reply, 10)
    assert listed(answer) == {"returned": [("u_b", 2.0)]}
    assert answer.notes == (f"refused returned: 1 {reason}",)


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"units": None},
        {"units": {"pa": 1}},
        {"stages": []},
        {"stages": [{"units": []}]},
        {"stages": [{"name": "final", "units": []}]},
        {"stages": [{"name": "x", "units": []}, {"name": "x", "units": []}]},
        {"stages": [{"name": "arena:siblings", "units": []}]},
        {"stages": [{"name": "x"}]},
    ],
)
def test_a_reply_of_another_form_is_no_empty_answer(reply: dict[str, Any]) -> None:
    with pytest.raises(RetrievalFailed) as caught:
        LAX.read_ranking(reply, 10)
    assert caught.value.reason == "malformed reply"


def test_scores_by_unit_and_never_ranks_in_their_place() -> None:
    assert STRICT.read_scores({"units": [unit("pb", 2), unit("pa", 3)]}) == {"u_b": 2.0, "u_a": 3.0}
    assert LAX.read_scores({"units": [unit("pb", 2), unit("zz", 3)]}) == {"u_b": 2.0}
    with pytest.raises(RetrievalFailed, match="scores were asked for"):
        STRICT.read_scores({"units": ["pa"]})
    with pytest.raises(RetrievalFailed, match="did you mean 'pa'"):
        STRICT.read_scores({"units": [unit("PA", 2)]})
