"""Several pages in one call: by exact id, in both orders, nothing lost and nothing invented."""

import json

import pytest

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline_tests.judging.conftest import a_page
from eval_pipeline_tests.scripted_endpoint import Shown, completion, lists

GOLD, SIBLING = a_page("gold", "Revenue 2024: 5"), a_page("d-period", "Revenue 2023: 4, and much more text")


def pick(shown: Shown, chosen: str):
    return lists([(page, "yes" if page == chosen else "no") for page in shown.pages], shown)


def test_jdg_04_matched_by_exact_id_and_the_denominator_stays(make_judge, endpoint, case_files) -> None:
    case = json.loads((case_files / "JDG-04_batch.json").read_text())
    pages = [a_page(name, f"Page {name}") for name in case["asked"]]
    shown_as: dict[str, str] = {}

    def script(shown: Shown, _: int):
        shown_as.update({text.removeprefix("Page "): page for page, text in shown.pages.items()})
        known = {**shown_as, "P2": shown_as["p2"].upper(), "p9": "p9"}
        items = [{"page_id": known[item["page_id"]], "label": item["label"]} for item in case["reply"]]
        return completion(json.dumps({"verdicts": items}))

    endpoint.script = script
    found = make_judge(candidates=5, order_check=False).label_many("What was revenue?", pages)
    assert sorted(found) == case["asked"]
    assert found["p3"].outcome == case["expect"]["p3"] == "sufficient"
    reasons = {name: said.reason for name, said in found.items() if isinstance(said, JudgeFailed)}
    assert reasons == {"p1": "doubled", "p2": "missing", "p4": "missing", "p5": "missing"}
    assert "p9" in str(found["p4"])
    assert "which was not shown" in str(found["p4"])
    assert sum(said.call.n_input_tokens for said in found.values()) == 1000


def test_jdg_06_always_the_first_is_no_pass_but_a_case_for_a_person(make_judge, endpoint) -> None:
    endpoint.script = lambda shown, _: pick(shown, shown.page_id)
    found = make_judge(candidates=2).answers_many("Which page answers q1?", [GOLD, SIBLING])
    assert [said.outcome for said in found.values()] == ["abstain", "abstain"]
    assert "depends on the order" in found["gold"].reason
    assert "yes as number" in found["gold"].reason
    assert set(found["gold"].call.shown_order) == {"gold", "d-period"}
    assert endpoint.n_requests == 2
    assert list(endpoint.requests[0].pages) == list(endpoint.requests[1].pages)[::-1]
    assert sum(said.call.n_requests for said in found.values()) == 2


def test_jdg_06_alternating_is_no_pass_and_always_the_longest_passes_the_swap(make_judge, endpoint) -> None:
    calls = []

    def alternating(shown: Shown, _: int):
        calls.append(shown)
        return lists([(page, "yes" if len(calls) % 2 else "no") for page in shown.pages], shown)

    endpoint.script = alternating
    found = make_judge(candidates=2).answers_many("Which page answers q1?", [GOLD, SIBLING])
    assert {said.outcome for said in found.values()} == {"abstain"}
    endpoint.script = lambda shown, _: pick(shown, max(shown.pages, key=lambda page: len(shown.pages[page])))
    found = make_judge(candidates=2).answers_many("Which page answers q1?", [GOLD, SIBLING])
    assert {name: said.outcome for name, said in found.items()} == {"gold": "no", "d-period": "yes"}


def test_one_order_only_where_no_check_is_declared_or_one_page_is_shown(make_judge, endpoint) -> None:
    make_judge(candidates=2, order_check=False).answers_many("Which?", [GOLD, SIBLING])
    make_judge(candidates=2).answers_many("Which?", [GOLD])
    assert endpoint.n_requests == 2


def test_a_failure_in_one_of_two_orders_is_a_failure(make_judge, endpoint) -> None:
    endpoint.script = lambda shown, _: (
        lists([(page, "yes") for page in shown.pages], shown) if endpoint.n_requests == 1 else completion("no idea")
    )
    found = make_judge(candidates=2).answers_many("Which?", [GOLD, SIBLING])
    assert [said.reason for said in found.values()] == ["malformed", "malformed"]
    assert sum(said.call.n_tokens for said in found.values()) == 2100


@pytest.mark.parametrize(
    "content", ['{"verdicts": []}', "[]", '{"verdicts": [{"page_id": "p-none", "answer": "yes"}]}']
)
def test_a_reply_without_any_shown_page_gives_nothing(make_judge, endpoint, content) -> None:
    endpoint.script = lambda *_: completion(content)
    found = make_judge(candidates=2, order_check=False).answers_many("Which?", [GOLD, SIBLING])
    assert sorted(found) == ["d-period", "gold"]
    assert all(isinstance(said, JudgeFailed) for said in found.values())


def test_the_same_content_twice_is_named_once_in_a_call(make_judge, endpoint) -> None:
    endpoint.script = lambda shown, _: lists([(page, "no") for page in shown.pages], shown)
    found = make_judge(candidates=2, order_check=False).answers_many("Which?", [a_page("a", "x y"), a_page("b", "x z")])
    assert [said.outcome for said in found.values()] == ["no", "no"]
