"""The relation `evidence`."""

from eval_pipeline.tasks.relations import evidence


def test_it_is_named_like_its_file():
    assert evidence.RELATION.name == "evidence"
    assert "interval" not in evidence.RELATION.answer_units
