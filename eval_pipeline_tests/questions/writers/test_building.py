"""Writers from eval.yaml."""

import pytest

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.questions.writers.building import build_writers
from eval_pipeline.questions.writers.rules import RulesWriter


def test_builds_built_in_and_own_writers() -> None:
    rules, own = build_writers(
        [{"type": "rules", "per_page": 3}, {"type": "eval_pipeline.questions.writers.rules:RulesWriter"}]
    )
    assert isinstance(rules, RulesWriter)
    assert rules.per_page == 3
    assert own.writer_id != rules.writer_id


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ({"type": "poet"}, "unknown writer 'poet'; allowed: rules"),
        ({"type": "rules", "tone": "dry"}, "rules does not take these settings"),
        ({}, "questions.writers.0.type is required"),
    ],
)
def test_a_wrong_declaration_names_the_key(declared: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build_writers([declared])
    assert words in str(caught.value)
