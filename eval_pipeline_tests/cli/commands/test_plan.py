import json

import pytest

from eval_pipeline.cli.commands.plan import show_plan
from eval_pipeline.demo.twelve import make_twelve


@pytest.fixture
def home(tmp_path):
    """Twelve pages that nothing was made of yet."""
    make_twelve(home=tmp_path / "twelve")
    return tmp_path / "twelve"


def test_it_says_what_is_assumed_and_what_is_not_known(home, capsys):
    show_plan(home=home, as_json=False)
    told = capsys.readouterr().out
    for what in (
        "documents   6 new, 0 changed, 0 removed, 0 unchanged",
        "pages       12 to read",
        "is not taken: a user password is needed",
        "questions   at most 500 written, 0 imported",
        "money       text: 0",
        "assumption  read: 15.0 pages per second",
        "not known   how many pages a question can be written from",
    ):
        assert what in told


def test_json_holds_the_same(home, capsys):
    show_plan(home=home, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert (told["n_pages"], told["documents"]["new"], told["rates"]["read"]["is_measured"]) == (12, 6, False)


def test_a_plan_is_as_useful_on_what_cannot_be_known(home, capsys):
    text = (
        (home / "eval.yaml")
        .read_text()
        .replace("type: text-match", "type: eval_pipeline.judging.text_match:TextMatchJudge")
    )
    (home / "eval.yaml").write_text(text)
    show_plan(home=home, as_json=False)
    told = capsys.readouterr().out
    assert "money       text: not known" in told
    assert "hours       not known" in told
