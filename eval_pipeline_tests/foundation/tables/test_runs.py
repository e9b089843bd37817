from eval_pipeline.foundation.tables import runs


def test_rankings_are_shared_by_content_and_empty_answers_have_a_row():
    assert runs.QUESTION_RANKING.key == ("retrieval_run_id", "question_id", "stage")
    assert runs.RANKING.key == ("ranking_id", "rank")
    assert "n_units" in runs.QUESTION_RANKING.schema


def test_scores_are_a_float_payload():
    assert [column.name for column in runs.RANKING.columns if not column.in_equality] == ["score"]
