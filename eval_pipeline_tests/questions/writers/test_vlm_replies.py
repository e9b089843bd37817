"""Which questions of a reply count."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.questions.writers.vlm_replies import read_page_reply, schema_of, to_questions
from eval_pipeline_tests.questions.writers.conftest import an_item

TEXT = "Acme Corp.\nQ3 2024\nRevenue 5,120\nBacklog 7"
GOOD = an_item("What was revenue?", answer="5,120", evidence="Revenue 5,120", metric="revenue")


def read(*items: object, text: str | None = TEXT, is_text_only: bool = True, per_page: int = 5):
    content = json.dumps({"page_id": "p", "questions": list(items)})
    axes = ("period", "metric", "entity")
    return read_page_reply(content, page_id="p", text=text, is_text_only=is_text_only, axes=axes, per_page=per_page)


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (an_item("  "), "no question"),
        (an_item("W" * 401), "too long"),
        (an_item("What was revenue then?", answer=" "), "no answer or evidence"),
        (an_item("What does this chart show?"), "points at the page"),
        (an_item("Which figure stands on this page?"), "points at the page"),
        (an_item("What was profit?", evidence="Profit 9,999"), "evidence is not on the page"),
        (GOOD, "asked twice"),
    ],
)
def test_a_bad_question_is_left_out_and_told(bad, fault: str) -> None:
    kept = read(GOOD, bad)
    assert [one["text"] for one in json.loads(kept.written)] == ["What was revenue?"]
    assert kept.left_out.startswith("left out 1: ")
    assert fault in kept.left_out


def test_no_more_than_wanted() -> None:
    kept = read(GOOD, an_item("What was backlog?", answer="7", evidence="Backlog 7"), per_page=1)
    assert (len(json.loads(kept.written)), kept.left_out) == (1, "left out 1: more than 1")


def test_a_reply_of_which_nothing_is_on_the_page_is_about_another() -> None:
    with pytest.raises(JudgeFailed) as caught:
        read(an_item("What was profit?", evidence="Profit 9,999"))
    assert caught.value.reason == "other pages"
    with pytest.raises(JudgeFailed) as caught:
        read(an_item("What does this chart show?"))
    assert caught.value.reason == "malformed"


def test_beside_a_picture_the_text_layer_need_not_hold_the_figure() -> None:
    drawn = an_item("What was revenue?", answer="6", evidence="Revenue 6 (bar)")
    with pytest.raises(JudgeFailed):
        read(drawn)
    assert to_questions(read(drawn, is_text_only=False).written)[0].expected_answer == "6"
    assert to_questions(read(drawn, text=None, is_text_only=False).written)
    with pytest.raises(JudgeFailed):
        read(an_item("Who won?", evidence="the cup final"), is_text_only=False)


def test_a_page_that_states_nothing_gives_none() -> None:
    assert read().written == "[]"


@given(words=st.text(max_size=12))
def test_an_axis_is_named_only_by_words_of_the_question(words: str) -> None:
    (question,) = to_questions(read({**GOOD, "named": [{"axis": "period", "words": words}]}).written)
    folded = " ".join(words.split()).casefold()
    assert question.named_axes == ({"period"} if folded and folded in "what was revenue?" else set())


def test_schema_is_closed_and_names_the_axes() -> None:
    schema = schema_of(["period"])
    item = schema["properties"]["questions"]["items"]
    assert item["required"] == ["question", "answer", "evidence", "named"]
    assert item["properties"]["named"]["items"]["properties"]["axis"]["enum"] == ["period"]
