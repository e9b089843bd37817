import json

import pytest

from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.orchestration.planning import count_calls, plan_next_run


def rewrite(paths, old, new):
    text = paths.config.read_text(encoding="utf-8")
    assert old in text
    paths.config.write_text(text.replace(old, new), encoding="utf-8")


def test_a_first_run_reads_everything_and_nothing_is_recorded(a_project):
    before = set(a_project.home.rglob("*"))
    plan = plan_next_run(a_project)
    assert set(a_project.home.rglob("*")) == before
    assert (plan.documents["new"], plan.documents["unchanged"]) == (6, 0)
    assert (plan.n_pages, plan.n_pictures) == (12, 12)
    assert sorted(plan.unreadable) == ["corpus/board-minutes-locked.pdf", "corpus/upload-interrupted.pdf"]
    assert plan.questions == {"written_at_most": 500, "imported": 0}
    assert plan.calls["gold"] == 500
    assert plan.money == {"text": 0.0}
    assert not any(rate.is_measured for rate in plan.rates.values())
    assert plan.disk_bytes == 12 * plan.rates["disk"].value
    assert json.loads(json.dumps(plan.to_json()))["n_pages"] == 12


def test_after_a_run_there_is_nothing_left_to_do(copy_road):
    paths = copy_road()
    plan = plan_next_run(paths)
    assert [plan.documents[name] for name in ("new", "changed", "removed")] == [0, 0, 0]
    assert (plan.n_pages, plan.n_pictures) == (0, 0)
    assert plan.questions == {"written_at_most": 0, "imported": 0}
    assert set(plan.calls.values()) == {0}
    assert plan.disk_bytes == 0


def test_arrivals_and_removals_are_counted(copy_road):
    paths = copy_road()
    documents = sorted((paths.home / "corpus").glob("*-q1.pdf"))
    (paths.home / "corpus" / "another.pdf").write_bytes(documents[0].read_bytes())
    documents[1].unlink()
    plan = plan_next_run(paths)
    assert (plan.documents["new"], plan.documents["removed"]) == (1, 1)
    assert plan.n_pages == plan.n_pictures > 0
    assert plan.questions["written_at_most"] == 500


def test_another_resolution_reads_every_page_again(copy_road):
    paths = copy_road()
    rewrite(paths, "resolution_dpi: 100", "resolution_dpi: 72")
    plan = plan_next_run(paths)
    assert (plan.documents["unchanged"], plan.n_pages) == (0, 12)


def test_questions_of_people_are_counted_once(copy_road):
    paths = copy_road()
    (paths.home / "q.csv").write_text("question_id,question,there\na,What?,true\nb,Why?,false\n", encoding="utf-8")
    rewrite(paths, "\nquestions:", "\nquestions:\n  import: [{path: q.csv, available: there}]")
    assert plan_next_run(paths).questions["imported"] == 1


def test_what_another_judge_costs_is_not_known(a_project):
    rewrite(a_project, "type: text-match", "type: eval_pipeline.judging.text_match:TextMatchJudge")
    plan = plan_next_run(a_project)
    assert (plan.money, plan.hours) == ({"text": None}, None)
    assert any("judge text" in what for what in plan.unknown)


def test_weights_are_not_fetched_to_make_a_plan(copy_road):
    paths = copy_road()
    rewrite(paths, 'model: "local-dir:models/page-clip"', "model: ViT-B-32, pretrained: openai")
    plan = plan_next_run(paths)
    assert (plan.n_pictures, plan.hours) == (None, None)
    assert any("weights" in what for what in plan.unknown)


def test_a_missing_encoder_is_named_before_the_run(a_project):
    rewrite(a_project, "local-dir:models/page-clip", "local-dir:models/gone")
    with pytest.raises(ConfigError, match="models/gone"):
        plan_next_run(a_project)


def test_a_judge_that_is_not_declared_is_named_before_the_run(a_project):
    contract = next(a_project.contracts.glob("*.yaml"))
    contract.write_text(contract.read_text(encoding="utf-8").replace("judge: text", "judge: nobody"), encoding="utf-8")
    with pytest.raises(ConfigError, match="nobody"):
        plan_next_run(a_project)


def test_calls_by_hand():
    declared = ProjectConfig()  # k 6, depth 10, three variants, three axes
    calls = count_calls(declared, n_questions=10, n_judges=2, n_pages=1000)
    assert calls == {"gold": 20, "negatives": 120, "labels": 740, "at_most": 880 * 4}


def test_no_pool_is_larger_than_the_corpus():
    calls = count_calls(ProjectConfig(), n_questions=1, n_judges=1, n_pages=3)
    assert calls == {"gold": 1, "negatives": 2, "labels": 3, "at_most": 24}
