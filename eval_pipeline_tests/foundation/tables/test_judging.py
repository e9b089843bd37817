from eval_pipeline.foundation.tables import judging


def test_verdict_may_cost_something_else_the_second_time_but_says_the_same():
    free = {column.name for column in judging.VERDICT.columns if not column.in_equality}
    assert free == {"confidence", "n_tokens", "elapsed_s", "decided_at_utc"}


def test_one_table_holds_answers_and_labels():
    allowed = {column.name: column.allowed for column in judging.VERDICT.columns}
    assert allowed["verb"] == ("answers", "label")
    assert set(allowed["outcome"]) == {"yes", "no", "sufficient", "supporting", "irrelevant", "abstain"}


def test_a_call_is_one_of_a_verdict_of_replies_that_were_none_of_what_passes_or_not_asked():
    parts = ((judging.GAVE,), judging.CONTENT_FAILURES, judging.PASSING_FAILURES, judging.NOT_ASKED)
    joined = tuple(name for part in parts for name in part)
    assert joined == judging.CALL_OUTCOMES
    assert len(set(judging.CALL_OUTCOMES)) == len(judging.CALL_OUTCOMES)


def test_two_tellings_of_one_call_are_the_same_row():
    equal = {column.name for column in judging.CALL.columns if column.in_equality}
    assert equal == {"verdict_id", "attempt", "verb", "judge_id"}
