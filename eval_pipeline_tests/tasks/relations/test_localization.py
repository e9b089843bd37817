"""The relation `localization`."""

from eval_pipeline.tasks.relations import localization


def test_it_is_named_like_its_file():
    assert localization.RELATION.name == "localization"
    assert localization.RELATION.answer_units == ("interval",)
