"""The relation `transformed_copy`."""

from eval_pipeline.tasks.relations import transformed_copy


def test_it_is_named_like_its_file():
    assert transformed_copy.RELATION.name == "transformed_copy"
    assert "interval" not in transformed_copy.RELATION.answer_units
