from eval_pipeline.foundation.tables.runs import QUESTION_RANKING
from eval_pipeline.runs import stage_names


def test_the_names_are_those_that_the_ledger_documents() -> None:
    doc = next(column.doc for column in QUESTION_RANKING.columns if column.name == "stage")
    for name in ("IMAGE_EXACT", "IMAGE_ANN", "LEXICAL", "RETURNED", "FUSED", "RERANKED", "ELIGIBLE", "FINAL"):
        assert f"`{getattr(stage_names, name)}`" in doc
    assert f"`{stage_names.ARENA_PREFIX}NAME`" in doc
