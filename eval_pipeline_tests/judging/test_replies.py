"""Replies: taken as they are or not at all."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.protocols import Verdict
from eval_pipeline.judging.replies import NO_REASON, load_json, read_many, read_one, schema_of

GRADES = ("sufficient", "supporting", "irrelevant", "abstain")


def result_of(read):
    try:
        return read()
    except JudgeFailed as error:
        return error


@given(content=st.text(max_size=60))
def test_whatever_comes_gives_a_verdict_that_was_said_or_a_named_failure(content: str) -> None:
    said = result_of(lambda: read_one(content, verb="label", page_id="p"))
    if isinstance(said, JudgeFailed):
        assert said.reason in ("malformed", "other pages")
    else:
        assert said.outcome in GRADES


@given(outcome=st.sampled_from(GRADES), cut=st.integers(0, 80))
def test_no_beginning_of_a_reply_is_a_reply(outcome: str, cut: int) -> None:
    whole = json.dumps({"page_id": "p", "label": outcome, "reason": "because", "confidence": 0.5})
    if cut >= len(whole):
        assert read_one(whole, verb="label", page_id="p").outcome == outcome
        return
    with pytest.raises(JudgeFailed):
        read_one(whole[:cut], verb="label", page_id="p")


@given(
    asked=st.lists(st.sampled_from("abcdef"), unique=True, min_size=1),
    replied=st.lists(st.tuples(st.sampled_from("abcdefxyz"), st.sampled_from(GRADES)), max_size=10),
)
def test_every_asked_page_once_and_no_other(asked: list[str], replied: list[tuple[str, str]]) -> None:
    content = json.dumps({"verdicts": [{"page_id": page, "label": grade} for page, grade in replied]})
    found = result_of(lambda: read_many(content, verb="label", page_ids=asked))
    if isinstance(found, JudgeFailed):
        assert found.reason == "other pages"
        assert not {page for page, _ in replied} & set(asked)
        return
    assert sorted(found) == sorted(asked)
    for page, said in found.items():
        grades = [grade for name, grade in replied if name == page]
        if len(grades) == 1:
            assert isinstance(said, Verdict)
            assert said.outcome == grades[0]
        else:
            assert isinstance(said, JudgeFailed)
            assert said.reason == ("missing" if not grades else "doubled")


def test_twice_the_same_is_doubled_too() -> None:
    content = '{"verdicts": [{"page_id": "a", "answer": "yes"}, {"page_id": "a", "answer": "yes"}]}'
    assert isinstance(read_many(content, verb="answers", page_ids=["a"])["a"], JudgeFailed)


def test_one_malformed_item_leaves_the_others() -> None:
    content = '{"verdicts": [{"page_id": "a", "answer": "maybe"}, {"page_id": "b", "answer": "no"}]}'
    found = read_many(content, verb="answers", page_ids=["a", "b"])
    assert found["a"].reason == "malformed"
    assert found["b"].outcome == "no"


def test_a_fence_around_the_whole_is_not_part_of_it() -> None:
    assert read_one('```json\n{"answer": "yes"}\n```', verb="answers", page_id="p").reason == NO_REASON


@pytest.mark.parametrize("content", ['{"a": 1, "a": 1}', '{"a": {"b": 1, "b": 2}}', "Infinity", "{", "```json\n{}"])
def test_json_with_a_field_twice_or_no_json(content: str) -> None:
    with pytest.raises(JudgeFailed, match="not the JSON"):
        load_json(content)


def test_schemas_are_closed_and_name_the_outcomes() -> None:
    one, several = schema_of("label", is_many=False), schema_of("answers", is_many=True)
    assert one["properties"]["label"]["enum"] == list(GRADES)
    item = several["properties"]["verdicts"]["items"]
    assert item["properties"]["answer"]["enum"] == ["yes", "no", "abstain"]
    for schema in (one, several, item):
        assert schema["required"] == list(schema["properties"])
        assert schema["additionalProperties"] is False
