"""What writers hand over."""

from eval_pipeline.questions.writers.vlm_replies import to_questions
from eval_pipeline.questions.writers.written import WrittenPage


def test_a_page_may_bring_nothing_and_cost_nothing() -> None:
    page = WrittenPage(written="[]")
    assert (page.detail, page.call, to_questions(page.written)) == ("", None, [])
