"""What is declared is made once before anything expensive is begun."""

import pytest

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.files import write_atomically
from eval_pipeline.orchestration.checking import check_declaration
from eval_pipeline.orchestration.planning import plan_next_run
from eval_pipeline.orchestration.running import run_project


def rewrite(path, old, new):
    text = path.read_text()
    assert old in text
    write_atomically(path, text.replace(old, new).encode())


def test_the_demo_is_sound(a_project):
    check_declaration(a_project)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("text: {type: text}", "text: {type: bm99}", "variants.text.type"),
        ("text: {type: text}", 'text: {type: "no_such_module:Class"}', "variants.text.type"),
        ("of: [image, text]", "of: [image, nope]", "there is no variant 'nope'"),
        ("text: {type: text-match}", "text: {type: guess}", "judges.text"),
        ("text: {type: text-match}", "other: {type: text-match}", "no judge 'text'"),
        ("eval_pipeline.demo.stand_in:StandInReviewer", "eval_pipeline.demo.stand_in:Nobody", "labels.reviewer"),
    ],
)
def test_what_cannot_be_made_is_named_by_run_and_by_plan_before_anything_is_done(a_project, old, new, told):
    rewrite(a_project.config, old, new)
    for call in (run_project, plan_next_run):
        with pytest.raises(ConfigError, match=told):
            call(a_project)
    assert not a_project.ledger.exists()
