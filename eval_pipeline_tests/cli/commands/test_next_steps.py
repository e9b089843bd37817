from eval_pipeline.cli.commands.next_steps import say_next
from eval_pipeline.foundation.settings import ProjectPaths


def test_hints_name_the_project_that_was_run(road_home, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EVAL_PIPELINE_HOME", raising=False)
    say_next(ProjectPaths(home=road_home))
    told = capsys.readouterr().out
    assert f"eval-pipeline verify --home {road_home}" in told
    assert f"eval-pipeline up --home {road_home}" in told
    monkeypatch.setenv("EVAL_PIPELINE_HOME", str(road_home))
    say_next(ProjectPaths(home=road_home))
    assert "--home" not in capsys.readouterr().out
