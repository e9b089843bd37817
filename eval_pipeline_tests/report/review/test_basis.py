from dataclasses import fields

from eval_pipeline.report.review.basis import ReviewPage, ReviewQuestion


def test_a_reviewer_is_handed_neither_gold_nor_expected_answers_nor_facets():
    told = {one.name for record in (ReviewQuestion, ReviewPage) for one in fields(record)}
    assert told == {"question_id", "text", "relation", "unit_id", "source", "picture", "document"}
