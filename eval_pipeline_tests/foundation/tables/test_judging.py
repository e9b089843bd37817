from eval_pipeline.foundation.tables import judging


def test_verdict_may_cost_something_else_the_second_time_but_says_the_same():
    free = {column.name for column in judging.VERDICT.columns if not column.in_equality}
    assert free == {"confidence", "n_tokens", "elapsed_s", "decided_at_utc"}


def test_one_table_holds_answers_and_labels():
    allowed = {column.name: column.allowed for column in judging.VERDICT.columns}
    assert allowed["verb"] == ("answers", "label")
    assert set(allowed["outcome"]) == {"yes", "no", "sufficient", "supporting", "irrelevant", "abstain"}
