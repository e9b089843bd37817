"""The relation `semantic`."""

from eval_pipeline.tasks.relations import semantic


def test_it_is_named_like_its_file():
    assert semantic.RELATION.name == "semantic"
    assert "interval" not in semantic.RELATION.answer_units
