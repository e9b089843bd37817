import json

import pytest

from eval_pipeline.cli.console import say_json, say_plain


def test_plain_text_keeps_its_brackets(capsys):
    say_plain("label [1] [bold]")
    assert capsys.readouterr().out == "label [1] [bold]\n"


def test_json_refuses_not_a_number(capsys):
    say_json({"a": [1, None]})
    assert json.loads(capsys.readouterr().out) == {"a": [1, None]}
    with pytest.raises(ValueError, match="not JSON compliant"):
        say_json({"a": float("nan")})
