"""Judges from eval.yaml."""

import pytest

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.judging.building import build_judge
from eval_pipeline.judging.text_match import TextMatchJudge


def test_builds_the_text_judge_under_its_name() -> None:
    judge = build_judge(name="text", declared={"type": "text-match"}, path="eval.yaml")
    assert isinstance(judge, TextMatchJudge)
    assert judge.name == "text"


def test_the_name_is_no_part_of_the_judge_version() -> None:
    one = build_judge(name="a", declared={"type": "text-match"}, path="eval.yaml")
    other = build_judge(name="b", declared={"type": "text-match"}, path="eval.yaml")
    assert one.judge_id == other.judge_id


def test_builds_a_class_of_the_user() -> None:
    declared = {"type": "eval_pipeline.judging.text_match:TextMatchJudge"}
    assert build_judge(name="ours", declared=declared, path="eval.yaml").kind == "text-match"


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ({"type": "crystal-ball"}, "unknown judge 'crystal-ball'; allowed: text-match"),
        ({"type": "text-match", "colour": 3}, "judges.text: text-match does not take these settings"),
        ({}, "judges.text.type is required"),
        ({"type": "nowhere:Judge"}, "cannot load 'nowhere:Judge'"),
    ],
)
def test_a_wrong_declaration_names_file_and_key(declared: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=r"eval\.yaml") as caught:
        build_judge(name="text", declared=declared, path="eval.yaml")
    assert words in str(caught.value)
