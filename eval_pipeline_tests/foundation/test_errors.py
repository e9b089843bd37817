import inspect

import pytest

from eval_pipeline.foundation import errors

CLASSES = [item for _, item in inspect.getmembers(errors, inspect.isclass)]
EXIT_CODES = {"InputError": 2, "GateFailed": 3}


@pytest.mark.parametrize("error", CLASSES)
def test_every_error_stands_in_the_tree_and_is_drawn_on_top(error):
    assert issubclass(error, errors.EvalPipelineError)
    assert error.__name__ in (errors.__doc__ or "")


@pytest.mark.parametrize("error", CLASSES)
def test_exit_code_follows_the_branch(error):
    expected = next((code for name, code in EXIT_CODES.items() if issubclass(error, getattr(errors, name))), 1)
    assert error.exit_code == expected


def test_attributes_tell_the_place():
    config = errors.ConfigError("m", path="eval.yaml", key="corpus.id")
    table = errors.TableError("m", path="metadata.csv", line=3)
    assert (config.path, config.key, str(config)) == ("eval.yaml", "corpus.id", "m")
    assert (table.path, table.line) == ("metadata.csv", 3)
    assert errors.UnknownName("m", name="unit_x").name == "unit_x"
    assert errors.MeasureUndefined("m", reason="no_judgments").reason == "no_judgments"
