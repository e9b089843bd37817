from eval_pipeline.foundation.tables import judging, questions


def test_slices_and_outcomes_are_the_named_ones():
    allowed = {column.name: column.allowed for column in questions.WELL_POSEDNESS.columns}
    assert allowed["slice"] == ("main", "under-specified", "regression")
    assert "gold_fails" in allowed["outcome"]


def test_gold_units_are_in_order_and_a_question_may_have_none():
    assert questions.QUESTION_GOLD.key == ("question_id", "position")
    assert not {"unit_id", "gold_unit_id"} & set(questions.QUESTION.schema)


def test_a_page_that_was_written_from_is_told_as_a_call_is():
    columns = {column.name: column for column in questions.WRITTEN_PAGE.columns}
    assert {column.name for column in judging.COST} <= set(columns)
    assert columns["outcome"].allowed[0] == "written"
    assert set(columns["outcome"].allowed[1:]) == set(judging.CALL_OUTCOMES[1:])
