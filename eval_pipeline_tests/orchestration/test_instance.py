"""Dagster's storage lies in the project folder and phones nobody."""

import os

import yaml

from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.orchestration.instance import open_instance, prepare_dagster_home


def test_settings_are_made_once_and_then_the_users(tmp_path):
    paths = ProjectPaths(home=tmp_path)
    home = prepare_dagster_home(paths)
    settings = home / "dagster.yaml"
    declared = yaml.safe_load(settings.read_text())
    assert declared["telemetry"] == {"enabled": False}
    assert declared["nux"] == {"enabled": False}
    assert declared["run_monitoring"]["enabled"]
    settings.write_text("telemetry: {enabled: false}\n")
    prepare_dagster_home(paths)
    assert settings.read_text() == "telemetry: {enabled: false}\n"


def test_processes_that_follow_find_the_project(tmp_path):
    prepare_dagster_home(ProjectPaths(home=tmp_path))
    assert os.environ["DAGSTER_HOME"] == str(tmp_path / "dagster_home")
    assert os.environ["EVAL_PIPELINE_HOME"] == str(tmp_path)


def test_instance_opens_in_the_project_folder(tmp_path):
    with open_instance(ProjectPaths(home=tmp_path)) as instance:
        assert instance.get_runs() == []
        assert not instance.telemetry_enabled
        assert instance.root_directory == str(tmp_path / "dagster_home")
