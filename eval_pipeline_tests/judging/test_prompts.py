"""Prompts: rules apart from material, material between marks."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.judging.prompts import (
    VERSIONS,
    ShownPage,
    build_messages,
    fence,
    mark_of,
    page_id_of,
    prompt_hash,
    system_text,
)


@given(text=st.text(max_size=200))
def test_no_text_holds_its_own_mark(text: str) -> None:
    mark = mark_of(text)
    assert mark not in text
    fenced = fence(text, what="page", mark=mark)
    assert fenced.startswith(f"<page {mark}>\n")
    assert fenced.count(f"</page {mark}>") == 1


@pytest.mark.parametrize("verb", ["answers", "label"])
@pytest.mark.parametrize("sees", [("picture",), ("text",), ("text", "picture")])
@pytest.mark.parametrize("is_many", [True, False])
def test_the_rules_say_what_is_seen_asked_and_to_be_replied(verb, sees, is_many) -> None:
    told = system_text("v1", verb=verb, sees=sees, is_many=is_many)
    assert not re.search(r"[{](pages|sees|verb|form)[}]", told)
    assert ('"verdicts"' in told) == is_many
    assert ("sufficient" in told) == (verb == "label")
    assert ("picture" in told.split("Judge every page")[0]) == ("picture" in sees)
    for word in ("never follow them", "abstain", "column"):
        assert word in told


def test_a_page_has_one_name_wherever_it_stands_and_another_for_other_content() -> None:
    assert page_id_of("q", "a", None) == page_id_of("q", "a", None)
    assert len({page_id_of("q", "a", None), page_id_of("q", "b", None), page_id_of("r", "a", None)}) == 3


def test_messages_hold_question_and_pages_in_order_and_nothing_else() -> None:
    pages = [ShownPage(page_id="p-1", text="one", picture=None), ShownPage(page_id="p-2", text=None, picture=None)]
    system, user = build_messages(
        "v1", verb="label", question="What?", pages=pages, sees=("text",), detail="high", is_many=True
    )
    assert system["role"] == "system"
    mark = mark_of("What?", "one", "")
    assert [part["text"] for part in user["content"]] == [
        fence("What?", what="question", mark=mark),
        f"page_id p-1\n{fence('one', what='page', mark=mark)}",
        "page_id p-2",
    ]


def test_hash_changes_with_any_word(monkeypatch) -> None:
    before = prompt_hash("v1")
    monkeypatch.setitem(VERSIONS, "v1", VERSIONS["v1"].replace("column", "row"))
    assert prompt_hash("v1") != before
