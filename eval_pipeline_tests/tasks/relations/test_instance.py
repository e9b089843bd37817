"""The relation `instance`."""

from eval_pipeline.tasks.relations import instance


def test_it_is_named_like_its_file():
    assert instance.RELATION.name == "instance"
    assert "interval" not in instance.RELATION.answer_units
